// The trace of `vectors`, and what must hold of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/vectors/vectors.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sup;
using formula::sym;
using worked::exactly;
using worked::number;
using worked::together;

double factor_of(const VectorsRun& run) {
  return run.scale.value_or(1.0 / std::sqrt(2.0));  // d = 2
}

/// v₃ = 5 · (−0.309017, 0.951057) = (−1.54508, 4.75528); the others stay as they are.
std::vector<Chain> lengthened_lines(const VectorsRun& run, const Lengthened& one) {
  std::vector<Chain> lines;
  const std::size_t count = run.vectors.shape().front();
  for (std::size_t i = 0; i < std::min(count, worked::most_lines); ++i) {
    const bool longer = i == one.change.index;
    const Written before = worked::numbers(&run.vectors(i, 0), 2);
    const Written product = together({number(longer ? one.length : 1.0), exactly("·"), before});
    lines.push_back(
        worked::equation(worked::indexed("v", i), {product, worked::numbers(&one.vectors(i, 0), 2)}));
  }
  return lines;
}

/// Scores, weights and output of the vectors under this name; `prefix` tells the lengthened ones.
void add_attention(std::vector<Stage>& stages, const VectorsRun& run,
                   const AttentionStages<double>& attention, const std::string& prefix) {
  const std::vector<std::string> pairs{"queries", "keys"};
  const std::string vectors = prefix + "vectors";
  const Formula scores = scores_formula(run, sym("Q"));
  const Formula weights = call("softmax", scores);
  stages.push_back({prefix + "raw_scores", row({sym("Q"), sup(sym("K"), sym("T"))}),
                    to_array(attention.raw_scores, pairs),
                    derived::product_with_transpose("queries", vectors)});
  stages.push_back({prefix + "scores", scores, to_array(attention.scores, pairs),
                    derived::scaled(prefix + "raw_scores", factor_of(run))});
  stages.push_back(
      {prefix + "weights", weights, to_array(attention.weights, pairs), derived::softmax(prefix + "scores")});
  stages.push_back({prefix + "output", row({weights, sym("V")}),
                    to_array(attention.output, {"queries", "coordinates"}),
                    derived::product(prefix + "weights", vectors)});
}

/// How far an output lies beyond the longest vector: a weighted mean of vectors is no longer than any.
double beyond_longest(const Tensor<double>& vectors, const Tensor<double>& output) {
  double longest = 0.0;
  for (std::size_t i = 0; i < vectors.shape()[0]; ++i) {
    longest = std::max(longest, std::hypot(vectors(i, 0), vectors(i, 1)));
  }
  double most = 0.0;
  for (std::size_t i = 0; i < output.shape()[0]; ++i) {
    most = worst(most, std::hypot(output(i, 0), output(i, 1)) - longest);
  }
  return most;
}

/// How far a weight falls where the vector is nearer to the query: for unit vectors, cos of the angle.
double nearness_disorder(const VectorsRun& run) {
  const Tensor<double>& weights = run.asked.attention.weights;
  std::vector<std::pair<double, double>> by_angle;
  for (std::size_t j = 0; j < weights.shape()[1]; ++j) {
    const double between = run.asked.degrees.front() - degrees_of(run, j);
    by_angle.emplace_back(std::abs(std::remainder(between, 360.0)), weights(0, j));
  }
  std::sort(by_angle.begin(), by_angle.end());
  double most = 0.0;
  for (std::size_t i = 1; i < by_angle.size(); ++i) {
    most = worst(most, by_angle[i].second - by_angle[i - 1].second);
  }
  return most;
}

}  // namespace

std::vector<Stage> vectors_stages(const VectorsRun& run) {
  const std::vector<std::string> points{"vectors", "coordinates"};
  std::vector<Stage> stages{{"vectors", row({}), to_array(run.vectors, points)},
                            {"queries", row({}), to_array(run.asked.queries, {"queries", "coordinates"})}};
  add_attention(stages, run, run.asked.attention, "");
  if (run.lengthened) {
    const Lengthened& one = *run.lengthened;
    stages.push_back({"long_vectors", row({number(one.length).formula, sym("·"), sym("v")}),
                      to_array(one.vectors, points),
                      derived::worked({"vectors"}, lengthened_lines(run, one))});
    add_attention(stages, run, one.attention, "long_");
  }
  return stages;
}

std::vector<Invariant> vectors_invariants(const VectorsRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto count = static_cast<double>(run.vectors.shape().front());
  const double rounding = epsilon * (count + 2.0);  // each weight and each addition is rounded once
  // A score is off by a few roundings of its size, and exp makes that a relative error of the weight.
  const double score_rounding = epsilon * (16.0 + 16.0 * factor_of(run));
  std::vector<Invariant> invariants{
      {"weights_sum_to_one",
       {"注意度の各行の和は 1", "every row of the weights sums to 1"},
       row_sum_error(run.asked.attention.weights),
       rounding},
      {"output_within_circle",
       {"出力は単位円の中", "the output lies within the unit circle"},
       std::max(0.0, beyond_longest(run.vectors, run.asked.attention.output)),
       rounding},
      {"nearer_keys_weigh_more",
       {"クエリとの角度が小さいキーほど注意度が大きい",
        "the smaller the angle to the query, the larger the weight"},
       nearness_disorder(run),
       score_rounding},
  };
  if (run.lengthened) {
    const Lengthened& one = *run.lengthened;
    const double size = std::max(1.0, one.length);
    invariants.push_back({"long_weights_sum_to_one",
                          {"1 つだけ長さを変えても注意度の各行の和は 1",
                           "with one vector of another length every row still sums to 1"},
                          row_sum_error(one.attention.weights),
                          rounding});
    invariants.push_back(
        {"long_output_no_longer_than_vectors",
         {"出力は最も長いベクトルより長くならない", "the output is no longer than the longest vector"},
         std::max(0.0, beyond_longest(one.vectors, one.attention.output)),
         rounding * size});
  }
  return invariants;
}

}  // namespace attnlab
