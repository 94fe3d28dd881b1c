// What must hold of every run of `vectors`.
#include "experiments/vectors/vectors.hpp"

namespace attnlab {
namespace {

/// How far an output lies beyond the longest vector: a weighted mean of vectors is no longer than any.
double beyond_longest(const Tensor<double>& vectors, const Tensor<double>& output) {
  const auto length = [](const Tensor<double>& points, std::size_t i) {
    return std::hypot(points(i, 0), points(i, 1));
  };
  const double longest = worst_of(vectors.shape()[0], [&](std::size_t i) { return length(vectors, i); });
  return worst_of(output.shape()[0], [&](std::size_t i) { return length(output, i) - longest; });
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
  return worst_of(by_angle.size() - 1,
                  [&](std::size_t i) { return by_angle[i + 1].second - by_angle[i].second; });
}

}  // namespace

std::vector<Invariant> invariants(const VectorsRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto count = static_cast<double>(run.vectors.shape().front());
  const double rounding = epsilon * (count + 2.0);  // each weight and each addition is rounded once
  // A score is off by a few roundings of its size, and exp makes that a relative error of the weight.
  const double length_error = run.tape.any_read() ? 2.0 * longest_error_of_own : 0.0;
  const double score_rounding =
      epsilon * (16.0 + 16.0 * scale_factor(run)) + length_error * scale_factor(run);
  const AttentionStages<double>& attention = run.asked.attention;
  std::vector<Invariant> result{
      invariant("weights_sum_to_one", row_sum_error(attention.weights), rounding, "注意度の各行の和は 1",
                "every row of the weights sums to 1"),
      invariant("output_within_circle", beyond_longest(run.vectors, attention.output), rounding,
                "出力は単位円の中", "the output lies within the unit circle"),
      invariant("nearer_keys_weigh_more", nearness_disorder(run), score_rounding,
                "クエリとの角度が小さいキーほど注意度が大きい",
                "the smaller the angle to the query, the larger the weight"),
  };
  if (run.lengthened) {
    const Lengthened& one = *run.lengthened;
    result.push_back(invariant("long_weights_sum_to_one", row_sum_error(one.attention.weights), rounding,
                               "1 つだけ長さを変えても注意度の各行の和は 1",
                               "with one vector of another length every row still sums to 1"));
    result.push_back(invariant("long_output_no_longer_than_vectors",
                               beyond_longest(one.vectors, one.attention.output),
                               rounding * std::max(1.0, one.length), "出力は最も長いベクトルより長くならない",
                               "the output is no longer than the longest vector"));
  }
  return result;
}

}  // namespace attnlab
