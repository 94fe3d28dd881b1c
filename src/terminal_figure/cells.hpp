// A matrix as cells of characters: numbers on colours, colours alone, or shades where there are no colours;
// the colour bar on one line; and what heat maps and the matrices of equations share: names beside the cells,
// and blocks of cells made one.
#pragma once

#include "plotting/layout/cells.hpp"
#include "terminal_figure/picture.hpp"

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

inline bool has_two_signs(const ColourScale& scale) { return scale.low < 0.0 && scale.high > 0.0; }

/// What tells the cells apart where there are no colours: a number in each, sign and tenths of the scale, or
/// one of five shades.
enum class WithoutColour { numbers, digits, shades };
WithoutColour told_by(const CellSize& size, const ColourScale& scale);

/// `width` columns that stand for the value; numbers say it themselves.
std::string sign_of(const ColourScale& scale, double value, WithoutColour how, std::size_t width);

/// The strokes that tell the sign where greys are dark at both ends, or nothing.
std::string hatching(const ColourScale& scale, double value, std::size_t width);

/// Where there are no colours the bar shows what stands for them; numbers and labels need none.
Picture colour_line(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
                    const Setting& setting);

std::vector<std::string> names_in(const std::vector<ShortText>& names, const Setting& setting);

/// Columns of the longest.
std::size_t widest(const std::vector<std::string>& names);

/// The names of all rows, or the numbers that they count; of more than `longest` columns the beginning.
std::vector<std::string> row_names(const HeatMap& map, std::size_t longest, const Setting& setting);

/// One name per row of cells at the middle of it, right-aligned, with a space behind.
Picture names_beside(const std::vector<std::string>& names, const CellSize& size, std::size_t lines);

/// "Query ↓  Key →".
std::string axis_names(const Text& downwards, const Text& rightwards, const Setting& setting);

struct NamesAbove {
  Picture picture;
  std::string key;  // what the numbers stand for that took the place of names, or ""
};

/// Names above the columns of cells: on one line, staggered on up to three, or numbers with a key. `room` is
/// how far they may reach to the right.
NamesAbove names_above(const std::vector<std::string>& names, std::size_t cell, std::size_t room);

/// Numbers above every 1st, 2nd, 5th, ... column.
Picture numbers_above(const Numbering& numbers, std::size_t columns, std::size_t cell);

/// How many cells go into one, along and across.
struct PoolSize {
  std::size_t rows = 1;
  std::size_t columns = 1;
};

/// Each cell is the largest of its block, or of a scale with two signs the one farthest from 0, so that no
/// peak is lost; NaN and hidden cells count only where a block holds nothing else. A block bears its first
/// name.
HeatMap pooled(const HeatMap& map, const PoolSize& size);

/// What a cell of that map stands for: "each cell: the largest of 4 × 2", or "" for itself.
std::string pool_note(const HeatMap& map, const PoolSize& size, const Setting& setting);

}  // namespace attnlab::terminal_figure
