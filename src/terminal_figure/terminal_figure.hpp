// A figure drawn with characters: for a terminal without pictures, a pipe, or a lecture over ssh. Maps and
// charts are drawn; diagrams and matrix equations are told by the figure's description.
#pragma once

#include "terminal_figure/picture.hpp"

namespace attnlab {

/// Narrower than this no figure can be read; a smaller width is taken for it.
constexpr std::size_t narrowest_terminal = 40;

struct TerminalPage {
  Language language = Language::en;
  Theme theme = Theme::light;
  TerminalColours colours = TerminalColours::none;
  std::size_t width = 80;  // columns
  SeriesPalette series = SeriesPalette::okabe_ito;
};

/// Title, panels and caption as lines of at most `width` columns, the last one ended by a newline. Without
/// colours the same figure in shades, digits and distinct marks.
std::string to_terminal(const Figure& figure, const TerminalPage& page);

}  // namespace attnlab
