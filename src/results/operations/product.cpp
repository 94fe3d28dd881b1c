// A B, and A Bᵀ: a vector is a row on the left and a column on the right.
#include "results/operations/operation.hpp"

#include "core/named.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

using Shape = std::vector<std::size_t>;

/// The matrices of a stack.
struct Matrices {
  Shape batch;
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::size_t cells() const { return rows * columns; }
};

Matrices matrices(const Shape& shape) {
  return {{shape.begin(), shape.end() - 2}, shape[shape.size() - 2], shape[shape.size() - 1]};
}

/// result (rows, columns) = the sum over k of left (i, k) right (k, j), in the order of k. The loop over j is
/// the innermost because there memory lies in a row.
void multiply(const double* left, const Matrices& a, const double* right, const Matrices& b, double* result) {
  for (std::size_t i = 0; i < a.rows; ++i) {
    double* const sums = result + i * b.columns;
    std::fill(sums, sums + b.columns, 0.0);
    for (std::size_t k = 0; k < a.columns; ++k) {
      const double factor = left[i * a.columns + k];
      const double* const row = right + k * b.columns;
      for (std::size_t j = 0; j < b.columns; ++j) sums[j] += factor * row[j];
    }
  }
}

/// A vector is a row on the left and a column on the right.
Array matrix_product(const Array& left, const Array& right) {
  if (left.shape.empty() || right.shape.empty()) refuse_shapes("product", left.shape, right.shape);
  const bool left_vector = left.shape.size() == 1;
  const bool right_vector = right.shape.size() == 1;
  const Matrices a = left_vector ? Matrices{{}, 1, left.shape[0]} : matrices(left.shape);
  const Matrices b = right_vector ? Matrices{{}, right.shape[0], 1} : matrices(right.shape);
  if (a.columns != b.rows) refuse_shapes("product", left.shape, right.shape);

  const Shape batch = broadcast("product", a.batch, b.batch);
  Array result;
  result.shape = batch;
  if (!left_vector) result.shape.push_back(a.rows);
  if (!right_vector) result.shape.push_back(b.columns);
  const std::size_t cells = a.rows * b.columns;
  result.data.resize(size_of(batch) * cells);
  for (std::size_t i = 0; i < size_of(batch) && cells > 0; ++i) {
    multiply(left.data.data() + broadcast_source(i, batch, a.batch) * a.cells(), a,
             right.data.data() + broadcast_source(i, batch, b.batch) * b.cells(), b,
             result.data.data() + i * cells);
  }
  return result;
}

Array computed_product(const Operands& of) { return matrix_product(of.a, of.b); }

/// A Bᵀ; a vector on the right stays a column.
Array computed_product_with_transpose(const Operands& of) {
  if (of.b.shape.size() < 2) return computed_product(of);
  if (of.a.shape.empty() || of.a.shape.back() != of.b.shape.back())
    refuse_shapes("product_with_transpose", of.a.shape, of.b.shape);
  return matrix_product(of.a, transposed(of.b));
}

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
  for (std::size_t k = 0; k < rows; ++k) factor.values.push_back(array.data[flat_of(array, k, column)]);
  std::vector<Formula> parts{sym(scene.name(operand)), sym("[")};
  for (std::size_t axis = 2; axis < array.shape.size(); ++axis)
    parts.insert(parts.end(), {sym("0"), sym(",")});
  // ":," is one piece, so that it is spaced as NumPy's users write it
  parts.insert(parts.end(), {sym(":,"), sym(std::to_string(column)), sym("]")});
  factor.name = row(std::move(parts));
  return factor;
}

ExplanationLines explained_product(const Scene& scene) {
  const bool transposes = scene.stage.derivation.operation == Operation::product_with_transpose;
  const bool right_vector = scene.array(1).shape.size() == 1;
  const bool left_vector = scene.array(0).shape.size() == 1;
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    // Where the right side is a vector the result's last axis counts the rows of the left.
    const Factor left = row_factor(scene, 0, left_vector ? 0 : right_vector ? column : scene.row);
    const Factor right = right_vector || transposes ? row_factor(scene, 1, right_vector ? 0 : column)
                                                    : column_factor(scene, 1, column);
    const Written sum = written_products(left.values.data(), right.values.data(), left.values.size());
    return {{{"=", row({left.name, sym("·"), right.name})}, link(sum)}, sum.exact};
  });
}

std::string product_with_transpose_in_numpy(const Stage& stage, const std::vector<Stage>& trace) {
  const std::string& right = stage.derivation.operands[1];
  const Stage* operand = find_named(trace, right);
  const std::size_t rank = operand == nullptr ? 2 : operand->array.shape.size();
  const char* turned = rank < 2 ? "" : rank == 2 ? ".T" : ".swapaxes(-1, -2)";
  return fmt::format("{} @ {}{}", stage.derivation.operands[0], right, turned);
}

}  // namespace

const OperationKind product_kind(Operation::product, 2, computed_product, explained_product, "{0} @ {1}",
                                 "行列の積 {0} @ {1}", "the matrix product {0} @ {1}", "product");
const OperationKind product_with_transpose_kind(
    Operation::product_with_transpose, 2, computed_product_with_transpose, explained_product, "",
    "{0} と、{1} の転置との行列の積（{0} の行と {1} の行の内積）",
    "the matrix product of {0} and the transpose of {1} (rows of {0} times rows of {1})",
    "product with transpose", product_with_transpose_in_numpy);

}  // namespace attnlab
