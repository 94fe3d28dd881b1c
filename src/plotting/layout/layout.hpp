// Turns a figure into a display list: measures text, places panels, thins what does not fit.
#pragma once

#include "core/error.hpp"
#include "plotting/colour/recolour.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {

/// Room for what stands around the data: tick labels, axis titles, a colour bar.
struct Insets {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
};

/// The larger of each side.
Insets united(const Insets& one, const Insets& other);

/// Where panels have their titles: on the left the height goes to the pictures.
enum class TitlePlace { above, beside };

/// Where the colour bar of all panels stands.
enum class BarPlace { beside, below };

/// How much room a page keeps around its data: rows of text, and the surroundings of each row and column of
/// panels. Pages that keep the same room stand still when they follow each other as a film.
struct Space {
  std::size_t title_rows = 0;
  std::size_t caption_rows = 0;
  double panel_titles = 0.0;  // their size in points; 0: as fits
  double titles_end = 0.0;    // how far to the right they reach
  TitlePlace titles = TitlePlace::above;
  BarPlace bar = BarPlace::beside;
  std::vector<Insets> in_column;  // left and right of each column of panels
  std::vector<Insets> in_row;     // top and bottom of each row of panels
};

/// What is enough for both. Panels in another number of rows or columns, or titled elsewhere, or with their
/// colour bar elsewhere, have no surroundings in common.
Space united(const Space& one, const Space& other);

struct LayoutOptions {
  Language language = Language::en;
  Theme theme = Theme::light;
  PageSize page;                          // inches
  std::optional<Measures> measures = {};  // default: those that grow with the page
  Wording title = Wording::drawn;
  Wording caption = Wording::drawn;
  ColourChoice colours = {};
  Space reserved = {};  // kept even where this figure needs less
};

struct Layout {
  DisplayList list;
  std::vector<Text> warnings;   // what had to be left out, and how to get it back; a glyph that no font has
  bool misses_numbers = false;  // cells were too small for theirs
  Space space;                  // what the page keeps around its data
};

/// A page too small for its figure: another size helps.
class NoSpace : public Error {
 public:
  NoSpace(const Text& problem, const Text& hint) : Error(ErrorKind::failed, problem, hint) {}
};

/// Throws NoSpace when the page is too small for the figure, Error (failed) when a font is missing.
Layout lay_out(const Figure& original, const LayoutOptions& options);

}  // namespace attnlab
