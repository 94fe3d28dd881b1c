#include "core/similar_words.hpp"

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {

std::size_t edit_distance(const std::string& one, const std::string& other) {
  const std::u32string from = decode_utf8(one).value_or(U"");
  const std::u32string to = decode_utf8(other).value_or(U"");
  // distance[i][j]: from the first i letters of `from` to the first j of `to`.
  std::vector<std::vector<std::size_t>> distance(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) distance[i][0] = i;
  for (std::size_t j = 0; j <= to.size(); ++j) distance[0][j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t substitution = distance[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      std::size_t best = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) best = std::min(best, distance[i - 2][j - 2] + 1);
      distance[i][j] = best;
    }
  }
  return distance[from.size()][to.size()];
}

std::optional<std::string> did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;  // no name is as long; the distance costs length squared
  constexpr std::size_t shortest_beginning = 2;
  if (word.empty() || word.size() > longest) return std::nullopt;
  const std::string typed = lower_case(word);
  const auto letters = [](const std::string& text) { return decode_utf8(text).value_or(U"").size(); };
  const auto is_ascii = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
  };

  std::size_t least = std::max<std::size_t>(1, letters(typed) / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    // Any other word of three letters is near; letters of another script are none of a name's.
    const bool is_as_short = letters(typed) <= 3 && letters(candidate) <= letters(typed);
    if (is_as_short || is_ascii(typed) != is_ascii(candidate)) continue;
    const std::size_t distance = edit_distance(typed, lower_case(candidate));
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  if (nearest || letters(typed) < shortest_beginning) return nearest;

  for (const std::string& candidate : candidates) {
    if (lower_case(candidate).rfind(typed, 0) != 0) continue;
    if (nearest) return std::nullopt;
    nearest = candidate;
  }
  return nearest;
}

std::vector<std::string> nearest_words(const std::string& word, const std::vector<std::string>& candidates,
                                       std::size_t most) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // distance and place
  for (std::size_t i = 0; i < candidates.size(); ++i)
    order.emplace_back(edit_distance(lower_case(word), lower_case(candidates[i])), i);
  std::sort(order.begin(), order.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    nearest.push_back(candidates[order[i].second]);
  return nearest;
}

Text choose_from(const std::vector<std::string>& names) {
  return text("選べるのは {} です", "choose from {}", joined(names, ", "));
}

Text with_suggestion(const std::optional<std::string>& meant, const Text& hint) {
  return meant ? text("{} のことですか。{}", "did you mean {}? {}", *meant, hint) : hint;
}

Text suggestion_before(const std::string& word, const std::vector<std::string>& candidates,
                       const Text& hint) {
  return with_suggestion(did_you_mean(word, candidates), hint);
}

Text suggestion_or(const std::string& word, const std::vector<std::string>& candidates, const Text& hint) {
  const std::optional<std::string> meant = did_you_mean(word, candidates);
  return meant ? text("{} のことですか", "did you mean {}?", *meant) : hint;
}

void refuse_name(const Text& kind, const std::string& name, const std::vector<std::string>& known) {
  refuse_usage(text("{1} という{0}はありません", "there is no {} {}", kind, quotation(name)),
               suggestion_or(name, known, choose_from(known)));
}

}  // namespace attnlab
