// "Did you mean": the name nearest to a misspelt one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attnlab {

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other, no part
/// being edited twice (optimal string alignment, the restricted Damerau-Levenshtein distance).
std::size_t edit_distance(const std::string& from, const std::string& to);

/// The candidate nearest to `word`, upper and lower case being one, if it is near enough to be a slip (an
/// edit per three letters, at least one), else the only candidate that `word` begins. The first of equals
/// wins.
std::optional<std::string> did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace attnlab
