// The rows of the table of expected values, one function per experiment.
//
// No number here comes from attnlab. Numbers that a document prints are compared as printed; all others were
// computed from the documents' code with NumPy 1.24 or PyTorch 1.13 (data/reference/).
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "experiments/framework/expected_values.hpp"

namespace attnlab::expected {

using Rows = std::vector<ExpectedValue>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// For numbers computed in float64 from a document's code.
constexpr double exact = 1e-13;

/// "As printed": equal to a number with that many decimals once rounded to them.
inline double printed(int decimals) {
  return 0.5 * std::pow(10.0, -decimals) * (1.0 + 1e-9);
}

Rows softmax_rows();
Rows dot_product_rows();
Rows vectors_rows();
Rows scaling_rows();
Rows variance_rows();
Rows additive_rows();
Rows lookup_rows();
Rows pooling_rows();
Rows filters_rows();
Rows cost_rows();
Rows self_attention_rows();
Rows heads_rows();
Rows masks_rows();
Rows permutation_rows();
Rows positional_rows();
Rows encoder_rows();
Rows decoder_rows();
Rows mistakes_rows();

}  // namespace attnlab::expected
