// Words that were meant where another one was typed.
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// Insertions, deletions, substitutions of characters and swaps of neighbours that turn one word into the
/// other, no part being edited twice (optimal string alignment, the restricted Damerau-Levenshtein distance).
std::size_t edit_distance(const std::string& one, const std::string& other);

/// The candidate nearest to `word`, upper and lower case being one, if it is near enough to be a slip (an
/// edit per three letters, at least one), else the only candidate that `word` begins. The first of equals
/// wins.
std::optional<std::string> did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

/// The candidates nearest to `word`, the nearest first, at most so many.
std::vector<std::string> nearest_words(const std::string& word, const std::vector<std::string>& candidates,
                                       std::size_t most);

// --- Hints

/// The hint "choose from a, b, c".
Text choose_from(const std::vector<std::string>& names);

/// "did you mean X?" before the hint, where a word was meant.
Text with_suggestion(const std::optional<std::string>& meant, const Text& hint);

/// "did you mean X?" before another hint, or instead of it, where the word is near one of the candidates.
Text suggestion_before(const std::string& word, const std::vector<std::string>& candidates, const Text& hint);
Text suggestion_or(const std::string& word, const std::vector<std::string>& candidates, const Text& hint);

/// "there is no figure 'scater'; did you mean scatter?", as Error (usage).
[[noreturn]] void refuse_name(const Text& kind, const std::string& name,
                              const std::vector<std::string>& known);

}  // namespace attnlab
