#include "results/derivation/array_operations.hpp"

#include <algorithm>

#include "results/report/numpy_text.hpp"

namespace attnlab {

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

}  // namespace attnlab
