// Mistakes around softmax: its axis, the scale before it, the dropout behind it.
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {

namespace {

using namespace worked;

// --- Softmax along the wrong axis: the columns sum to 1 instead of the rows

/// One line per row, for its first column: exp(S_i0) / Σᵢ exp(S_i0), a sum down the column.
std::vector<Chain> column_lines(const Tensor<double>& scores, const Tensor<double>& weights) {
  const std::size_t rows = scores.shape()[0];
  const auto exponential = [&](std::size_t i) { return call("exp", scores(i, 0)); };
  return lines(rows, [&](std::size_t i) {
    return equation(entry("A", {i, 0}), {quotient(exponential(i), sum(rows, exponential)), weights(i, 0)});
  });
}

MistakeRun wrong_axis(Inputs& inputs) {
  const Tensor<double> query = inputs.normal("query", {6, 8});
  const Tensor<double> key = inputs.normal("key", {6, 8});
  const AttentionStages<double> attention = scaled_dot_product_attention(query, key, key);
  MistakeRun run =
      compared(attention.weights, transpose(softmax(transpose(attention.scores))), row_sum_error);
  run.steps = steps::up_to_scores(query, key, attention);
  append(
      run.steps,
      {steps::softmax("right", "scores", run.right),
       step("wrong", "frac{exp(S_ij)}{Σ_i exp(S_ij)}", run.wrong, steps::pair_axes,
            derived::worked({"scores"}, column_lines(attention.scores, run.wrong), "softmax(scores.T).T"))});
  return run;
}

// --- The wrong scale: √d of the whole model instead of one head, or no scale at all

constexpr std::size_t scaled_tokens = 16;
constexpr std::size_t head_width = 16;
constexpr std::size_t scaled_heads = 4;

double deviation_error(const Tensor<double>& scores) {
  return std::abs(standard_deviation(scores) - 1.0);
}

/// Both sides of a mistake that multiplies by `scale` instead of 1/√d; `wrong_scores` is the stage of the
/// wrong softmax's scores.
MistakeRun compare_scales(Inputs& inputs, double scale, const std::string& wrong_scores) {
  const Tensor<double> query = inputs.normal("query", {scaled_tokens, head_width});
  const Tensor<double> key = inputs.normal("key", {scaled_tokens, head_width});
  const AttentionStages<double> right = scaled_dot_product_attention(query, key, key);
  const AttentionStages<double> wrong = scaled_dot_product_attention(query, key, key, {scale, {}});
  MistakeRun run{right.weights, wrong.weights, deviation_error(right.scores), deviation_error(wrong.scores),
                 steps::up_to_scores(query, key, right)};
  run.steps.push_back(steps::softmax("right", "scores", run.right));
  if (wrong_scores != "raw_scores") {
    run.steps.push_back(steps::scaled_scores(wrong_scores, "raw_scores", "model", scale, wrong.scores));
  }
  run.steps.push_back(steps::softmax("wrong", wrong_scores, run.wrong));
  return run;
}

MistakeRun wrong_sqrt(Inputs& inputs) {
  return compare_scales(inputs, 1.0 / std::sqrt(static_cast<double>(scaled_heads * head_width)),
                        "wrong_scores");
}

MistakeRun no_scaling(Inputs& inputs) {
  return compare_scales(inputs, 1.0, "raw_scores");
}

// --- Dropout left on while the weights are drawn: what is kept is enlarged, and rows no longer sum to 1

constexpr double drop = 0.1;
constexpr double normal_quantile =
    -1.2815515655446004;  // a standard normal lies below it with probability 0.1

/// chance[0] ≈ (0.3, −1.5, ⋯) → kept[0] ≈ (1.1111, 0, ⋯): nothing is kept below the normal's quantile.
std::vector<Chain> kept_lines(const Tensor<double>& chance, const Tensor<double>& kept) {
  const std::size_t keys = chance.shape()[1];
  return lines(chance.shape()[0], [&](std::size_t i) {
    Chain line = equation(entry("chance", {i}), {numbers(&chance(i, 0), keys)});
    const Written kept_numbers = numbers(&kept(i, 0), keys);
    line.links.push_back({"→", formula::row({entry("kept", {i}), formula::sym(relation(kept_numbers.exact)),
                                             kept_numbers.formula})});
    return line;
  });
}

/// A[0] ⊙ kept[0], row by row.
std::vector<Chain> dropped_lines(const Tensor<double>& weights, const Tensor<double>& kept,
                                 const Tensor<double>& dropped) {
  const std::size_t keys = weights.shape()[1];
  return lines(weights.shape()[0], [&](std::size_t i) {
    return equation(entry("wrong", {i}),
                    {together({entry("A", {i}), "⊙", entry("kept", {i})}),
                     together({numbers(&weights(i, 0), keys), "⊙", numbers(&kept(i, 0), keys)}),
                     numbers(&dropped(i, 0), keys)});
  });
}

MistakeRun dropout(Inputs& inputs) {
  const Tensor<double> query = inputs.normal("query", {6, 8});
  const Tensor<double> key = inputs.normal("key", {6, 8});
  const Tensor<double> chance = inputs.normal("chance", {6, 6});
  // sharp weights: what is kept comes out above 1
  const AttentionStages<double> attention = scaled_dot_product_attention(query, key, key, {8.0, {}});
  Tensor<double> kept = chance;
  for (double& factor : kept) factor = factor < normal_quantile ? 0.0 : 1.0 / (1.0 - drop);
  MistakeRun run = compared(attention.weights, attention.weights * kept, row_sum_error);
  run.steps = {
      input("query", query, {"queries", "width"}),
      input("key", key, {"keys", "width"}),
      input("chance", chance, steps::pair_axes),
      steps::raw_scores("raw_scores", "query", "key", attention.raw_scores),
      step("scores", "8 Q K^T", attention.scores, steps::pair_axes, derived::scaled("raw_scores", 8.0)),
      steps::softmax("right", "scores", run.right),
      step("kept", "frac{1}{1 − p}", kept, steps::pair_axes,
           derived::worked({"chance"}, kept_lines(chance, kept),
                           fmt::format("np.where(chance < {}, 0.0, 1 / (1 - {}))", normal_quantile, drop))),
      step("wrong", "softmax(S) ⊙ kept", run.wrong, steps::pair_axes,
           derived::worked({"right", "kept"}, dropped_lines(run.right, kept, run.wrong), "right * kept"))};
  return run;
}

}  // namespace

ShownMistakes mistakes_around_softmax() {
  // rows named by their sums show at once which of them fail
  const HeatMap with_sums =
      weights_picture().rows({"クエリ（行の和）", "Query (sum of the row)"}).with_numbers(2);
  const auto scaling = [](MistakeRun (*compute)(Inputs & inputs)) {
    return Mistake{compute, weights_picture(), RowNames::numbers, Framed::none, InputKind::normal};
  };
  return {{"wrong-axis", {wrong_axis, with_sums, RowNames::sums}},
          {"wrong-sqrt", scaling(wrong_sqrt)},
          {"no-scaling", scaling(no_scaling)},
          {"dropout", {dropout, with_sums, RowNames::sums}}};
}

}  // namespace attnlab
