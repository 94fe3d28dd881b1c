// What the tests of panels share: a figure of one panel as lines of text.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "terminal_figure/terminal_figure.hpp"

namespace attnlab {

using Lines = std::vector<std::string>;

inline Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline Figure figure_of(Panel panel) {
  const Text title = Text::same("title");
  return {"figure", title, title, Text::same(""), {std::move(panel)}, 0, {}, {}, false};
}

inline std::string text_of(const Figure& figure, std::size_t width = 80,
                           TerminalColours colours = TerminalColours::none) {
  return to_terminal(figure, {Language::en, Theme::light, colours, width});
}

/// Without the title and the empty line below it.
template <class Content>
Lines drawn(Content content, std::size_t width = 80) {
  const Lines lines = lines_of(text_of(figure_of({Text::same(""), std::move(content)}), width));
  return {lines.begin() + 2, lines.end()};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The words alone: where a line breaks does not matter.
inline std::string on_one_line(const Lines& lines) {
  std::string all;
  for (const std::string& line : lines) {
    for (const char letter : line + " ") {
      if (letter != ' ' || (!all.empty() && all.back() != ' ')) all += letter;
    }
  }
  return all;
}

/// The text without escape sequences that set colours.
inline std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      plain += text[i];
      continue;
    }
    i = text.find('m', i);
  }
  return plain;
}

}  // namespace attnlab
