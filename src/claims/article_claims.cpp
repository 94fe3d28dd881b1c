// Document D: the article, from the variance of a product to the parity with PyTorch.
#include "claims/claim.hpp"
#include "experiments/filters/filters.hpp"
#include "experiments/framework/book.hpp"
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

/// The experiment's own run, with its defaults: spectral radii 0.7, 1 and 1.2.
RecurrenceRun recurrence() {
  return RecurrenceRun::compute(Arguments(recurrence_experiment().parameters), quiet_context());
}

Finding sequential_steps(const Mathematics&) {
  const RecurrenceRun run = recurrence();
  const std::vector<double> gradient = values_of(run.gradient, 1);
  const auto dependent = static_cast<std::size_t>(
      std::count_if(gradient.begin(), gradient.end(), [](double size) { return size > 1e-6; }));
  return holds_if(dependent == run.tokens() && run.rnn.steps.back() == static_cast<double>(run.tokens()),
                  {{"tokens", run.tokens()}, {"dependent", dependent}, {"rnn_steps", run.rnn.steps.back()}});
}

Finding vanishing_and_exploding(const Mathematics&) {
  const RecurrenceRun run = recurrence();
  const std::size_t distance = run.tokens() - 1;
  const double vanishing = run.gradient(0, distance);
  const double steady = run.gradient(1, distance);
  const double exploding = run.gradient(2, distance);
  const bool away_from_one = vanishing < 1e-2 && exploding > 10.0;
  const bool near_one = steady < 1e-2 || steady > 10.0;
  return holds_or_only_if(away_from_one && near_one, away_from_one,
                          {{"distance", distance},
                           {"low", run.radius(0)},
                           {"vanishing", vanishing},
                           {"middle", run.radius(1)},
                           {"steady", steady},
                           {"high", run.radius(2)},
                           {"exploding", exploding}});
}

Finding direct_access(const Mathematics&) {
  const RecurrenceRun run = recurrence();
  const double longest = largest(run.self_attention.paths);
  const double generation = generation_dependencies(run.tokens()).steps.back();
  return holds_or_only_if(
      longest == 1.0 && generation == 1.0, longest == 1.0,
      {{"tokens", run.tokens()}, {"longest_path", longest}, {"generation_steps", generation}});
}

/// Scores of random queries (200) and keys (20) of width d, unscaled: (200, 20).
Tensor<double> random_scores(std::size_t d) {
  NumpyRandom random(1);
  const Tensor<double> query = random.randn({200, d});
  const Tensor<double> key = random.randn({20, d});
  return matmul(query, transpose(key));
}

Finding unit_variance(const Mathematics&) {
  constexpr std::size_t d = 64;
  const double variance = std::pow(standard_deviation(random_scores(d)), 2);
  const double scaled = variance / static_cast<double>(d);
  // 200 x 20 products share 20 keys, whose squared lengths scatter by sqrt(2/64) each: 4 % of the variance.
  return holds_if(std::abs(scaled - 1.0) < 0.15, {{"variance", variance}, {"scaled_variance", scaled}});
}

double mean_gradient(const Mathematics& mathematics, const Tensor<double>& scores) {
  const Tensor<double> norms = softmax_gradient_norm(mathematics.softmax(scores));
  return sum_of(norms) / static_cast<double>(norms.size());
}

Finding vanishing_gradient(const Mathematics& mathematics) {
  const Tensor<double> scores = random_scores(1024);
  const Tensor<double> scaled = scores / 32.0;
  const double raw = mean_gradient(mathematics, scores);
  const double divided = mean_gradient(mathematics, scaled);
  return holds_if(raw < 0.5 * divided, {{"gradient_unscaled", raw}, {"gradient_scaled", divided}});
}

/// The article's heads (code of eq. 7 and 8): RandomState(seed), all weights times 0.1.
MultiHeadWeights<double> article_weights(std::uint32_t seed, std::size_t d_model, std::size_t heads) {
  NumpyRandom random(seed);
  const std::size_t d_k = head_width(d_model, heads);
  MultiHeadWeights<double> weights = random_weights(random, heads, d_model, {d_k, d_k, d_k}, d_model);
  for (Tensor<double>* matrix : {&weights.query, &weights.key, &weights.value, &weights.output})
    *matrix *= 0.1;
  return weights;
}

Finding parameter_counts(const Mathematics&) {
  const MultiHeadWeights<double> several = article_weights(0, 8, 2);
  const MultiHeadWeights<double> single = article_weights(0, 8, 1);
  const auto projections = [](const MultiHeadWeights<double>& weights) {
    return weights.query.size() + weights.key.size() + weights.value.size();
  };
  const std::size_t with_output = projections(several) + several.output.size();
  const std::size_t one_with_output = projections(single) + single.output.size();
  const std::size_t one_without = projections(single);
  const bool equal_if_both = with_output == one_with_output;
  return holds_or_only_if(equal_if_both && with_output == one_without, equal_if_both,
                          {{"several_heads", with_output},
                           {"one_head_with_output", one_with_output},
                           {"one_head_without", one_without}});
}

Finding weighted_mean(const Mathematics& mathematics) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({50, 4});
  const Tensor<double> key = random.randn({6, 4});
  const Tensor<double> value = random.randn({6, 2});
  const Tensor<double> output = matmul(weights_of(mathematics, query, key, 0.5), value);
  const double outside = overshoot(output, value);
  return holds_if(outside < 1e-12, {{"outside", outside}});
}

Finding permutation(const Mathematics& mathematics) {
  const double as_set = order_difference(mathematics).reordered;
  return holds_if(as_set < 1e-12, {{"largest_difference", as_set}});
}

Finding one_seed(const Mathematics&) {
  const Tensor<double> x = NumpyRandom(42).randn({6, 16});
  const MultiHeadWeights<double> weights = article_weights(42, 16, 4);
  std::size_t equal = 0;
  while (equal < x.size() && weights.query.flat(equal) == 0.1 * x.flat(equal)) ++equal;
  return remark_if(equal == x.size(), {{"equal_numbers", equal}});
}

Finding colour_range(const Mathematics& mathematics) {
  NumpyRandom random(42);
  const Tensor<double> x = random.randn({4, 8});
  const Tensor<double> w_query = random.randn({8, 8}) * 0.1;
  const Tensor<double> w_key = random.randn({8, 8}) * 0.1;
  const Tensor<double> weights =
      weights_of(mathematics, matmul(x, w_query), matmul(x, w_key), 1.0 / std::sqrt(8.0));
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  const double share = *high - *low;
  return remark_if(share < 0.1, {{"smallest", *low}, {"largest", *high}, {"share", share}});
}

Finding frequencies(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(2, 64, 10000.0);
  std::vector<double> found;  // read off the waves at position 1
  for (std::size_t i = 0; i < 64; ++i)
    found.push_back(i % 2 == 0 ? std::asin(encoding(1, i)) : std::acos(encoding(1, i)));
  std::sort(found.begin(), found.end());
  const auto end = std::unique(found.begin(), found.end(), [](double a, double b) { return b - a < 1e-6; });
  const auto distinct = static_cast<std::size_t>(end - found.begin());
  return holds_if(distinct == 64, {{"dimensions", 64}, {"frequencies", distinct}});
}

/// The article's code: PE[:, 0::2] has (d + 1) / 2 columns, np.arange(d // 2) as many frequencies.
Finding odd_width(const Mathematics&) {
  const auto sines = [](std::size_t width) { return (width + 1) / 2; };
  const auto waves = [](std::size_t width) { return width / 2; };
  const bool fits = sines(7) == waves(7);
  return holds_or_only_if(fits, sines(8) == waves(8),
                          {{"columns", sines(7)}, {"frequencies", waves(7)}, {"fits", fits}});
}

Finding unique_positions(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(50, 64, 10000.0);
  double nearest = 1e9;
  for (std::size_t a = 0; a < 50; ++a) {
    for (std::size_t b = a + 1; b < 50; ++b) {
      const Tensor<double> squares = xt::square(xt::view(encoding, a) - xt::view(encoding, b));
      nearest = std::min(nearest, std::sqrt(sum_of(squares)));
    }
  }
  return holds_if(nearest > 0.1, {{"nearest", nearest}});
}

Finding pytorch_parity(const Mathematics&) {
  const Tensor<float> x = xt::cast<float>(NumpyRandom(42).randn({4, 8}));
  const MultiHeadWeights<double> drawn = article_weights(0, 8, 2);
  const MultiHeadWeights<float> weights{xt::cast<float>(drawn.query), xt::cast<float>(drawn.key),
                                        xt::cast<float>(drawn.value), xt::cast<float>(drawn.output)};
  const Tensor<float> output = multi_head_attention(weights, x, x, x).output;
  // nn.MultiheadAttention(8, 2, bias=False) of PyTorch 1.13 with the same weights, output[0, :4]
  constexpr std::array<double, 4> pytorch{0.00449286, -0.0228128, -0.00711573, -0.00196028};
  double largest = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(output(0, i)) - pytorch[i]));
  }
  return holds_if(largest < 1e-7, {{"largest_difference", largest}});
}

/// The experiment's own run, with its defaults.
FiltersRun filters() {
  return FiltersRun::compute(Arguments(filters_experiment().parameters), quiet_context());
}

Finding fixed_and_dynamic(const Mathematics& mathematics) {
  NumpyRandom random(0);
  const Tensor<double> one = random.randn({8, 4});
  const Tensor<double> other = random.randn({8, 4});
  const double attention =
      largest_difference(weights_of(mathematics, one, one, 0.5), weights_of(mathematics, other, other, 0.5));
  const double filter = filters().moving_average.change;
  return holds_if(attention > 0.1 && std::isfinite(attention) && filter < 1e-12,
                  {{"largest_difference", attention}, {"filter_change", filter}});
}

/// How many weights of a row are not 0.
std::size_t reach(const Tensor<double>& weights, std::size_t row) {
  const Tensor<double> of_row = xt::view(weights, row);
  return static_cast<std::size_t>(
      std::count_if(of_row.begin(), of_row.end(), [](double weight) { return weight != 0.0; }));
}

Finding local_range(const Mathematics&) {
  constexpr std::size_t now = 32;
  const FiltersRun run = filters();
  const std::size_t window = reach(run.moving_average.weights, now);
  const std::size_t past = reach(run.ema.weights, now);
  const double before = sum_of(Tensor<double>(xt::view(run.ema.weights, now, xt::range(0, now - 4))));
  const bool first_is_local = window == run.settings.window;
  return holds_or_only_if(first_is_local && past <= window, first_is_local,
                          {{"moving_average_reach", window}, {"ema_reach", past}, {"ema_share", before}});
}

Finding between_sequences(const Mathematics&) {
  const Tensor<double> x = NumpyRandom(0).randn({2, 5, 4});  // (sequences, tokens, width)
  Tensor<double> changed = x;
  xt::view(changed, 0, 1) += xt::arange(1.0, 5.0);
  const Tensor<double> before = scaled_dot_product_attention(x, x, x).output;
  const Tensor<double> after = scaled_dot_product_attention(changed, changed, changed).output;
  const double within = largest_difference(xt::view(before, 0, 0), xt::view(after, 0, 0));
  const double between = largest_difference(xt::view(before, 1), xt::view(after, 1));
  return fails_if(within > 0.0 && between == 0.0, {{"within", within}, {"between", between}});
}

}  // namespace

std::vector<ClaimCheck> article_checks() {
  return {
      {"D-sequential", sequential_steps},
      {"D-vanishing", vanishing_and_exploding},
      {"D-direct", direct_access},
      {"D-variance", unit_variance},
      {"D-large-values", large_products},
      {"D-gradient", vanishing_gradient},
      {"D-weighted-mean", weighted_mean},
      {"D-colour-range", colour_range},
      {"D-parameter-counts", parameter_counts},
      {"D-one-seed", one_seed},
      {"D-invariant", permutation_invariance},
      {"D-permutation", permutation},
      {"D-frequencies", frequencies},
      {"D-odd-width", odd_width},
      {"D-unique-positions", unique_positions},
      {"D-parity", pytorch_parity},
      {"D-dynamic-weights", fixed_and_dynamic},
      {"D-local", local_range},
      {"D-between-sequences", between_sequences},
  };
}

}  // namespace attnlab
