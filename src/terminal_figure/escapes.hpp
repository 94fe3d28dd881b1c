// How a terminal is told to change colour (ECMA-48, "Select Graphic Rendition").
#pragma once

#include <optional>
#include <string>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// What the terminal can do: nothing, xterm's palette of 256 colours, or any 24-bit colour.
enum class TerminalColours { none, palette_256, direct };

namespace terminal_figure {

enum class Emphasis { none, bold, faint };

/// Where no colour is named, the terminal's own stays.
struct Look {
  std::optional<Colour> letter = {};
  std::optional<Colour> paper = {};
  Emphasis emphasis = Emphasis::none;
};

bool operator==(const Look& one, const Look& other);

/// The colour as the terminal will show it: of the palette, the nearest one.
Colour shown_colour(const Colour& colour, TerminalColours colours);

/// From any look to this one.
std::string escape(const Look& look, TerminalColours colours);

}  // namespace terminal_figure
}  // namespace attnlab
