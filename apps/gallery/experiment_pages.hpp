// docs/experiments.md and docs/experiments.ja.md: what every experiment shows, takes and returns, written by
// the tool itself so that they cannot go stale.
#pragma once

#include <filesystem>
#include <string>

#include "core/text.hpp"

namespace attnlab {

/// Markdown, one section per experiment in book order: picture, figures, options, arrays, invariants.
std::string experiments_page(Language language, const std::filesystem::path& data);

/// "experiments.md" or "experiments.ja.md", below docs/.
std::string experiments_page_name(Language language);

}  // namespace attnlab
