// Shapes as plain values: how they are printed, and how two of them broadcast.
#include "attention/shape.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace attnlab {

std::string printed(const Shape& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::size_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Shape batch_of(const Shape& shape) {
  return {shape.begin(), shape.end() - 2};
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() < b.size() ? b : a;
  const Shape& shorter = a.size() < b.size() ? a : b;
  Shape result = longer;
  const std::size_t missing = longer.size() - shorter.size();
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::size_t& size = result[missing + axis];
    if (size == 1) {
      size = shorter[axis];
    } else if (shorter[axis] != 1 && shorter[axis] != size) {
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace attnlab
