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

MistakeRun wrong_axis(Tape& tape) {
  draw_queries_and_keys(tape, {6, 8});
  const Tensor<double> scores = record_scores(tape);
  const Tensor<double> right = tape.softmax("right", "softmax(S)", "scores");
  const Tensor<double> wrong = transpose(softmax(transpose(scores)));
  tape.step("wrong", "\\frac{exp(S_ij)}{Σ_i exp(S_ij)}", wrong, pair_axes,
            derived::worked({"scores"}, column_lines(scores, wrong), "softmax(scores.T).T"));
  return compared(right, wrong, row_sum_error);
}

// --- The wrong scale: √d of the whole model instead of one head, or no scale at all

constexpr std::size_t head_width = 16;
constexpr std::size_t scaled_heads = 4;

double deviation_error(const Tensor<double>& scores) { return std::abs(standard_deviation(scores) - 1.0); }

/// Softmax of the right scores beside that of the stage of wrong ones, told here by `record_wrong`.
MistakeRun compare_scales(Tape& tape, const std::string& wrong_scores, void (*record_wrong)(Tape& tape)) {
  draw_queries_and_keys(tape, {16, head_width});
  const double right_error = deviation_error(record_scores(tape));
  Tensor<double> right = tape.softmax("right", "softmax(S)", "scores");
  record_wrong(tape);
  return {std::move(right), tape.softmax("wrong", "softmax(S)", wrong_scores), right_error,
          deviation_error(tape.numbers_of(wrong_scores))};
}

MistakeRun wrong_sqrt(Tape& tape) {
  return compare_scales(tape, "wrong_scores", [](Tape& recorded) {
    recorded.scaled("wrong_scores", "\\frac{Q K^T}{\\sqrt{d_model}}", "raw_scores",
                    over_root(scaled_heads * head_width));
  });
}

MistakeRun no_scaling(Tape& tape) {
  return compare_scales(tape, "raw_scores", [](Tape&) {});
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

MistakeRun dropout(Tape& tape) {
  draw_queries_and_keys(tape, {6, 8});
  const Tensor<double> chance = tape.normal("chance", {6, 6}, pair_axes);
  tape.product_with_transpose("raw_scores", "Q K^T", "query", "key", pair_axes);
  tape.scaled("scores", "8 Q K^T", "raw_scores",
              times(8.0));  // sharp weights: what is kept comes out above 1
  const Tensor<double> right = tape.softmax("right", "softmax(S)", "scores");
  Tensor<double> kept = chance;
  for (double& factor : kept) factor = factor < normal_quantile ? 0.0 : 1.0 / (1.0 - drop);
  tape.step("kept", "\\frac{1}{1 − p}", kept, pair_axes,
            derived::worked({"chance"}, kept_lines(chance, kept),
                            fmt::format("np.where(chance < {}, 0.0, 1 / (1 - {}))", normal_quantile, drop)));
  const Tensor<double> wrong = right * kept;
  tape.step("wrong", "softmax(S) ⊙ kept", wrong, pair_axes,
            derived::worked({"right", "kept"}, dropped_lines(right, kept, wrong), "right * kept"));
  return compared(right, wrong, row_sum_error);
}

}  // namespace

ShownMistakes mistakes_around_softmax() {
  // rows named by their sums show at once which of them fail
  const HeatMap with_sums =
      weights_picture().rows({"クエリ（行の和）", "Query (sum of the row)"}).with_numbers(2);
  const auto scaling = [](MistakeRun (*compute)(Tape & tape)) {
    return Mistake{compute, weights_picture(), RowNames::numbers, Framed::none, InputKind::normal};
  };
  return {{"wrong-axis", {wrong_axis, with_sums, RowNames::sums}},
          {"wrong-sqrt", scaling(wrong_sqrt)},
          {"no-scaling", scaling(no_scaling)},
          {"dropout", {dropout, with_sums, RowNames::sums}}};
}

}  // namespace attnlab
