// What every panel needs to know about the page.
#pragma once

#include <cstddef>
#include <string>

#include "core/text.hpp"
#include "plotting/layout/style.hpp"
#include "terminal_figure/escapes.hpp"

namespace attnlab::terminal_figure {

struct Setting {
  Language language = Language::en;
  TerminalColours colours = TerminalColours::none;
  Style style;
  std::size_t panels = 1;
  std::size_t highest_map = 0;  // rows: all maps of a figure have cells of one height

  const std::string& words(const Text& text) const { return text.in(language); }
  bool in_colour() const { return colours != TerminalColours::none; }
};

constexpr Look bold{{}, {}, Emphasis::bold};
constexpr Look faint{{}, {}, Emphasis::faint};

}  // namespace attnlab::terminal_figure
