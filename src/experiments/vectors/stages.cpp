// The trace of `vectors`, with and without one vector of another length.
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"
#include "experiments/vectors/vectors.hpp"

namespace attnlab {
namespace {

using namespace worked;

/// v₃ = 5 · (−0.309017, 0.951057) = (−1.54508, 4.75528); the others stay as they are.
std::vector<Chain> lengthened_lines(const VectorsRun& run, const Lengthened& one) {
  return lines(run.vectors.shape().front(), [&](std::size_t i) {
    const double length = i == one.change.index ? one.length : 1.0;
    return equation(indexed("v", i),
                    {together({number(length), exactly("·"), numbers(&run.vectors(i, 0), 2)}),
                     numbers(&one.vectors(i, 0), 2)});
  });
}

/// Scores, weights and output of the vectors under this name; `prefix` tells the lengthened ones.
void add_attention(std::vector<Stage>& stages, const VectorsRun& run,
                   const AttentionStages<double>& attention, const std::string& prefix) {
  const std::vector<std::string> pairs{"queries", "keys"};
  const std::string vectors = prefix + "vectors";
  const Formula scores = scores_formula(run, formula::sym("Q"));
  const Formula weights = formula::call("softmax", scores);
  stages.push_back({prefix + "raw_scores", formula::read("Q K^T"), to_array(attention.raw_scores, pairs),
                    derived::product_with_transpose("queries", vectors)});
  stages.push_back({prefix + "scores", scores, to_array(attention.scores, pairs),
                    derived::scaled(prefix + "raw_scores", scale_factor(run))});
  stages.push_back(
      {prefix + "weights", weights, to_array(attention.weights, pairs), derived::softmax(prefix + "scores")});
  stages.push_back({prefix + "output", formula::row({weights, formula::sym("V")}),
                    to_array(attention.output, {"queries", "coordinates"}),
                    derived::product(prefix + "weights", vectors)});
}

}  // namespace

std::vector<Stage> vectors_stages(const VectorsRun& run) {
  const std::vector<std::string> points{"vectors", "coordinates"};
  std::vector<Stage> stages{input("vectors", to_array(run.vectors, points)),
                            input("queries", to_array(run.asked.queries, {"queries", "coordinates"}))};
  add_attention(stages, run, run.asked.attention, "");
  if (run.lengthened) {
    const Lengthened& one = *run.lengthened;
    stages.push_back({"long_vectors", together({number(one.length), exactly("·"), exactly("v")}).formula,
                      to_array(one.vectors, points),
                      derived::worked({"vectors"}, lengthened_lines(run, one))});
    add_attention(stages, run, one.attention, "long_");
  }
  return stages;
}

}  // namespace attnlab
