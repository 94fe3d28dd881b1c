// What heat maps and the matrices of equations share: names beside the cells, and blocks of cells made one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plotting/figure/figure.hpp"
#include "terminal_figure/cells.hpp"
#include "terminal_figure/picture.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

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
