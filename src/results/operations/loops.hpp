// The loops of an operation over its operands' values.
#pragma once

#include "results/operations/shapes.hpp"

namespace attnlab {

template <class Function>
Array each(const Array& operand, Function function) {
  Array result{operand.shape, operand.axes, operand.data};
  for (double& value : result.data) value = function(value);
  return result;
}

template <class Function>
Array each_pair(const std::string& operation, const Array& left, const Array& right, Function function) {
  Array result;
  result.shape = broadcast(operation, left.shape, right.shape);
  if (result.shape == left.shape) {
    result.axes = left.axes;
  } else if (result.shape == right.shape) {
    result.axes = right.axes;
  }
  result.data.resize(size_of(result.shape));
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = function(left.data[broadcast_source(i, result.shape, left.shape)],
                              right.data[broadcast_source(i, result.shape, right.shape)]);
  }
  return result;
}

inline std::size_t last_axis(const std::string& operation, const Array& operand) {
  if (operand.shape.empty()) throw ShapeMismatch(operation + " needs at least one axis, got shape ()");
  return operand.shape.back();
}

template <class Function>
Array each_row(const std::string& operation, const Array& operand, Function function) {
  const std::size_t length = last_axis(operation, operand);
  Array result{operand.shape, operand.axes, operand.data};
  for (std::size_t start = 0; start < result.data.size(); start += length) {
    function(result.data.data() + start, length);
  }
  return result;
}

}  // namespace attnlab
