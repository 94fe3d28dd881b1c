// A matrix as cells of characters: numbers on colours, colours alone, or shades where there are no colours.
#pragma once

#include <cstddef>
#include <string>

#include "plotting/layout/cells.hpp"
#include "terminal_figure/picture.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

/// half_lines: two rows of cells on one line, by a character whose upper half is ink.
enum class CellForm { numbers, blocks, half_lines };

struct CellSize {
  CellForm form = CellForm::blocks;
  std::size_t width = 2;   // columns of a cell
  std::size_t height = 1;  // lines of a cell, or of two with half_lines
};

/// Columns that the widest number takes, the brackets of a framed one included; 0 without numbers.
std::size_t number_width(const Cells& cells);

std::size_t lines_of(const Cells& cells, const CellSize& size);

Picture draw_cells(const Cells& cells, const CellSize& size, const Setting& setting);

/// What the marks mean that stand in these cells: hidden, framed, not a number.
std::string mark_legend(const Cells& cells, const CellSize& size, const Setting& setting);

inline bool has_two_signs(const ColourScale& scale) {
  return scale.low < 0.0 && scale.high > 0.0;
}

/// What tells the cells apart where there are no colours: a number in each, sign and tenths of the scale, or
/// one of five shades.
enum class WithoutColour { numbers, digits, shades };
WithoutColour told_by(const CellSize& size, const ColourScale& scale);

/// `width` columns that stand for the value; numbers say it themselves.
std::string sign_of(const ColourScale& scale, double value, WithoutColour how, std::size_t width);

/// The strokes that tell the sign where greys are dark at both ends, or nothing.
std::string hatching(const ColourScale& scale, double value, std::size_t width);

}  // namespace attnlab::terminal_figure
