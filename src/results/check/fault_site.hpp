// What the mistakes of all operations share: the stage at which they are made, and ways to go over an array.
// Internal to results.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/check/diagnosis.hpp"
#include "results/derivation/array_operations.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab::faults {

/// What every fault of one stage needs.
struct Site {
  const std::vector<Stage>& trace;
  std::size_t index;  // of the stage
  const Stage& stage;
  std::vector<const Array*> operands;
  std::vector<Fault> faults;

  void add(std::string name, Text what, std::function<Array()> make) {
    const auto changed = [make = std::move(make)](const std::vector<const Array*>&) { return make(); };
    faults.push_back({std::move(name), stage.name, std::move(what), {{index, changed}}});
  }
  const std::string& operand_name(std::size_t operand) const { return stage.derivation.operands[operand]; }
};

/// The stage of that name; every operand has one, as operands_of has checked.
inline const Stage& named(const std::vector<Stage>& trace, const std::string& name) {
  return *std::find_if(trace.begin(), trace.end(), [&](const Stage& stage) { return stage.name == name; });
}

/// An operation along the last axis, carried out along another, counted from the back.
template <class Function>
Array along_axis(const Array& array, std::size_t from_back, Function function) {
  return swapped(function(swapped(array, from_back)), from_back);
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

/// Every length that a wrong √d might have been taken of.
std::set<std::size_t> widths_in(const std::vector<Stage>& trace);

/// Of a softmax of masked scores: the mask came only after it.
void add_late_mask_fault(Site& site);

/// 0 where a key may be seen, a very negative number where not, and both occur.
bool is_mask(const Array& array);

/// Of the sum of scores and the mask that is operand `mask_index`.
void add_mask_faults(Site& site, std::size_t mask_index);

// One per operation.
void add_sum_faults(Site& site);
void add_difference_faults(Site& site);
void add_product_faults(Site& site);
void add_transposed_product_faults(Site& site);
void add_scale_faults(Site& site);
void add_softmax_faults(Site& site);
void add_layer_norm_faults(Site& site);
void add_join_faults(Site& site);

}  // namespace attnlab::faults
