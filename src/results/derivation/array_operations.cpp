// Loops over flat places; the shapes say what stands where.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "results/derivation/array_operations.hpp"
#include "results/report/numpy_text.hpp"

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

using Shape = std::vector<std::size_t>;

void refuse_shapes(const std::string& operation, const Shape& left, const Shape& right) {
  throw ShapeMismatch(operation + " does not take shapes " + shape_text(left) + " and " + shape_text(right));
}

std::size_t size_of(const Shape& shape) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  return size;
}

Shape broadcast(const std::string& operation, const Shape& left, const Shape& right) {
  const std::size_t rank = std::max(left.size(), right.size());
  Shape result(rank);
  for (std::size_t back = 1; back <= rank; ++back) {
    const std::size_t a = back <= left.size() ? left[left.size() - back] : 1;
    const std::size_t b = back <= right.size() ? right[right.size() - back] : 1;
    if (a != b && a != 1 && b != 1) refuse_shapes(operation, left, right);
    result[rank - back] = a == 1 ? b : a;
  }
  return result;
}

std::size_t broadcast_source(std::size_t flat, const Shape& whole, const Shape& shape) {
  std::size_t source = 0;
  std::size_t stride = 1;
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const std::size_t index = flat % whole[whole.size() - back];
    flat /= whole[whole.size() - back];
    const std::size_t length = shape[shape.size() - back];
    source += (length == 1 ? 0 : index) * stride;
    stride *= length;
  }
  return source;
}

Array swapped(const Array& array, std::size_t from_back) {
  const std::size_t rank = array.shape.size();
  if (rank < from_back) throw ShapeMismatch("no axes to swap");
  const std::size_t rows = array.shape[rank - from_back];
  const std::size_t columns = array.shape[rank - 1];
  std::size_t between = 1;
  for (std::size_t axis = rank - from_back + 1; axis + 1 < rank; ++axis) between *= array.shape[axis];
  Array result = array;
  std::swap(result.shape[rank - from_back], result.shape[rank - 1]);
  if (array.axes.size() == rank) std::swap(result.axes[rank - from_back], result.axes[rank - 1]);
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    const std::size_t column = i % columns;
    const std::size_t middle = i / columns % between;
    const std::size_t row = i / columns / between % rows;
    const std::size_t block = i / columns / between / rows;
    result.data[((block * columns + column) * between + middle) * rows + row] = array.data[i];
  }
  return result;
}

Array transposed(const Array& array) {
  return swapped(array, 2);
}

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
