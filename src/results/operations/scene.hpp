// What the lines of one step are written from: a stage, its operands, a row.
#pragma once

#include "results/explain/explanation.hpp"
#include "results/explain/written_numbers.hpp"
#include "results/operations/shapes.hpp"

namespace attnlab {

using Index = std::vector<std::size_t>;

/// What a line of this step needs: the stage, its operands, and the row.
struct Scene {
  const Stage& stage;
  std::vector<const Array*> operands;
  std::size_t row = 0;

  const std::string& name(std::size_t operand) const { return stage.derivation.operands[operand]; }
  const Array& array(std::size_t operand) const { return *operands[operand]; }
};

/// The entries of a row of which some are written before and after the dots.
Shown shown_entries(std::size_t count);

std::size_t width_of(const Array& array);

/// The index of (row, column) in a stage; a vector has no row.
Index index_of(const Array& array, std::size_t row, std::size_t column);

/// The index of a whole row.
Index row_index_of(const Array& array, std::size_t row);

std::size_t flat_of(const Array& array, std::size_t row, std::size_t column);
const double* row_begin(const Array& array, std::size_t row);

std::vector<std::string> texts_of(const Index& index);

Chain::Link link(const Written& right);

/// "≈ 2.13" behind a computation: exact only if the computation and the result are.
Chain::Link result_link(double value, bool exact_before);

/// What stands between an entry's name and its value; `exact` while no number in it was rounded.
struct Working {
  std::vector<Chain::Link> links;
  bool exact = false;
};

/// The lines, and below them the entries of the row that are written out, each by `work(column)`, dots
/// between them.
ExplanationLines with_entries(ExplanationLines lines, const Scene& scene,
                              const std::function<Working(std::size_t column)>& work);

/// The operand's number that went into this entry, and its name.
struct Source {
  double value = 0.0;
  Formula name;
};

Source source_of(const Scene& scene, std::size_t operand, std::size_t column);

/// The terms of a sum.
Written written_sum(const double* values, std::size_t count);

}  // namespace attnlab
