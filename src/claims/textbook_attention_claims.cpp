// Document A, sections 2.2.3 and 2.2.4: why the scores are divided by √d, and the widths of multi-head
// attention.
#include "claims/claim.hpp"

namespace attnlab {
namespace {

// --- Section 2.2.3: scaling

/// Code 2.2.5 to 2.2.7 with RandomState(0): 20 keys, weights with and without the division.
struct BookPanels {
  Tensor<double> low;          // (1, 20), d = 1
  Tensor<double> low_scaled;   // (1, 20)
  Tensor<double> high;         // (1, 20), d = 100
  Tensor<double> high_scaled;  // (1, 20)
};

BookPanels book_panels(const Mathematics& mathematics) {
  NumpyRandom random(0);
  const Tensor<double> q1 = random.randn({1, 1});
  const Tensor<double> q2 = random.randn({1, 100});
  const Tensor<double> k1 = random.randn({20, 1});
  const Tensor<double> k2 = random.randn({20, 100});
  return {weights_of(mathematics, q1, k1, 1.0), weights_of(mathematics, q1, k1, 1.0),
          weights_of(mathematics, q2, k2, 1.0), weights_of(mathematics, q2, k2, 0.1)};
}

Finding one_dimension_is_the_same(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const double difference = largest_difference(panels.low, panels.low_scaled);
  return holds_if(difference == 0.0, {{"largest_difference", difference}});
}

/// How many of the 20 weights are below 0.01.
std::size_t near_zero(const Tensor<double>& weights) {
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](double weight) { return weight < 0.01; }));
}

Finding stuck_to_zero(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const std::size_t without = near_zero(panels.high);
  const std::size_t with = near_zero(panels.high_scaled);
  return holds_if(without > 10 && with < without / 2, {{"near_zero_unscaled", without},
                                                       {"near_zero_scaled", with},
                                                       {"largest_unscaled", largest(panels.high)},
                                                       {"largest_scaled", largest(panels.high_scaled)}});
}

Finding free_panel(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const double shared = std::max(largest(panels.low_scaled), largest(panels.high_scaled)) + 0.1;
  const double hidden = largest(panels.high);
  return remark_if(hidden > shared, {{"shared_limit", shared}, {"largest_weight", hidden}});
}

Finding deviation_of_products(const Mathematics&) {
  NumpyRandom random(0);
  double worst = 0.0;
  double at_64 = 0.0;
  for (const std::size_t d : {1U, 4U, 16U, 64U, 256U, 1024U}) {
    const Tensor<double> q = random.randn({1000, d});
    const Tensor<double> k = random.randn({1000, d});
    const double spread = standard_deviation(xt::sum(q * k, {1}));
    const double ratio = spread / std::sqrt(static_cast<double>(d));
    worst = std::max(worst, std::abs(ratio - 1.0));
    if (d == 64U) at_64 = spread;
  }
  // A deviation estimated from 1000 samples scatters by about 1 / sqrt(2000) = 2.2 %, for d = 1 more.
  return remark_if(worst < 0.1, {{"deviation_at_64", at_64}, {"largest_relative_error", worst}});
}

// --- Section 2.2.4: multi-head attention

Finding free_widths(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({3, 8});
  const auto attend = [&](std::size_t d_q, std::size_t d_k, std::size_t d_v) {
    return refuses([&] {
      multi_head_attention(random_weights(random, 2, 8, {d_q, d_k, d_v}, 2 * d_v), x, x, x);
    });
  };
  const bool unequal_refused = attend(3, 4, 5);
  const bool value_free = !attend(4, 4, 5);
  return fails_if(unequal_refused && value_free,
                  {{"unequal_refused", unequal_refused}, {"value_width_free", value_free}});
}

// Code 2.2.11
constexpr std::size_t book_heads = 4;
constexpr std::size_t d_model = 16;

/// Code 2.2.10 with the shapes of code 2.2.11, and an output layer with that many inputs.
Tensor<double> book_output(std::size_t inputs, std::size_t d_v) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({2, 3, d_model});
  const Tensor<double> key = random.randn({2, 4, d_model});
  const MultiHeadWeights<double> weights = random_weights(random, book_heads, d_model, {4, 4, d_v}, inputs);
  return multi_head_attention(weights, query, key, key).output;
}

bool output_layer_fits(std::size_t inputs, std::size_t d_v) {
  return !refuses([&] { book_output(inputs, d_v); });
}

Finding output_layer(const Mathematics&) {
  const bool as_printed = output_layer_fits(book_heads * d_model, 4);
  const bool with_wide_values = output_layer_fits(book_heads * d_model, d_model);
  const bool corrected = output_layer_fits(book_heads * 4, 4);
  return holds_or_only_if(
      as_printed, with_wide_values && corrected,
      {{"fits_as_printed", as_printed}, {"fits_with_d_v_equal_d_model", with_wide_values}});
}

Finding output_shape_of_the_book(const Mathematics&) {
  const bool as_printed = output_layer_fits(book_heads * d_model, 4);
  const Tensor<double> output = book_output(book_heads * 4, 4);
  const bool as_stated = output.shape()[0] == 2 && output.shape()[1] == 3 && output.shape()[2] == d_model;
  return holds_or_only_if(as_printed && as_stated, as_stated,
                          {{"runs_as_printed", as_printed},
                           {"batch", output.shape()[0]},
                           {"queries", output.shape()[1]},
                           {"width", output.shape()[2]}});
}

Finding left_over_comment(const Mathematics&) {
  // Read off codes 2.2.8 and 2.2.11.
  constexpr std::string_view of_the_scores =
      "# 1. query と key から, (batch_size, query_len, key_len)のスコアを計算";
  constexpr std::string_view of_the_input =
      "# 1. query と key から, (batch_size, query_len, key_len)のスコアを計算";
  return remark_if(of_the_scores == of_the_input, {{"query", 2UL * 3 * d_model}, {"key", 2UL * 4 * d_model}});
}

/// Code 2.2.10's heads with the shapes of code 2.2.11, with and without what nn.Linear adds.
Finding biases_of_linear(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({3, d_model});
  MultiHeadWeights<double> weights = random_weights(random, book_heads, d_model, {4, 4, 4}, d_model);
  const Tensor<double> without = multi_head_attention(weights, x, x, x).concat;
  weights.query_bias = random.randn({book_heads, 4});
  weights.key_bias = random.randn({book_heads, 4});
  weights.value_bias = random.randn({book_heads, 4});
  const Tensor<double> with = multi_head_attention(weights, x, x, x).concat;
  const double difference = largest_difference(without, with);
  return remark_if(
      difference > 0.1,
      {{"weights", weights.query.size() + weights.key.size() + weights.value.size()},
       {"biases", weights.query_bias->size() + weights.key_bias->size() + weights.value_bias->size()},
       {"difference", difference}});
}

/// Footnote 5: d_model = 10 is no less than d = 8.
Finding whole_width(const Mathematics&) {
  const bool is_refused = refuses([] { head_width(10, 4); });
  return remark_if(is_refused, {{"quotient", 10.0 / 4.0}, {"width", head_width(12, 4)}});
}

/// By W_Q, W_K and W_V of half the squared output, the largest difference between two heads' gradients:
/// central differences.
double difference_of_gradients(MultiHeadWeights<double> weights, const Tensor<double>& x) {
  constexpr double step = 1e-5;
  const auto loss = [&] { return 0.5 * sum_of(xt::square(multi_head_attention(weights, x, x, x).output)); };
  double worst = 0.0;
  for (Tensor<double>* matrix : {&weights.query, &weights.key, &weights.value}) {
    const auto slope = [&](std::size_t place) {
      const double kept = matrix->flat(place);
      matrix->flat(place) = kept + step;
      const double above = loss();
      matrix->flat(place) = kept - step;
      const double below = loss();
      matrix->flat(place) = kept;
      return (above - below) / (2.0 * step);
    };
    const std::size_t of_a_head = matrix->size() / 2;
    for (std::size_t i = 0; i < of_a_head; ++i)
      worst = std::max(worst, std::abs(slope(i) - slope(of_a_head + i)));
  }
  return worst;
}

Finding initial_values(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({3, 8});
  MultiHeadWeights<double> weights = random_weights(random, 2, 8, {4, 4, 4}, 8);
  for (Tensor<double>* matrix : {&weights.query, &weights.key, &weights.value, &weights.output})
    *matrix *= 0.3;
  const double other = difference_of_gradients(weights, x);
  for (Tensor<double>* matrix : {&weights.query, &weights.key, &weights.value})
    xt::view(*matrix, 1) = xt::view(*matrix, 0);
  xt::view(weights.output, xt::range(4, 8)) = xt::view(weights.output, xt::range(0, 4));
  const double same = difference_of_gradients(weights, x);
  return holds_if(same < 1e-6 && other > 0.01, {{"same_start", same}, {"other_start", other}});
}

Finding concatenation(const Mathematics&) {
  // Two heads whose outputs are (1, 2, 3) and (4, 5, 6): one key, whose weight is 1.
  MultiHeadWeights<double> weights;
  weights.query = weights.key = xt::ones<double>({2, 1, 1});
  weights.value = Tensor<double>{{{1.0, 2.0, 3.0}}, {{4.0, 5.0, 6.0}}};
  weights.output = xt::ones<double>({6, 1});
  const Tensor<double> one = xt::ones<double>({1, 1});
  const Tensor<double> joined = multi_head_attention(weights, one, one, one).concat;
  bool in_order = joined.size() == 6;
  for (std::size_t i = 0; in_order && i < 6; ++i) in_order = joined.flat(i) == static_cast<double>(i + 1);
  return holds_if(in_order, {{"in_order", in_order}});
}

Finding output_adjusts_width(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({3, 8});
  const MultiHeadWeights<double> weights = random_weights(random, 3, 8, {2, 2, 2}, 6);
  const MultiHeadStages<double> stages = multi_head_attention(weights, x, x, x);
  const std::size_t joined = stages.concat.shape().back();
  const std::size_t output = stages.output.shape().back();
  return holds_if(joined != 8 && output == 8, {{"joined_width", joined}, {"output_width", output}});
}

}  // namespace

std::vector<ClaimCheck> textbook_attention_checks() {
  return {
      {"A-large-values", large_products},
      {"A-deviation", deviation_of_products},
      {"A-one-dimension", one_dimension_is_the_same},
      {"A-stuck-to-zero", stuck_to_zero},
      {"A-free-panel", free_panel},
      {"A-free-widths", free_widths},
      {"A-output-width", output_adjusts_width},
      {"A-whole-width", whole_width},
      {"A-initial-values", initial_values},
      {"A-concat", concatenation},
      {"A-output-layer", output_layer},
      {"A-biases", biases_of_linear},
      {"A-output-shape", output_shape_of_the_book},
      {"A-left-over-comment", left_over_comment},
  };
}

}  // namespace attnlab
