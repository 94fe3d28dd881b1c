// How much room a page keeps around its data: rows of text, and the surroundings of each row and column of
// panels. Pages that keep the same room stand still when they follow each other as a film.
#pragma once

#include <cstddef>
#include <vector>

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

struct Room {
  std::size_t title_rows = 0;
  std::size_t caption_rows = 0;
  double panel_titles = 0.0;      // their size in points; 0: as fits
  double titles_end = 0.0;        // how far to the right they reach
  std::vector<Insets> in_column;  // left and right of each column of panels
  std::vector<Insets> in_row;     // top and bottom of each row of panels
};

/// What is enough for both. Panels in another number of rows or columns have no surroundings in common.
Room united(const Room& one, const Room& other);

}  // namespace attnlab
