// A matrix as coloured cells, with or without the numbers in them.
#pragma once

#include "plotting/layout/sheet.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {

/// A map with more cells is drawn as one raster: an SVG would grow to hundreds of megabytes.
constexpr std::size_t most_boxes = 20000;

/// Cells overlap their neighbours a little: vector viewers show hairlines otherwise.
constexpr double seam = 0.4;

struct Extent {
  double width = 0.0;
  double height = 0.0;
};

struct Cell {
  std::size_t row = 0;
  std::size_t column = 0;
};

/// A matrix and what is to be seen of it, on a page or with characters.
struct Cells {
  const std::string& id;
  const Matrix& values;
  const ColourScale& scale;
  int decimals = no_numbers;
  CellFill fill = CellFill::coloured;
  const std::vector<bool>* hidden = nullptr;        // HeatMap::hidden
  const std::vector<bool>* marked = nullptr;        // HeatMap::marked
  const std::vector<std::string>* words = nullptr;  // HeatMap::words
  const Image* picture = nullptr;                   // HeatMap::picture

  double value(const Cell& at) const { return values.at(at.row, at.column); }
  /// What is written in it, where numbers are.
  std::string text(const Cell& at) const {
    return words != nullptr && !words->empty() ? (*words)[at.row * values.columns + at.column]
                                               : number_text(value(at), decimals);
  }
  bool is_hidden(const Cell& at) const { return holds(hidden, at); }
  /// Hidden, as it should be: nothing is to be read there.
  bool is_blank(const Cell& at) const {
    return is_hidden(at) && (value(at) == 0.0 || value(at) == -std::numeric_limits<double>::infinity());
  }
  /// A value where the mask allows none.
  bool leaks(const Cell& at) const { return is_hidden(at) && !is_blank(at) && !std::isnan(value(at)); }
  bool is_framed(const Cell& at) const { return holds(marked, at) || leaks(at); }
  /// Neither NaN nor a masked score of minus infinity has a place on a colour scale.
  bool is_off_scale(const Cell& at) const {
    return std::isnan(value(at)) || (std::isinf(value(at)) && value(at) < 0.0);
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t row = 0; row < values.rows; ++row) {
      for (std::size_t column = 0; column < values.columns; ++column) visit(Cell{row, column});
    }
  }

 private:
  bool holds(const std::vector<bool>* flags, const Cell& at) const {
    return flags != nullptr && !flags->empty() && (*flags)[at.row * values.columns + at.column];
  }
};

inline Cells cells_of(const HeatMap& map) {
  return {map.id,      map.values,  map.scale,  map.decimals,     map.fill,
          &map.hidden, &map.marked, &map.words, map.picture.get()};
}
inline Cells cells_of(const MatrixTerm& term) {
  return {term.id, term.values, term.scale, term.decimals, term.fill, &term.hidden};
}

/// The colour of a cell. What is off the scale, and a hidden 0, which is no small weight, are grey; what
/// veils a picture has the mean colour of what is left to be seen of it.
Colour fill_of(const Cells& cells, const Cell& at, const Style& style);

/// Numbers between -1 and 1 may do without the zero before the point: "0.25" or ".25".
enum class LeadingZeros { written, left_out };

/// How the numbers stand in their cells: in points, 0 where they have no room.
struct NumberForm {
  double size = 0.0;
  LeadingZeros zeros = LeadingZeros::written;
};

NumberWidths number_widths(const Cells& cells, const Sheet& sheet);

/// The largest form in which every number fits a cell of that size, at most the body size; without leading
/// zeros only where the smallest text has no room for them.
NumberForm number_form(const NumberWidths& widths, const Style& style, const Extent& cell);

/// One form for the numbers of several matrices: the smallest that any of them needs; 0 points of none.
NumberForm form_of_all(const std::vector<NumberWidths>& widths, const Style& style, const Extent& cell);

/// The width of a cell of which the widest number takes this share in the smallest text.
double room_of_numbers(const std::vector<NumberWidths>& widths, LeadingZeros zeros, const Style& style,
                       double share);

/// Fills `box`. The numbers shrink to fit, down to the smallest text; below that they are left out with a
/// warning. `form`, if given, is one that several matrices have in common.
void draw_cells(const Cells& cells, Sheet& sheet, const Box& box,
                const std::optional<NumberForm>& form = std::nullopt);

}  // namespace attnlab
