#include "terminal_figure/pooled_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnlab::terminal_figure {
namespace {

std::size_t blocks(std::size_t cells, std::size_t each) {
  return (cells + each - 1) / each;
}

struct Block {
  double value = std::nan("");
  bool hidden = true;
};

class Pool {
 public:
  Pool(const HeatMap& map, const PoolSize& size) : map_(map), size_(size) {}

  Block block(std::size_t block_row, std::size_t block_column) const {
    Block block;
    const std::size_t row_end = std::min((block_row + 1) * size_.rows, map_.values.rows);
    const std::size_t column_end = std::min((block_column + 1) * size_.columns, map_.values.columns);
    for (std::size_t row = block_row * size_.rows; row < row_end; ++row) {
      for (std::size_t column = block_column * size_.columns; column < column_end; ++column) {
        take(block, map_.values.at(row, column), is_hidden(row, column));
      }
    }
    return block;
  }

 private:
  bool is_hidden(std::size_t row, std::size_t column) const {
    return !map_.hidden.empty() && map_.hidden[row * map_.values.columns + column];
  }

  double rank(double value) const {
    return map_.scale.low < 0.0 && map_.scale.high > 0.0 ? std::abs(value) : value;
  }

  /// What can be read goes before what is hidden, numbers before NaN, the large before the small.
  void take(Block& block, double value, bool hidden) const {
    if (hidden && !block.hidden) return;
    const bool first_to_read = block.hidden && !hidden;
    if (first_to_read || std::isnan(block.value) || rank(value) > rank(block.value)) block = {value, hidden};
  }

  const HeatMap& map_;
  PoolSize size_;
};

std::vector<ShortText> first_names(const std::vector<ShortText>& names, std::size_t each) {
  std::vector<ShortText> first;
  for (std::size_t i = 0; i < names.size(); i += each) first.push_back(names[i]);
  return first;
}

}  // namespace

HeatMap pooled(const HeatMap& map, const PoolSize& size) {
  HeatMap result = map;
  const Pool pool(map, size);
  result.values = {blocks(map.values.rows, size.rows), blocks(map.values.columns, size.columns), {}};
  result.hidden.clear();
  result.marked.clear();
  for (std::size_t row = 0; row < result.values.rows; ++row) {
    for (std::size_t column = 0; column < result.values.columns; ++column) {
      const Block block = pool.block(row, column);
      result.values.values.push_back(block.value);
      result.hidden.push_back(block.hidden);
    }
  }
  result.row_labels = first_names(map.row_labels, size.rows);
  result.column_labels = first_names(map.column_labels, size.columns);
  result.row_numbers = map.row_numbers.value_or(Numbering{0, map.values.rows});
  result.column_numbers = map.column_numbers.value_or(Numbering{0, map.values.columns});
  return result;
}

std::string pool_note(const HeatMap& map, const PoolSize& size, const Setting& setting) {
  if (size.rows == 1 && size.columns == 1) return "";
  const bool two_signs = map.scale.low < 0.0 && map.scale.high > 0.0;
  const std::string block = fmt::format("{} × {}", size.rows, size.columns);
  return setting.words(
      {fmt::format("1 マスは {} 個の{}", block, two_signs ? "絶対値最大" : "最大値"),
       fmt::format("each cell: the {} of {}", two_signs ? "most extreme" : "largest", block)});
}

}  // namespace attnlab::terminal_figure
