// `attnlab build`: a whole lecture from its manifest.
#pragma once

#include <filesystem>
#include <string>

#include "attnlab/request.hpp"
#include "core/text.hpp"

namespace attnlab {

/// "book  Attention, from ...", one line each.
std::string lecture_list(Language language);

/// Builds the lecture, a file or the name of one that ships, into the folder, and prints what it wrote. The
/// same manifest gives the same bytes. Throws Error (failed); all figures are drawn and all targets checked
/// before the first file is written.
void run_build(const std::string& manifest, const std::filesystem::path& folder, Language language,
               Printing printing);

}  // namespace attnlab
