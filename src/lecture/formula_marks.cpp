#include "lecture/formula_marks.hpp"

#include "core/unicode.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::string_view mark_begin = "\uE000";  // for private use: no text holds them
constexpr std::string_view mark_end = "\uE001";
constexpr std::string_view joint = "\uE002";  // a letter between asterisks and what they touch
constexpr const char* tilde = "\uE003";       // by itself it strikes nothing out

bool is_space(char letter) { return letter == ' ' || letter == '\n' || letter == '\t'; }

/// Where a search has found nothing, a later one from before there finds nothing either.
struct Searched {
  std::map<std::string_view, std::size_t> formulas;  // by their dollars: up to where none closes
  std::set<std::size_t> codes;                       // numbers of backquotes of which no more stand together
};

/// Behind the formula that begins with a dollar at `begin`; npos where that is a dollar.
std::size_t end_of_formula(const std::string& text, std::size_t begin, Searched& searched) {
  const std::string_view dollars = text.compare(begin, 2, "$$") == 0 ? "$$" : "$";
  const std::size_t inside = begin + dollars.size();
  const bool stands_alone = dollars == "$$";
  if (inside >= text.size() || (!stands_alone && is_space(text[inside]))) return std::string::npos;
  std::size_t& none_before = searched.formulas[dollars];
  if (begin < none_before) return std::string::npos;
  std::size_t at = inside;
  for (; at < text.size() && text.compare(at, 2, "\n\n") != 0; ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text.compare(at, dollars.size(), dollars) == 0) {
      const std::size_t end = at + dollars.size();
      const bool before_digit = end < text.size() && text[end] >= '0' && text[end] <= '9';
      const bool is_closing = stands_alone || (!is_space(text[at - 1]) && !before_digit);
      if (is_closing && at > inside) return end;
    }
  }
  none_before = at;
  return std::string::npos;
}

/// Behind the code that begins with backquotes at `begin`, or behind these where it does not end.
std::size_t end_of_code(const std::string& text, std::size_t begin, Searched& searched) {
  const std::size_t inside = std::min(text.find_first_not_of('`', begin), text.size());
  const std::string quotes = text.substr(begin, inside - begin);
  if (searched.codes.count(quotes.size()) != 0) return inside;
  for (std::size_t at = text.find(quotes, inside); at != std::string::npos; at = text.find(quotes, at)) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    if (end - at == quotes.size()) return end;
    at = end;
  }
  searched.codes.insert(quotes.size());
  return inside;
}

bool is_wide_character(std::string_view bytes) {
  const std::optional<std::u32string> characters = decode_utf8(bytes);
  return characters && characters->size() == 1 && is_wide(characters->front());
}

bool begins_or_ends_word(std::string_view character) {
  return !character.empty() && !is_space(character.front()) && character != "\\";
}

/// Asterisks beside Japanese are emphasis whatever punctuation they touch, as pandoc reads them.
std::string joined_emphasis(std::string_view before, std::string_view asterisks, std::string_view behind) {
  const std::string_view left = last_character(before);
  const std::string_view right = first_character(behind);
  const bool joins = is_wide_character(left) || is_wide_character(right);
  return fmt::format("{}{}{}", joins && begins_or_ends_word(left) ? joint : "", asterisks,
                     joins && begins_or_ends_word(right) ? joint : "");
}

}  // namespace

MarkedText with_marks(const std::string& text) {
  MarkedText marked;
  Searched searched;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t behind = text[at] == '$' ? end_of_formula(text, at, searched) : std::string::npos;
    std::size_t end = at + 1;
    if (text[at] == '\\') end = std::min(at + 2, text.size());
    if (text[at] == '`') end = end_of_code(text, at, searched);
    if (text[at] == '*' || text[at] == '~') end = std::min(text.find_first_not_of(text[at], at), text.size());
    if (behind != std::string::npos) end = behind;
    const std::string part = text.substr(at, end - at);
    if (behind != std::string::npos) {
      marked.text += fmt::format("{}{}{}", mark_begin, marked.formulas.size(), mark_end);
      marked.formulas.push_back({part, line});
    } else if (part.front() == '*') {
      marked.text += joined_emphasis(marked.text, part, std::string_view(text).substr(end));
    } else {
      marked.text += part == "~" ? tilde : part;
    }
    line += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    if (behind != std::string::npos) marked.lines.emplace_back(marked.text.size(), line);
    at = end;
  }
  return marked;
}

std::size_t line_of(std::size_t offset, const MarkedText& marked) {
  std::pair<std::size_t, std::size_t> from{0, 0};
  for (const auto& known : marked.lines) {
    if (known.first <= offset) from = known;
  }
  const auto begin = marked.text.begin();
  return from.second +
         static_cast<std::size_t>(std::count(begin + static_cast<std::ptrdiff_t>(from.first),
                                             begin + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::string without_marks(const std::string& text, const std::vector<TypedFormula>& formulas,
                          const std::function<std::string(const TypedFormula&)>& written) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t begin = text.find(mark_begin); begin != std::string::npos;
       begin = text.find(mark_begin, at)) {
    const std::size_t digits = begin + mark_begin.size();
    const std::size_t end = text.find_first_not_of("0123456789", digits);
    const std::optional<std::size_t> number =
        number_from<std::size_t>(std::string_view(text).substr(digits, std::min(end, text.size()) - digits));
    const bool is_mark = end != std::string::npos && text.compare(end, mark_end.size(), mark_end) == 0 &&
                         number && *number < formulas.size();
    result += text.substr(at, begin - at) + (is_mark ? written(formulas[*number]) : "");
    at = is_mark ? end + mark_end.size() : digits;
  }
  return replaced(replaced(result + text.substr(at), joint, ""), tilde, "~");
}

}  // namespace attnlab
