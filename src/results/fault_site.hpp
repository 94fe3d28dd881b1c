// What the mistakes of all operations share: the stage at which they are made, and ways to go over an array.
// Internal to results.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "results/faults.hpp"
#include "results/recompute.hpp"

namespace attnlab::faults {

/// What every fault of one stage needs.
struct Site {
  const std::vector<Stage>& trace;
  const Stage& stage;
  std::vector<const Array*> operands;
  std::vector<Fault> faults;

  void add(std::string name, Text what, std::function<Array()> make) {
    faults.push_back({std::move(name), stage.name, std::move(what), std::move(make)});
  }
  const std::string& operand_name(std::size_t index) const { return stage.derivation.operands[index]; }
};

/// The stage of that name; every operand has one, as operands_of has checked.
inline const Stage& named(const std::vector<Stage>& trace, const std::string& name) {
  return *std::find_if(trace.begin(), trace.end(), [&](const Stage& stage) { return stage.name == name; });
}

/// The last two axes swapped.
inline Array transposed(const Array& array) {
  const std::size_t rank = array.shape.size();
  if (rank < 2) throw ShapeMismatch("nothing to transpose");
  const std::size_t rows = array.shape[rank - 2];
  const std::size_t columns = array.shape[rank - 1];
  Array result = array;
  std::swap(result.shape[rank - 2], result.shape[rank - 1]);
  if (array.axes.size() == rank) std::swap(result.axes[rank - 2], result.axes[rank - 1]);
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    const std::size_t column = i % columns;
    const std::size_t row = i / columns % rows;
    const std::size_t matrix = i / columns / rows;
    result.data[(matrix * columns + column) * rows + row] = array.data[i];
  }
  return result;
}

/// An operation along the last axis, carried out along the last but one.
template <class Function>
Array along_columns(const Array& array, Function function) {
  return transposed(function(transposed(array)));
}

/// `function` on each part of `length` values.
template <class Function>
Array by_parts(Array array, std::size_t length, Function function) {
  for (std::size_t start = 0; length > 0 && start < array.data.size(); start += length) {
    function(array.data.data() + start, length);
  }
  return array;
}

template <class Function>
Array by_rows(const Array& array, Function function) {
  if (array.shape.empty()) throw ShapeMismatch("no rows");
  return by_parts(array, array.shape.back(), function);
}

inline Array softmax_of(const Array& scores) {
  return computed(derived::softmax("scores"), {&scores});
}

inline double largest_of(const double* values, std::size_t count) {
  return *std::max_element(values, values + count);
}

/// The axis's name where there is one: "queries".
inline std::string axis_name(const Array& array, std::size_t from_back) {
  if (array.axes.size() < from_back) return "-" + std::to_string(from_back);
  return array.axes[array.axes.size() - from_back];
}

/// Softmax along the wrong axis, without its maximum, its exponential or its sum, and a mask that came late.
void add_softmax_faults(Site& site);

/// 0 where a key may be seen, a very negative number where not, and both occur.
bool is_mask(const Array& array);

/// Of the sum of scores and the mask that is operand `mask_index`.
void add_mask_faults(Site& site, std::size_t mask_index);

}  // namespace attnlab::faults
