// The weights of a text that is too long to keep them: maps of a few cells, and what is measured row by row.
#pragma once

#include "model/roles.hpp"

namespace attnlab {

/// What no row of weights may have, at most. A model's own NaN, of which a warning tells, break no promise.
struct RowFaults {
  double of_sum = 0.0;  // how far its sum is from 1
  double leak = 0.0;    // the largest weight on a later token

  void add(const float* weights, std::size_t count, std::size_t place);
  void add(const RowFaults& others);
};

/// What is left of every head's weights over n tokens.
struct LongMaps {
  std::size_t bin = 1;              // tokens of a side of a cell
  std::size_t side = 0;             // cells of a side of a map
  std::vector<Tensor<float>> maps;  // per layer (heads, side, side): the largest weight of each cell
  std::vector<Tensor<float>> rows;  // per layer (heads, n): those of one query
  std::vector<std::vector<HeadRoles>> roles;  // (layers, heads)
  RowFaults faults;                           // of all rows
};

/// Fills the maps while the model reads; heads of a layer may come side by side.
class LongMapsFiller {
 public:
  LongMapsFiller(const Architecture& a, const std::vector<std::size_t>& tokens, std::size_t query);
  void add(std::size_t layer, std::size_t head, std::size_t place, const float* weights);
  LongMaps filled();

 private:
  const std::vector<std::size_t>& tokens_;
  std::size_t query_;
  LongMaps maps_;
  std::vector<std::vector<RoleSums>> roles_;  // (layers, heads)
  std::vector<std::vector<RowFaults>> faults_;
};

}  // namespace attnlab
