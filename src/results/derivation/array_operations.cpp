#include "results/matrix_product.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "results/derivation/array_operations.hpp"
#include "results/swapped_axes.hpp"

namespace attnlab {
namespace {

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

}  // namespace

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

Array matrix_product_with_transpose(const Array& left, const Array& right) {
  if (right.shape.size() < 2) return matrix_product(left, right);
  if (left.shape.empty() || left.shape.back() != right.shape.back()) {
    refuse_shapes("product_with_transpose", left.shape, right.shape);
  }
  return matrix_product(left, transposed(right));
}

}  // namespace attnlab
