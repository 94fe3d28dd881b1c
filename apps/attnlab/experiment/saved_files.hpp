// Arrays and explanations as files: the extension chooses the format.
#pragma once

#include <filesystem>
#include <string>

#include "core/text.hpp"
#include "results/explain/explanation.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// --data FILE, or one array of it: --save-output FILE.
struct SavedArrays {
  std::filesystem::path file;
  std::string array;  // "" for all
};

using DataWriter = std::string (*)(const Report&);

/// The writer for arrays that are saved. Throws Error (usage) for another extension.
DataWriter data_writer(const SavedArrays& saved);

/// What goes into the file; the report is as before afterwards. Throws Error (failed) when the run kept no
/// such array.
std::string contents(const SavedArrays& saved, Report& report);

using ExplanationWriter = std::string (*)(const Explanation&, Language);

/// The writer for an --explain-to file. Throws Error (usage) for another extension.
ExplanationWriter explanation_writer(const std::filesystem::path& file);

}  // namespace attnlab
