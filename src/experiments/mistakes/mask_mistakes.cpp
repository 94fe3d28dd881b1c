// Masks that do not hide: a finite number that is too small, and a boolean mask read the other way round.
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

AttentionStages<double> with_mask(const Tensor<double>& query, const Tensor<double>& key,
                                  const Tensor<double>& mask) {
  return scaled_dot_product_attention(query, key, key, {{}, mask});
}

/// The mask, the masked scores and the weights; `prefix` tells the wrong mask from the right one.
std::vector<Stage> masked_steps(const std::string& prefix, const std::string& result,
                                const Tensor<double>& mask, const AttentionStages<double>& attention) {
  const std::string masked = prefix + "masked";
  return {input(prefix + "mask", mask, steps::pair_axes),
          step(masked, "S + M", attention.masked, steps::pair_axes, derived::sum("scores", prefix + "mask")),
          steps::softmax(result, masked, attention.weights)};
}

MistakeRun compare(const Tensor<double>& query, const Tensor<double>& key, const Tensor<double>& wrong_mask) {
  const Tensor<double> right_mask = additive_mask(causal_mask(masked_tokens, masked_tokens), -infinity);
  const AttentionStages<double> right = with_mask(query, key, right_mask);
  const AttentionStages<double> wrong = with_mask(query, key, wrong_mask);
  MistakeRun run = compared(right.weights, wrong.weights, largest_leak);
  run.steps = steps::up_to_scores(query, key, right);
  append(run.steps, masked_steps("", "right", right_mask, right));
  append(run.steps, masked_steps("wrong_", "wrong", wrong_mask, wrong));
  return run;
}

/// A draw whose last column is an outlier feature.
Tensor<double> with_outlier(Inputs& inputs, const std::string& name, const Tensor<double>& outlier,
                            const std::string& code) {
  Tensor<double> drawn = inputs.stream().randn({masked_tokens, 8});
  xt::view(drawn, xt::all(), 7) = outlier;
  return inputs.drawn(
      name, fmt::format("np.concatenate((randn({}, 8)[:, :7], {}), axis=-1)", masked_tokens, code), drawn);
}

/// The outlier scores the first three keys with -1e5.
MistakeRun small_mask(Inputs& inputs) {
  const Tensor<double> large({masked_tokens}, 1e5 * std::sqrt(8.0));
  const Tensor<double> query = with_outlier(
      inputs, "query", large, fmt::format("np.full(({}, 1), 1e5 * math.sqrt(8))", masked_tokens));
  const Tensor<double> key = with_outlier(inputs, "key", {-1.0, -1.0, -1.0, 0.0, 0.0, 0.0},
                                          "np.array([[-1.0], [-1.0], [-1.0], [0.0], [0.0], [0.0]])");
  return compare(query, key, additive_mask(causal_mask(masked_tokens, masked_tokens), -1e5));
}

MistakeRun inverted_mask(Inputs& inputs) {
  const Tensor<double> query = inputs.normal("query", {masked_tokens, 8});
  const Tensor<double> key = inputs.normal("key", {masked_tokens, 8});
  BooleanMask inverted = causal_mask(masked_tokens, masked_tokens);
  for (auto&& readable : inverted) readable = !readable;
  return compare(query, key, additive_mask(inverted, -infinity));
}

}  // namespace

ShownMistakes mistakes_of_masks() {
  std::vector<bool> hidden;
  for (const bool readable : causal_mask(masked_tokens, masked_tokens)) hidden.push_back(!readable);
  const HeatMap picture = weights_picture().with_numbers(2).hiding(std::move(hidden));
  return {{"small-mask", {small_mask, picture}}, {"inverted-mask", {inverted_mask, picture}}};
}

}  // namespace attnlab
