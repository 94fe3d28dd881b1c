#include "results/operations/shapes.hpp"

namespace attnlab {
namespace {

using Shape = std::vector<std::size_t>;

}  // namespace

[[noreturn]] void refuse_shapes(const std::string& operation, const Shape& left, const Shape& right) {
  throw ShapeMismatch(operation + " does not take shapes " + shape_text(left) + " and " + shape_text(right));
}

double maximum_of(const double* values, std::size_t count) {
  double largest = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    if (std::isnan(values[i]) || values[i] > largest) largest = values[i];
    if (std::isnan(largest)) return largest;
  }
  return largest;
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

Shape index_at(std::size_t flat, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) index[axis] = flat % shape[axis];
  return index;
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

Array transposed(const Array& array) { return swapped(array, 2); }

}  // namespace attnlab
