// From tensors to the plain arrays and matrices that reports and figures carry.
#pragma once

#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/array.hpp"

namespace attnlab {

/// dtype follows T; `axes` has one name per dimension.
template <class T>
Array to_array(const Tensor<T>& tensor, std::vector<std::string> axes);

/// These numbers, in row-major order, as a tensor of that shape.
template <class Values>
Tensor<double> to_tensor(const Values& values, const std::vector<std::size_t>& shape) {
  Tensor<double> tensor = Tensor<double>::from_shape(shape);
  std::copy(values.begin(), values.end(), tensor.begin());
  return tensor;
}

/// These numbers as a tensor of one dimension.
template <class Values>
Tensor<double> to_tensor(const Values& values) {
  return to_tensor(values, {values.size()});
}

/// A two-dimensional tensor as a matrix; a one-dimensional one becomes a single row.
Matrix to_matrix(const Tensor<double>& tensor);

/// All values in row-major order, as curves, points and bars take them.
std::vector<double> values_of(const Tensor<double>& tensor);

/// The values of one row, along the last axis.
std::vector<double> values_of(const Tensor<double>& tensor, std::size_t row);

/// 0, 1, ..., count - 1, for an axis.
std::vector<double> counting(std::size_t count);

/// A term of a matrix equation, with its shape below: "(4, 8)".
MatrixTerm matrix_term(std::string id, Formula name, const Tensor<double>& values, ColourScale scale,
                       int decimals = no_numbers);

/// Of what a stage of that name is in attention, or nothing: "key.transposed" is the keys.
std::optional<Ink> ink_of_role(const std::string& id);

/// What stands between two of them, as formula::read() takes it: "×", "/ \\sqrt{d} =".
/// The same once more in a figure, under another id.
MatrixTerm again(MatrixTerm term);
OperatorTerm between(std::string_view symbol);

}  // namespace attnlab
