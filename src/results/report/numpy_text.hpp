// Prints numbers and arrays as NumPy does under np.set_printoptions(suppress=True).
#pragma once

#include "results/report/array.hpp"

namespace attnlab {

/// "[0.31564538 0.31564537]": 8 fractional digits, columns aligned, lines wrapped at 75 characters, more than
/// 1000 elements summarised with "...". NaN and infinities read nan, inf, -inf.
std::string numpy_text(const Array& array);

/// "(10,)", "(3, 2)", "()".
std::string shape_text(const std::vector<std::size_t>& shape);

/// A number as Python's repr() gives it: "5.184705528587072e+21", "0.1", "nan".
std::string python_repr(double value);

/// NumPy's dragon4_positional(value, precision=decimals, trim='.'): the shortest digits, rounded half to even
/// on the exact value when more than `decimals` would follow the point. "0.31564538", "3.", "-0.". Finite
/// only.
std::string positional_text(double value, DType dtype, int decimals);

/// The same in scientific notation: "1.e+08", "1.23456789e-05".
std::string scientific_text(double value, DType dtype, int decimals);

/// Exactly `decimals` digits of the exact value, as NumPy's min_digits gives them: "1.00000000e+08".
std::string full_scientific_text(double value, int decimals);

/// What str() of a NumPy scalar gives: "0.1", "3.0", "1e+16", "5.184705528587072e+21", "nan", "-inf".
std::string scalar_text(double value, DType dtype);

}  // namespace attnlab
