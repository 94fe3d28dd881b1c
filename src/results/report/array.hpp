// An array as results carry it: plain values with axis names, free of xtensor.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// The type in which an array was computed. Its values are kept as double, which holds a float exactly.
enum class DType { float32, float64 };

/// Row-major values; `axes` names one meaning per entry of `shape` ("queries", "keys", ...).
struct Array {
  std::vector<std::size_t> shape;
  std::vector<std::string> axes;
  std::vector<double> data;
  DType dtype = DType::float64;
};

// --- Numbers and arrays as NumPy prints them under np.set_printoptions(suppress=True), differences as people
// do (numpy_text.cpp)

/// "[0.31564538 0.31564537]": 8 fractional digits, columns aligned, lines wrapped at 75 characters, more than
/// 1000 elements summarised with "...". NaN and infinities read nan, inf, -inf.
std::string numpy_text(const Array& array);

/// "(10,)", "(3, 2)", "()".
std::string shape_text(const std::vector<std::size_t>& shape);

/// A number as Python's repr() gives it: "5.184705528587072e+21", "0.1", "nan".
std::string python_repr(double value);

/// Differences of doubles near 1 up to this one are rounding: 450 machine epsilons, what sums of a few
/// hundred terms in another order come to. Which order, the kernel of BLAS decides that suits the processor.
constexpr double most_rounding = 1e-13;

/// "< 1e-13" for what may be rounding alone, 0 included; else two digits, "3.5e-07", "nan", "inf".
std::string difference_text(double difference);

}  // namespace attnlab
