// The pooling experiment in parts: what it computes, what it says, and what it draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor.hpp"
#include "experiments/pooling_words.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// One way to make queries, keys and values from the same tokens.
struct Scheme {
  Tensor<double> query;           // (n, d)
  Tensor<double> key;             // (n, d)
  Tensor<double> value;           // (n, d)
  Tensor<double> scores;          // (n, n)  query keyᵀ, not scaled
  Tensor<double> weights;         // (n, n)
  Tensor<double> output;          // (n, d)
  double score_asymmetry = 0.0;   // max |S - Sᵀ|
  double weight_asymmetry = 0.0;  // max |A - Aᵀ|
};

/// n tokens of width d.
struct PoolingRun {
  Tensor<double> x;        // (n, d)
  Tensor<double> u;        // (d, d)
  Tensor<double> w_query;  // (d, d)
  Tensor<double> w_key;    // (d, d)
  Tensor<double> w_value;  // (d, d)
  Scheme first;            // SM(X Xᵀ) X
  Scheme second;           // SM(X U Uᵀ Xᵀ) X U
  Scheme qkv;              // SM(Q Kᵀ) V
  SentenceReadings sentences;
  std::vector<std::string> labels;
  bool labels_are_words = false;
  std::uint32_t seed = 0;
};

Scheme attend(Tensor<double> query, Tensor<double> key, Tensor<double> value);

/// Attention with this run's weight matrices on other tokens: SM(Q Kᵀ) V.
Scheme attend_with_weights_of(const PoolingRun& run, const Tensor<double>& x);

/// How far the rows of `output` reach beyond the rows of `value`, over the directions of the axes and from
/// the mean of the values to each output: 0 or less inside the convex hull, up to rounding.
double reach_beyond_hull(const Tensor<double>& output, const Tensor<double>& value);

/// max |f(2X) - 2 f(X)| of attention with this run's matrices: 0 if it were linear in X.
double nonlinearity(const PoolingRun& run);

std::vector<Invariant> pooling_invariants(const PoolingRun& run);

/// schemes, weights, bank, animal, brush.
std::vector<Figure> pooling_figures(const PoolingRun& run);

std::vector<Block> pooling_body(const PoolingRun& run);

}  // namespace attnlab
