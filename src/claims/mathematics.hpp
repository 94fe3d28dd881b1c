// What the claims are tested with: attnlab's own functions, behind one seam so that a test can break one of
// them and see verdicts change.
#pragma once

#include <cstddef>
#include <vector>

#include "attention/layer_norm.hpp"
#include "core/error.hpp"
#include "core/tensor.hpp"

namespace attnlab {

struct Mathematics {
  Tensor<double> (*softmax)(const Tensor<double>& scores);
  Tensor<double> (*softmax_global_maximum)(const Tensor<double>& scores);
  Tensor<double> (*layer_norm)(const LayerNorm<double>& norm, const Tensor<double>& x);
  Tensor<double> (*sinusoidal_encoding)(std::size_t positions, std::size_t width, double base);
};

/// attnlab's functions.
Mathematics own_mathematics();

// --- Measurements that several claims share

/// softmax(q kᵀ · scale) with that softmax: (..., queries, keys).
Tensor<double> weights_of(const Mathematics& mathematics, const Tensor<double>& query,
                          const Tensor<double>& key, double scale);

double largest_value(const Tensor<double>& values);
double smallest_value(const Tensor<double>& values);

/// max |m - mᵀ| of a square matrix.
double asymmetry(const Tensor<double>& matrix);

/// The rows of a matrix in another order.
Tensor<double> with_rows(const Tensor<double>& matrix, const std::vector<std::size_t>& order);

/// What attention over six tokens gives, against the same tokens in another order.
struct OrderDifference {
  double row_by_row = 0.0;  // between the rows as they stand
  double reordered = 0.0;   // with the first outputs put into the other order
};
OrderDifference order_difference(const Mathematics& mathematics);

/// Whether a computation raises an error about shapes.
template <class Computation>
bool refuses(Computation computation) {
  try {
    computation();
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace attnlab
