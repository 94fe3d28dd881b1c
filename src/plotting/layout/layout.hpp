// Turns a figure into a display list: measures text, places panels, thins what does not fit.
#pragma once

#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "plotting/colour/colour.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/figure/figure.hpp"
#include "plotting/preset.hpp"
#include "plotting/colour/recolour.hpp"
#include "plotting/room.hpp"

namespace attnlab {

struct LayoutOptions {
  Language language = Language::en;
  Theme theme = Theme::light;
  PageSize page;                          // inches
  std::optional<Measures> measures = {};  // default: those that grow with the page
  Captions captions = Captions::drawn;
  ColourChoice colours = {};
  Room reserved = {};  // kept even where this figure needs less
};

struct Layout {
  DisplayList list;
  std::vector<Text> warnings;  // what had to be left out, and how to get it back; a glyph that no font has
  Room room;                   // what the page keeps around its data
};

/// A page too small for its figure: another size helps.
class NoRoom : public Error {
 public:
  NoRoom(const Text& problem, const Text& hint) : Error(ErrorKind::failed, problem, hint) {}
};

/// Throws NoRoom when the page is too small for the figure, Error (failed) when a font is missing.
Layout lay_out(const Figure& original, const LayoutOptions& options);

}  // namespace attnlab
