// Character widths from GLib's copy of Unicode, and line breaking with the rules of Japanese typesetting.
#include "core/terminal_width.hpp"

#include <glib.h>

#include "core/unicode.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::u32string_view never_first =
    U"、。，．・：；？！」』）］｝〕〉》】ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ゛゜…‥"
    U",.:;?!)]}”’";
constexpr std::u32string_view never_last = U"「『（［｛〔〈《【([{“‘";

bool holds(std::u32string_view set, char32_t character) {
  return set.find(character) != std::u32string_view::npos;
}

bool is_zero_width(char32_t character) { return g_unichar_iszerowidth(character) != FALSE; }

std::size_t width_of(char32_t character) {
  if (is_zero_width(character)) return 0;
  return is_wide(character) ? 2 : 1;
}

std::size_t width_of(std::u32string_view text) {
  std::size_t width = 0;
  for (const char32_t character : text) width += width_of(character);
  return width;
}

// Text that is not valid UTF-8 cannot be measured: its bytes stand for characters.
std::u32string characters_of(const std::string& text) {
  if (std::optional<std::u32string> characters = decode_utf8(text)) return *characters;
  return {text.begin(), text.end()};
}

std::string bytes_of(std::u32string_view characters) {
  std::string bytes;
  for (const char32_t character : characters) bytes += encode_utf8(character);
  return bytes;
}

bool may_break(char32_t left, char32_t right) {
  if (left == U' ') return right != U' ';
  if (right == U' ' || is_zero_width(right)) return false;
  if (holds(never_first, right) || holds(never_last, left)) return false;
  return is_wide(left) || is_wide(right);
}

// Pieces that stay together, each with the spaces that follow it.
std::vector<std::u32string> pieces_of(std::u32string_view text) {
  std::vector<std::u32string> pieces;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0 || may_break(text[i - 1], text[i])) pieces.emplace_back();
    pieces.back() += text[i];
  }
  return pieces;
}

std::u32string_view without_final_spaces(std::u32string_view text) {
  return text.substr(0, text.find_last_not_of(U' ') + 1);
}

void wrap_line(std::u32string_view text, std::size_t columns, std::vector<std::string>& lines) {
  std::u32string line;
  for (const std::u32string& piece : pieces_of(text)) {
    if (!line.empty() && width_of(line) + width_of(without_final_spaces(piece)) > columns) {
      lines.push_back(bytes_of(without_final_spaces(line)));
      line.clear();
    }
    line += piece;
  }
  lines.push_back(bytes_of(without_final_spaces(line)));
}

}  // namespace

std::size_t display_width(const std::string& text) { return width_of(characters_of(text)); }

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t taken = display_width(text);
  return text + std::string(taken < columns ? columns - taken : 0, ' ');
}

std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  const std::u32string characters = characters_of(text);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin <= characters.size()) {
    const std::size_t end = std::min(characters.find(U'\n', begin), characters.size());
    wrap_line(std::u32string_view(characters).substr(begin, end - begin), columns, lines);
    begin = end + 1;
  }
  return lines;
}

}  // namespace attnlab
