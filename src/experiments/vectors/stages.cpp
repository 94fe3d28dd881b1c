// The trace of `vectors`, with and without one vector of another length, and what must hold of every run.
#include "experiments/vectors/vectors.hpp"

namespace attnlab {
namespace {

using namespace worked;

/// v₃ = 5 · (−0.309017, 0.951057) = (−1.54508, 4.75528); the others stay as they are.
std::vector<Chain> lengthened_lines(const VectorsRun& run, const Lengthened& one) {
  return lines(run.vectors.shape().front(), [&](std::size_t i) {
    const double length = i == one.change.index ? one.length : 1.0;
    return equation(indexed("v", i), {together({length, "·", numbers(&run.vectors(i, 0), 2)}),
                                      numbers(&one.vectors(i, 0), 2)});
  });
}

std::string lengthened_code(std::size_t count, const Lengthened& one) {
  return fmt::format("np.where(np.arange({})[:, np.newaxis] == {}, {} * vectors, vectors)", count,
                     one.change.index, python_repr(one.length));
}

/// 45.0, 0.0, 90.0
std::string numbers_code(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const double number : numbers) words.push_back(python_repr(number));
  return joined(words, ", ");
}

/// Scores, weights and output of the vectors under this name; `prefix` tells the lengthened ones.
void tell_attention(Tape& tape, const VectorsRun& run, const AttentionStages<double>& attention,
                    const std::string& prefix) {
  AttentionTold told;
  told.scores = scores_formula(run, formula::sym("Q"));
  told.weights = formula::call("softmax", told.scores.formula);
  told.output = formula::row({told.weights.formula, formula::sym("V")});
  told.prefix = prefix;
  tape.tell("queries", prefix + "vectors", prefix + "vectors", attention, scale_factor(run), told);
}

// --- What must hold of every run

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

void tell(VectorsRun& run) {
  Tape& tape = run.tape;
  tape.step("queries", Formula{}, run.asked.queries, {"queries", "coordinates"},
            derived::given(fmt::format("unit_vectors(np.array([{}]))", numbers_code(run.asked.degrees))));
  tell_attention(tape, run, run.asked.attention, "");
  if (!run.lengthened) return;
  const Lengthened& one = *run.lengthened;
  tape.step("long_vectors", together({one.length, "·", "v"}).formula, one.vectors, {"vectors", "coordinates"},
            derived::worked({"vectors"}, lengthened_lines(run, one),
                            lengthened_code(run.vectors.shape().front(), one)));
  tell_attention(tape, run, one.attention, "long_");
}

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
