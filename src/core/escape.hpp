// Letters that would mean something else where a text is going: to a shell, into Markdown, TeX or XML.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Each letter that has a word in its place as that word; the others stay.
inline std::string with_words(std::string_view text, const std::map<char, std::string>& words) {
  std::string result;
  for (const char letter : text) {
    const auto word = words.find(letter);
    result += word == words.end() ? std::string(1, letter) : word->second;
  }
  return result;
}

/// A backslash before each of these letters.
inline std::string with_backslashes(std::string_view text, std::string_view letters) {
  std::string result;
  for (const char letter : text) {
    if (letters.find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

/// In Markdown of every kind, with formulas, strikes and tables, a text that means itself; an & as far as it
/// begins the name of a letter. What stands between backticks is code, and stays.
inline std::string markdown_text(std::string_view text) {
  const std::size_t begin = text.find('`');
  const std::size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
  if (end != std::string_view::npos) {
    return markdown_text(text.substr(0, begin)) + std::string(text.substr(begin, end + 1 - begin)) +
           markdown_text(text.substr(end + 1));
  }
  std::string result = with_backslashes(text, "\\`*_{}[]<>#|$~");
  for (std::size_t at = result.find('&'); at != std::string::npos; at = result.find('&', at + 2)) {
    if (at + 1 < result.size() && std::isalpha(static_cast<unsigned char>(result[at + 1])) != 0)
      result.insert(at, 1, '\\');
  }
  return result;
}

}  // namespace attnlab
