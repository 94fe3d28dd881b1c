// What the explanations of all operations share: the stage with its operands, and how its entries are named.
// Internal to results.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/derivation/recompute.hpp"
#include "results/explain/explained_operation.hpp"
#include "results/explain/written_numbers.hpp"

namespace attnlab::explaining {

using Index = std::vector<std::size_t>;

// How many entries of a row are written before and after the dots.
constexpr std::size_t first_entries = 2;
constexpr std::size_t last_entries = 1;

inline Shown shown_entries(std::size_t count) {
  return shown(count, first_entries, last_entries);
}

/// What a line of this step needs: the stage, its operands, and the row.
struct Scene {
  const Stage& stage;
  std::vector<const Array*> operands;
  std::size_t row = 0;

  const std::string& name(std::size_t operand) const { return stage.derivation.operands[operand]; }
  const Array& array(std::size_t operand) const { return *operands[operand]; }
};

/// The index of (row, column) in a stage; a vector has no row.
inline Index index_of(const Array& array, std::size_t row_index, std::size_t column) {
  const std::size_t rank = array.shape.size();
  if (rank == 0) return {};
  Index index(rank, 0);
  index[rank - 1] = column;
  if (rank >= 2) index[rank - 2] = row_index;
  return index;
}

/// The index of a whole row.
inline Index row_index_of(const Array& array, std::size_t row_index) {
  Index index = index_of(array, row_index, 0);
  if (!index.empty()) index.pop_back();
  return index;
}

inline std::size_t flat_of(const Array& array, const Index& index) {
  std::size_t flat = 0;
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) flat = flat * array.shape[axis] + index[axis];
  return flat;
}

inline std::size_t width_of(const Array& array) {
  return array.shape.empty() ? 1 : array.shape.back();
}

inline const double* row_begin(const Array& array, std::size_t row_index) {
  return array.data.data() + flat_of(array, index_of(array, row_index, 0));
}

inline Chain::Link link(const Written& right) {
  return {relation(right.exact), right.formula};
}

/// "≈ 2.13" behind a computation: exact only if the computation and the result are.
inline Chain::Link result_link(double value, bool exact_before) {
  const Written result = written(value);
  return {relation(exact_before && result.exact), result.formula};
}

inline Formula name_of_entry(const Scene& scene, std::size_t column) {
  return element_name(scene.stage.name, index_of(scene.stage.array, scene.row, column));
}

inline double entry(const Scene& scene, std::size_t column) {
  return scene.stage.array.data[flat_of(scene.stage.array, index_of(scene.stage.array, scene.row, column))];
}

/// `line(column)` for the entries of the row that are written out, dots between them.
template <class Line>
void add_entries(ExplanationLines& lines, const Scene& scene, Line line) {
  const Shown columns = shown_entries(width_of(scene.stage.array));
  for (std::size_t i = 0; i < columns.places.size(); ++i) {
    if (columns.elided && i == columns.cut) lines.push_back(Chain{formula::sym("⋯"), {}});
    lines.push_back(line(columns.places[i]));
  }
}

/// The operand's number that went into this entry, and its name.
struct Source {
  double value = 0.0;
  Formula name;
};

inline Source source_of(const Scene& scene, std::size_t operand, std::size_t column) {
  const Array& whole = scene.stage.array;
  const Array& array = scene.array(operand);
  const std::size_t flat = flat_of(whole, index_of(whole, scene.row, column));
  const std::size_t place = broadcast_source(flat, whole.shape, array.shape);
  Index index(array.shape.size());
  std::size_t rest = place;
  for (std::size_t axis = array.shape.size(); axis-- > 0;) {
    index[axis] = rest % array.shape[axis];
    rest /= array.shape[axis];
  }
  return {array.data[place], element_name(scene.name(operand), index)};
}

/// The operations that take a whole row at once.
ExplanationLines explained_softmax(const Scene& scene);
ExplanationLines explained_layer_norm(const Scene& scene);
ExplanationLines explained_splitting(const Scene& scene);
ExplanationLines explained_joining(const Scene& scene);
ExplanationLines explained_entropy(const Scene& scene);
ExplanationLines explained_maximum(const Scene& scene);

}  // namespace attnlab::explaining
