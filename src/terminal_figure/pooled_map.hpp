// A heat map with more cells than a terminal has room for: blocks of cells become one.
#pragma once

#include <cstddef>
#include <string>

#include "plotting/figure/figure.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

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
