// One number in decimal, with the shortest digits that name it in its type: NumPy's and Python's choice.
#pragma once

#include <string>

#include "results/report/array.hpp"

namespace attnlab {

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
