// Document E: layer normalisation and the MLP.
#include <fmt/format.h>

#include <cmath>

#include "attention/feed_forward.hpp"
#include "claims/claim.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {

using namespace measure;

namespace {

Finding layer_norm_divisor(const Mathematics& mathematics) {
  const Tensor<double> y{1.0, 2.0, 3.0, 4.0};
  LayerNorm<double> as_printed;
  as_printed.divisor = NormDivisor::standard_deviation;
  const double printed = std::pow(standard_deviation(mathematics.layer_norm(as_printed, y)), 2);
  const double defined = std::pow(standard_deviation(mathematics.layer_norm({}, y)), 2);
  const bool normalises = std::abs(printed - 1.0) < 1e-3;
  return {normalises ? Verdict::holds : Verdict::fails,
          {fmt::format("1, 2, 3, 4 を √(σ + δ) で割ると、分散は {:.3f}。√(σ² + δ) なら {:.3f} です。",
                       printed, defined),
           fmt::format("Dividing 1, 2, 3, 4 by √(σ + δ) leaves variance {:.3f}; by √(σ² + δ) {:.3f}.",
                       printed, defined)},
          {"分母は √(σ_n² + δ) です。", "The divisor is √(σ_n² + δ)."},
          {{"variance_as_printed", printed}, {"variance_as_defined", defined}}};
}

Finding same_mlp_for_rows(const Mathematics&) {
  NumpyRandom random(0);
  FeedForward<double> mlp;
  mlp.first.weight = random.randn({8, 4});
  mlp.second.weight = random.randn({4, 8});
  const Tensor<double> tokens = random.randn({3, 4});
  const Tensor<double> together = feed_forward(mlp, tokens).output;
  double largest = 0.0;
  for (std::size_t row = 0; row < 3; ++row) {
    const Tensor<double> alone = feed_forward(mlp, with_rows(tokens, {row})).output;
    largest = std::max(largest, largest_difference(alone, with_rows(together, {row})));
  }
  return {largest < 1e-12 ? Verdict::holds : Verdict::fails,
          {fmt::format("3 行を一度に入れても 1 行ずつ入れても、出力の差は {:.1g} です。", largest),
           fmt::format("Three rows at once or one by one: the outputs differ by {:.1g}.", largest)},
          nothing,
          {{"largest_difference", largest}}};
}

}  // namespace

std::vector<Claim> slides_layer_claims() {
  return {
      {"E-layer-norm",
       Document::slides,
       {"レイヤ正規化", "layer normalisation"},
       {"(y_ni - μ_n) / √(σ_n + δ)", "(y_ni - μ_n) / √(σ_n + δ)"},
       layer_norm_divisor},
      {"E-mlp-rows",
       Document::slides,
       {"MLP", "MLP"},
       {"同じ MLP を Z の各行に適用する", "the same MLP is applied to every row of Z"},
       same_mlp_for_rows},
  };
}

}  // namespace attnlab
