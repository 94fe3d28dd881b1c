// What is measured on a run of `additive`, and what must hold of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "core/agreement.hpp"
#include "experiments/additive/additive.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {

std::size_t parameter_count(const AdditiveRun& run) {
  return run.network.hidden.size() + run.network.score.size();
}

double difference_of_rows(const Tensor<double>& weights) {
  double largest = 0.0;
  for (std::size_t i = 1; i < weights.shape()[0]; ++i) {
    for (std::size_t j = 0; j < weights.shape()[1]; ++j) {
      largest = std::max(largest, difference(weights(i, j), weights(0, j)));
    }
  }
  return largest;
}

std::vector<Scalar> additive_scalars(const AdditiveRun& run) {
  const auto largest = [](const Tensor<double>& weights) {
    return *std::max_element(weights.begin(), weights.end());
  };
  std::vector<Scalar> all{{"additive_parameters", static_cast<double>(parameter_count(run))},
                          {"dot_parameters", 0.0},
                          {"largest_weight", largest(run.attention.weights)},
                          {"query_difference", difference_of_rows(run.attention.weights)},
                          {"linear_query_difference", run.linear.largest_difference}};
  if (run.dot) {
    all.push_back({"largest_dot_weight", largest(run.dot->plain.weights)});
    all.push_back({"largest_scaled_dot_weight", largest(run.dot->scaled.weights)});
  }
  return all;
}

std::vector<Invariant> additive_invariants(const AdditiveRun& run) {
  constexpr double rounding = 1e-12;  // tol64 of the page: scores and units stay below a few dozen
  const Tensor<double> joined =
      matmul(run.pairs, Tensor<double>(xt::view(run.linear.vector, xt::all(), xt::newaxis())));
  Tensor<double> tanh_of_pairs = run.hidden_input;
  for (double& unit : tanh_of_pairs) unit = std::tanh(unit);
  return {
      {"weights_sum_to_one",
       {"加法アテンションの注意度の各行の和は 1", "every row of the additive weights sums to 1"},
       row_sum_error(run.attention.weights),
       rounding},
      {"concatenation_splits",
       {"[q; k] W は、q に掛かる行と k に掛かる行の積の和に等しい",
        "[q; k] W equals the query's rows of W times q plus the key's rows times k"},
       largest_difference(tanh_of_pairs, run.attention.hidden),
       rounding},
      {"linear_score_splits",
       {"tanh がなければスコアは u·q + w·k", "without tanh the score is u·q + w·k"},
       largest_difference(joined, run.linear.scores),
       rounding * std::sqrt(static_cast<double>(run.d_q + run.d_k))},  // size of a sum of that many terms
      {"linear_rows_equal",
       {"隠れ層がなければ注意度はどのクエリでも同じ",
        "without the hidden layer every query has the same weights"},
       run.linear.largest_difference,
       rounding},
      {"dot_product_needs_equal_widths",
       {"d_q ≠ d_k では内積アテンションはエラーになる",
        "the dot product raises an error when d_q and d_k differ"},
       run.refusal ? 0.0 : 1.0,
       0.0},
  };
}

}  // namespace attnlab
