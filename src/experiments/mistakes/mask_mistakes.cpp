// Masks that do not hide: a finite number that is too small, a boolean mask read the other way round, and one
// that is added.
#include "attention/masks.hpp"
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {
namespace {

constexpr std::size_t masked_tokens = 6;

/// The largest weight that any row puts on keys that the causal mask hides; infinite when a row is NaN.
double largest_leak(const Tensor<double>& weights) {
  double largest = 0.0;
  for (const double leak : leaked_mass(weights, causal_mask(masked_tokens, masked_tokens))) {
    if (std::isnan(leak)) return infinity;
    largest = std::max(largest, leak);
  }
  return largest;
}

/// The mask, the masked scores and the weights; `prefix` tells the wrong mask from the right one.
Tensor<double> record_masked(Tape& tape, const std::string& prefix, const std::string& result,
                             const Tensor<double>& mask) {
  tape.input(prefix + "mask", mask, pair_axes);
  tape.sum(prefix + "masked", "S + M", "scores", prefix + "mask");
  return tape.softmax(result, "softmax(S)", prefix + "masked");
}

MistakeRun compare(Tape& tape, const Tensor<double>& wrong_mask) {
  record_scores(tape);
  const Tensor<double> right_mask = additive_mask(causal_mask(masked_tokens, masked_tokens), -infinity);
  Tensor<double> right = record_masked(tape, "", "right", right_mask);
  return compared(std::move(right), record_masked(tape, "wrong_", "wrong", wrong_mask), largest_leak);
}

/// A draw whose last column is an outlier feature.
void draw_with_outlier(Tape& tape, const std::string& name, const std::string& rows,
                       const Tensor<double>& outlier, const std::string& code) {
  Tensor<double> drawn = tape.stream().randn({masked_tokens, 8});
  xt::view(drawn, xt::all(), 7) = outlier;
  const std::string joined =
      fmt::format("np.concatenate((randn({}, 8)[:, :7], {}), axis=-1)", masked_tokens, code);
  tape.input(name, tape.drawn(name, joined, drawn), {rows, "width"});
}

/// The outlier scores the first three keys with -1e5.
MistakeRun small_mask(Tape& tape) {
  draw_with_outlier(tape, "query", "queries", Tensor<double>({masked_tokens}, 1e5 * std::sqrt(8.0)),
                    fmt::format("np.full(({}, 1), 1e5 * math.sqrt(8))", masked_tokens));
  draw_with_outlier(tape, "key", "keys", {-1.0, -1.0, -1.0, 0.0, 0.0, 0.0},
                    "np.array([[-1.0], [-1.0], [-1.0], [0.0], [0.0], [0.0]])");
  return compare(tape, additive_mask(causal_mask(masked_tokens, masked_tokens), -1e5));
}

MistakeRun inverted_mask(Tape& tape) {
  draw_queries_and_keys(tape, {masked_tokens, 8});
  BooleanMask inverted = causal_mask(masked_tokens, masked_tokens);
  for (auto&& readable : inverted) readable = !readable;
  return compare(tape, additive_mask(inverted, -infinity));
}

/// True is the number 1: hidden keys gain on the others by a factor of e.
MistakeRun boolean_mask(Tape& tape) {
  draw_queries_and_keys(tape, {masked_tokens, 8});
  return compare(tape, additive_mask(causal_mask(masked_tokens, masked_tokens), 1.0));
}

}  // namespace

ShownMistakes mistakes_of_masks() {
  std::vector<bool> hidden;
  for (const bool readable : causal_mask(masked_tokens, masked_tokens)) hidden.push_back(!readable);
  const HeatMap picture = weights_picture().with_numbers(2).hiding(std::move(hidden));
  return {{"small-mask", {small_mask, picture}},
          {"inverted-mask", {inverted_mask, picture}},
          {"boolean-mask", {boolean_mask, picture}}};
}

}  // namespace attnlab
