// What holds of attention pooling: a weighted mean stays inside the hull of the values and within their rank.
#include <algorithm>
#include <cmath>
#include <limits>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/pooling/pooling.hpp"

namespace attnlab {
namespace {

constexpr double rounding = 1e-12;  // tol64 of the page, relative to the largest number of a stage

/// How far the rows of `output` reach beyond all rows of `value` in this direction (d, 1).
double reach(const Tensor<double>& output, const Tensor<double>& value, const Tensor<double>& direction) {
  return largest(matmul(output, direction)) - largest(matmul(value, direction));
}

/// The smallest weight below 0, or how far a row's sum is from 1.
double error_of_weights(const Tensor<double>& weights) {
  return std::max(row_sum_error(weights), -*std::min_element(weights.begin(), weights.end()));
}

/// |A (V + 2 X) - (A V + 2 A X)|: linear in the values while the weights stay as they are.
double error_of_linearity(const PoolingRun& run) {
  const Tensor<double> mixed = run.qkv.value + 2.0 * run.x;
  const Tensor<double> together = matmul(run.qkv.weights, mixed);
  const Tensor<double> apart = run.qkv.output + 2.0 * matmul(run.qkv.weights, run.x);
  return largest_difference(together, apart);
}

double excess_rank(const Tensor<double>& weights, const Tensor<double>& value) {
  const auto output = static_cast<double>(rank_of(matmul(weights, value)));
  return std::max(0.0, output - static_cast<double>(rank_of(value)));
}

/// The values with W_V cut to the first half of its rows, at least one: their rank is at most that number.
Tensor<double> values_of_half_rank(const PoolingRun& run) {
  Tensor<double> cut = run.w_value;
  const std::size_t kept = std::max<std::size_t>(1, cut.shape()[0] / 2);
  xt::view(cut, xt::range(kept, cut.shape()[0]), xt::all()) = 0.0;
  return matmul(run.x, cut);
}

/// a_animal / a_street of "it" in one layer: log ratio in "tired" minus in "wide".
double change_of_ratio(const Reading& tired, const Reading& wide) {
  const auto log_ratio = [](const Reading& reading) {
    return std::log(weight_on(reading, "animal") / weight_on(reading, "street"));
  };
  return std::abs(log_ratio(tired) - log_ratio(wide));
}

}  // namespace

double reach_beyond_hull(const Tensor<double>& output, const Tensor<double>& value) {
  const std::size_t width = value.shape()[1];
  const Tensor<double> mean = xt::mean(value, {0});
  double furthest = -std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < width; ++d) {
    Tensor<double> direction({width, 1}, 0.0);
    for (const double sign : {1.0, -1.0}) {
      direction(d, 0) = sign;
      furthest = std::max(furthest, reach(output, value, direction));
    }
  }
  for (std::size_t i = 0; i < output.shape()[0]; ++i) {
    Tensor<double> direction({width, 1}, 0.0);
    double length = 0.0;
    for (std::size_t d = 0; d < width; ++d) {
      direction(d, 0) = output(i, d) - mean(d);
      length = std::hypot(length, direction(d, 0));
    }
    if (length == 0.0) continue;
    direction /= length;
    furthest = std::max(furthest, reach(output, value, direction));
  }
  return furthest;
}

std::vector<Invariant> pooling_invariants(const PoolingRun& run) {
  const auto scale = [](const Tensor<double>& values) { return std::max(1.0, largest_magnitude(values)); };
  double weights = 0.0;
  double beyond = -std::numeric_limits<double>::infinity();
  for (const Scheme* scheme : run.schemes()) {
    weights = std::max(weights, error_of_weights(scheme->weights));
    beyond = std::max(beyond, reach_beyond_hull(scheme->output, scheme->value) / scale(scheme->value));
  }
  const SentenceReadings& sentences = run.sentences;
  return {
      invariant("weights_sum_to_one", weights, rounding, "どの方式でも注意度は 0 以上で、各行の和は 1",
                "in every scheme weights are at least 0 and each row sums to 1"),
      invariant("scores_1_symmetric", run.first.score_asymmetry, rounding * scale(run.first.scores),
                "XXᵀ は対称", "X Xᵀ is symmetric"),
      invariant("scores_2_symmetric", run.second.score_asymmetry, rounding * scale(run.second.scores),
                "XUUᵀXᵀ は対称", "X U Uᵀ Xᵀ is symmetric"),
      invariant("output_inside_hull", std::max(0.0, beyond), rounding,
                "調べたどの方向にも、出力はバリューの凸包から出ない",
                "in no direction tried does an output leave the convex hull of the values"),
      invariant("rank_of_output", excess_rank(run.qkv.weights, run.qkv.value), 0.0,
                "出力の階数はバリューの階数以下", "the rank of the output is at most that of the values"),
      invariant("rank_of_output_half", excess_rank(run.qkv.weights, values_of_half_rank(run)), 0.0,
                "バリューの階数を半分にすると、出力の階数もそれ以下",
                "the same with values of half the rank"),
      invariant("linear_in_values", error_of_linearity(run),
                rounding * (scale(run.qkv.value) + 2.0 * scale(run.x)),
                "注意度を固定すれば、出力はバリューについて線形",
                "with the weights fixed the output is linear in the values"),
      invariant("one_vector_without_attention",
                largest_difference(sentences.river.query, sentences.money.query), 0.0,
                "注意がなければ bank のベクトルはどちらの文でも同じ",
                "without attention bank has the same vector in both sentences"),
      invariant("one_layer_keeps_the_ratio", change_of_ratio(sentences.tired, sentences.wide), rounding,
                "1 層では、it の animal と street への注意度の比は 2 つの文で同じ",
                "in one layer the ratio of it's weights on animal and street is the same in both sentences"),
  };
}

}  // namespace attnlab
