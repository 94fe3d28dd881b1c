// Every operation as it would be worked on a blackboard: symbols, numbers, result.
#include "results/explain/explained_operation.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "results/explain/explained_scene.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sym;
using namespace explaining;
using Operation = Derivation::Operation;

ExplanationLines explained_pairs(const Scene& scene, const char* sign) {
  ExplanationLines lines;
  add_entries(lines, scene, [&](std::size_t column) {
    const Source left = source_of(scene, 0, column);
    const Source right = source_of(scene, 1, column);
    const Written a = written(left.value);
    const Written b = written_in_brackets(right.value);
    const bool exact = a.exact && b.exact;
    return Chain{name_of_entry(scene, column),
                 {{"=", row({left.name, sym(sign), right.name})},
                  {relation(exact), row({a.formula, sym(sign), b.formula})},
                  result_link(entry(scene, column), exact)}};
  });
  return lines;
}

/// `with(number)` is the formula with a number in it, `symbolic(name)` with the operand's name.
template <class Formulate>
ExplanationLines explained_elements(const Scene& scene, Formulate formulate) {
  ExplanationLines lines;
  add_entries(lines, scene, [&](std::size_t column) {
    const Source source = source_of(scene, 0, column);
    const Written number = written(source.value);
    return Chain{name_of_entry(scene, column),
                 {{"=", formulate(source.name)},
                  {relation(number.exact), formulate(number.formula)},
                  result_link(entry(scene, column), number.exact)}};
  });
  return lines;
}

ExplanationLines explained_scaling(const Scene& scene) {
  const double factor = scene.stage.derivation.number;
  if (factor == 1.0) {
    return {text("{} と同じです。", "The same as {}.", scene.name(0))};
  }
  const Written scale = written_in_brackets(factor);
  ExplanationLines lines;
  add_entries(lines, scene, [&](std::size_t column) {
    const Source source = source_of(scene, 0, column);
    const Written number = written_in_brackets(source.value);
    const bool exact = scale.exact && number.exact;
    return Chain{name_of_entry(scene, column),
                 {{relation(scale.exact), row({scale.formula, sym("·"), source.name})},
                  {relation(exact), row({scale.formula, sym("·"), number.formula})},
                  result_link(entry(scene, column), exact)}};
  });
  return lines;
}

// --- Products ----------------------------------------------------------------------------------------------

/// One operand of a sum over k: its numbers and its name.
struct Factor {
  std::vector<double> values;
  Formula name;
};

Factor row_factor(const Scene& scene, std::size_t operand, std::size_t row_index) {
  const Array& array = scene.array(operand);
  const double* begin = row_begin(array, row_index);
  return {{begin, begin + width_of(array)},
          element_name(scene.name(operand), row_index_of(array, row_index))};
}

/// Column j of a matrix: "value[:, 2]".
Factor column_factor(const Scene& scene, std::size_t operand, std::size_t column) {
  const Array& array = scene.array(operand);
  Factor factor;
  const std::size_t rows = rows_of(array);
  for (std::size_t k = 0; k < rows; ++k) {
    factor.values.push_back(array.data[flat_of(array, index_of(array, k, column))]);
  }
  std::vector<Formula> parts{sym(scene.name(operand)), sym("[")};
  for (std::size_t axis = 2; axis < array.shape.size(); ++axis) {
    parts.push_back(sym("0"));
    parts.push_back(sym(","));
  }
  parts.push_back(sym(":,"));  // one piece, so that it is spaced as NumPy's users write it
  parts.push_back(sym(std::to_string(column)));
  parts.push_back(sym("]"));
  factor.name = row(std::move(parts));
  return factor;
}

Chain product_line(const Scene& scene, std::size_t column, const Factor& left, const Factor& right) {
  const Written sum = written_products(left.values.data(), right.values.data(), left.values.size());
  return {name_of_entry(scene, column),
          {{"=", row({left.name, sym("·"), right.name})},
           link(sum),
           result_link(entry(scene, column), sum.exact)}};
}

ExplanationLines explained_product(const Scene& scene) {
  const bool transposes = scene.stage.derivation.operation == Operation::product_with_transpose;
  const bool right_vector = scene.array(1).shape.size() == 1;
  const bool left_vector = scene.array(0).shape.size() == 1;
  ExplanationLines lines;
  add_entries(lines, scene, [&](std::size_t column) {
    // Where the right side is a vector the result's last axis counts the rows of the left.
    const std::size_t left_row = left_vector ? 0 : right_vector ? column : scene.row;
    const Factor left = row_factor(scene, 0, left_row);
    if (right_vector) return product_line(scene, column, left, row_factor(scene, 1, 0));
    return product_line(scene, column, left,
                        transposes ? row_factor(scene, 1, column) : column_factor(scene, 1, column));
  });
  return lines;
}

ExplanationLines explained(const Scene& scene) {
  switch (scene.stage.derivation.operation) {
    case Operation::product:
    case Operation::product_with_transpose:
      return explained_product(scene);
    case Operation::sum:
      return explained_pairs(scene, "+");
    case Operation::difference:
      return explained_pairs(scene, "−");
    case Operation::scaled:
      return explained_scaling(scene);
    case Operation::softmax:
      return explained_softmax(scene);
    case Operation::exponential:
      return explained_elements(scene, [](const Formula& x) { return call("exp", x); });
    case Operation::tanh:
      return explained_elements(scene, [](const Formula& x) { return call("tanh", x); });
    case Operation::relu:
      return explained_elements(scene, [](const Formula& x) {
        return call("max", row({sym("0"), sym(","), x}));
      });
    case Operation::layer_norm:
      return explained_layer_norm(scene);
    case Operation::split_heads:
      return explained_splitting(scene);
    case Operation::join_heads:
      return explained_joining(scene);
    case Operation::row_entropy:
      return explained_entropy(scene);
    case Operation::row_maximum:
      return explained_maximum(scene);
    case Operation::given:
    case Operation::measured:
    case Operation::worked:
      break;
  }
  return {};
}

}  // namespace

std::size_t rows_of(const Array& array) {
  return array.shape.size() < 2 ? 1 : array.shape[array.shape.size() - 2];
}

Formula element_name(const std::string& stage, const Index& index) {
  if (index.empty()) return sym(stage);
  std::vector<Formula> parts{sym(stage), sym("[")};
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (axis > 0) parts.push_back(sym(","));
    parts.push_back(sym(std::to_string(index[axis])));
  }
  parts.push_back(sym("]"));
  return row(std::move(parts));
}

Chain row_of_stage(const Stage& stage, std::size_t row_index) {
  const Formula name = element_name(stage.name, row_index_of(stage.array, row_index));
  if (stage.array.data.empty()) return {name, {{"=", row({sym("["), sym("]")})}}};
  if (stage.array.shape.empty()) return {name, {link(written(stage.array.data.front()))}};
  Written numbers = written_row(row_begin(stage.array, row_index), width_of(stage.array));
  return {name, {link(numbers)}};
}

ExplanationLines explained_operation(const Stage& stage, const std::vector<Stage>& trace,
                                     std::size_t row_index) {
  const Scene scene{stage, operands_of(stage, trace), row_index};
  if (stage.array.data.empty() || std::any_of(scene.operands.begin(), scene.operands.end(),
                                              [](const Array* operand) { return operand->data.empty(); })) {
    return {};
  }
  return explained(scene);
}

}  // namespace attnlab
