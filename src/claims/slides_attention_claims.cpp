// Document E, from attention pooling to the properties of attention.
#include "claims/claim.hpp"

namespace attnlab {
namespace {

/// N = 5 tokens of D = 4, and the learnt matrices, in the order of `pooling`.
struct Tokens {
  Tensor<double> x;        // (5, 4)
  Tensor<double> u;        // (4, 4)
  Tensor<double> w_query;  // (4, 4)
  Tensor<double> w_key;    // (4, 4)
  Tensor<double> w_value;  // (4, 4)
};

Tokens tokens() {
  NumpyRandom random(0);
  return {random.randn({5, 4}), random.randn({4, 4}), random.randn({4, 4}), random.randn({4, 4}),
          random.randn({4, 4})};
}

// --- The two schemes

Finding pooling_weights(const Mathematics& mathematics) {
  const Tensor<double> weights = weights_of(mathematics, tokens().x, tokens().x, 1.0);
  const double least = smallest_value(weights);
  const double error = row_sum_error(weights);
  return holds_if(least > 0.0 && error < 1e-12, {{"smallest_weight", least}, {"sum_error", error}});
}

Finding last_token(const Mathematics&) {
  const Tensor<double> x = tokens().x;
  return remark_if(x.shape()[0] == 5, {{"rows", x.shape()[0]}, {"columns", x.shape()[1]}});
}

Finding scheme_1_shape(const Mathematics& mathematics) {
  const Tokens drawn = tokens();
  const Tensor<double> weights = weights_of(mathematics, drawn.x, drawn.x, 1.0);
  const Tensor<double> output = matmul(weights, drawn.x);
  const bool square = output.shape()[0] == output.shape()[1];
  return holds_if(square, {{"rows_of_y", output.shape()[0]}, {"columns_of_y", output.shape()[1]}});
}

Finding symmetric(const Tensor<double>& scores, const Tensor<double>& weights) {
  const double error = asymmetry(scores);
  return holds_if(error < 1e-12, {{"asymmetry", error}, {"asymmetry_of_weights", asymmetry(weights)}});
}

Finding scheme_1_symmetric(const Mathematics& mathematics) {
  const Tensor<double> x = tokens().x;
  return symmetric(matmul(x, transpose(x)), weights_of(mathematics, x, x, 1.0));
}

Finding scheme_2_symmetric(const Mathematics& mathematics) {
  const Tensor<double> turned = matmul(tokens().x, tokens().u);
  return symmetric(matmul(turned, transpose(turned)), weights_of(mathematics, turned, turned, 1.0));
}

Finding more_flexible(const Mathematics& mathematics) {
  const Tokens drawn = tokens();
  const Tensor<double> own = weights_of(mathematics, drawn.x, drawn.x, 1.0);
  const auto change = [&](const Tensor<double>& u) {
    const Tensor<double> turned = matmul(drawn.x, u);
    return largest_difference(weights_of(mathematics, turned, turned, 1.0), own);
  };
  const double same = change(xt::eye<double>(4));
  const double other = change(drawn.u);
  return holds_if(same < 1e-12 && other > 0.1,
                  {{"difference_of_identity", same}, {"difference_of_drawn", other}});
}

Finding order_kept(const Mathematics& mathematics) {
  const Tensor<double> turned = matmul(tokens().x, tokens().u);
  const Tensor<double> scores = matmul(turned, transpose(turned));
  const Tensor<double> weights = mathematics.softmax(scores);
  std::size_t within = 0;
  std::size_t across = 0;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    for (std::size_t b = 0; b < scores.size(); ++b) {
      if (scores.flat(a) >= scores.flat(b) || weights.flat(a) <= weights.flat(b)) continue;
      ++(a / 5 == b / 5 ? within : across);
    }
  }
  return holds_or_only_if(within + across == 0, within == 0,
                          {{"within_a_row", within}, {"across_rows", across}});
}

// --- Query, key, value

Finding value_matrix(const Mathematics&) {
  // The multi-head slide's W^(o) has H·D_v rows: with D = 4, H = 2, D_v = 3 that is 6.
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({5, 4});
  const Tensor<double> w_output = random.randn({6, 4});
  const bool fits = !refuses([&] { matmul(x, w_output); });
  return holds_if(fits, {{"w_output_fits", fits}});
}

/// softmax(X W_q (X W_k)ᵀ / 2)
Tensor<double> projected_weights(const Mathematics& mathematics, const Tokens& drawn,
                                 const Tensor<double>& x) {
  return weights_of(mathematics, matmul(x, drawn.w_query), matmul(x, drawn.w_key), 0.5);
}

/// softmax(X W_q (X W_k)ᵀ / 2) X W_v
Tensor<double> attend(const Mathematics& mathematics, const Tokens& drawn, const Tensor<double>& x) {
  return matmul(projected_weights(mathematics, drawn, x), matmul(x, drawn.w_value));
}

Finding restated(const Mathematics& mathematics) {
  const Tokens drawn = tokens();
  const Tensor<double> without_values = matmul(projected_weights(mathematics, drawn, drawn.x), drawn.x);
  const double difference = largest_difference(without_values, attend(mathematics, drawn, drawn.x));
  return remark_if(difference > 1e-6, {{"difference", difference}});
}

Finding linear_in_x(const Mathematics& mathematics) {
  const Tokens drawn = tokens();
  const Tensor<double> twice = drawn.x * 2.0;
  const Tensor<double> once = attend(mathematics, drawn, drawn.x);
  const double deviation_from_linear = largest_difference(attend(mathematics, drawn, twice), once * 2.0);
  const Tensor<double> fixed = projected_weights(mathematics, drawn, drawn.x);
  const double with_fixed_weights =
      largest_difference(matmul(fixed, matmul(twice, drawn.w_value)), once * 2.0);
  return holds_or_only_if(
      deviation_from_linear < 1e-12, with_fixed_weights < 1e-12,
      {{"deviation", deviation_from_linear}, {"deviation_with_fixed_weights", with_fixed_weights}});
}

/// The tokens with the second twice as long.
Tokens with_second_doubled() {
  Tokens drawn = tokens();
  xt::view(drawn.x, 1) *= 2.0;
  return drawn;
}

/// The largest difference between the rows of that number.
double row_difference(const Tensor<double>& one, const Tensor<double>& other, std::size_t row) {
  return largest_difference(Tensor<double>(xt::view(one, row)), Tensor<double>(xt::view(other, row)));
}

Finding own_token(const Mathematics& mathematics) {
  const Tokens drawn = tokens();
  const Tokens changed = with_second_doubled();
  const double change =
      row_difference(attend(mathematics, drawn, drawn.x), attend(mathematics, drawn, changed.x), 2);
  return remark_if(change > 0.01, {{"change_of_y_3", change}});
}

Finding value_of_all(const Mathematics&) {
  const Tokens drawn = tokens();
  const Tensor<double> before = matmul(drawn.x, drawn.w_value);
  const Tensor<double> after = matmul(with_second_doubled().x, drawn.w_value);
  const double own = row_difference(before, after, 1);
  const double other = row_difference(before, after, 0);
  return remark_if(other == 0.0 && own > 0.0, {{"change_of_v_1", other}, {"change_of_v_2", own}});
}

Finding criterion(const Mathematics&) {
  const Tokens drawn = tokens();
  const auto weights = [&](double query, double value) {
    return scaled_dot_product_attention(Tensor<double>(matmul(drawn.x, drawn.w_query) * query),
                                        matmul(drawn.x, drawn.w_key),
                                        Tensor<double>(matmul(drawn.x, drawn.w_value) * value))
        .weights;
  };
  const double by_value = largest_difference(weights(1.0, 1.0), weights(1.0, 2.0));
  const double by_query = largest_difference(weights(1.0, 1.0), weights(2.0, 1.0));
  return fails_if(by_value == 0.0 && by_query > 1e-6,
                  {{"change_by_value", by_value}, {"change_by_query", by_query}});
}

Finding value_shape(const Mathematics& mathematics) {
  const Tokens drawn = tokens();
  const auto width = [&](std::size_t d_v) {
    Tokens other = drawn;
    other.w_value = xt::view(drawn.w_value, xt::all(), xt::range(0, d_v));
    return attend(mathematics, other, drawn.x).shape()[1];
  };
  return holds_or_only_if(width(3) == 4, width(4) == 4,
                          {{"width_with_three", width(3)}, {"width_with_four", width(4)}});
}

Finding number_of_values(const Mathematics&) {
  const Tokens drawn = tokens();
  const Tensor<double> value = matmul(drawn.x, drawn.w_value);
  const std::size_t rows = value.shape()[0];
  const std::size_t width = drawn.x.shape()[1];
  return fails_if(rows != width, {{"values", rows}});
}

/// So many values of width 4, and six outputs.
struct Span {
  std::size_t of_values = 0;
  std::size_t of_outputs = 0;
  double outside = 0.0;  // how far the outputs leave the range of the values
};

Span span_of(const Mathematics& mathematics, std::size_t values) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({6, 4});
  const Tensor<double> key = random.randn({values, 4});
  const Tensor<double> value = random.randn({values, 4});
  const Tensor<double> output = matmul(weights_of(mathematics, query, key, 0.5), value);
  return {rank_of(value), rank_of(output), overshoot(output, value)};
}

Finding spanned_space(const Mathematics& mathematics) {
  const Span two = span_of(mathematics, 2);
  const Span five = span_of(mathematics, 5);
  const bool is_limited = two.of_outputs <= two.of_values && two.of_values < 4 && five.outside < 1e-12;
  return holds_or_only_if(is_limited && five.of_values < 4, is_limited,
                          {{"rank_of_two", two.of_values},
                           {"rank_of_outputs", two.of_outputs},
                           {"rank_of_five", five.of_values},
                           {"outside", five.outside}});
}

/// Multi-head attention over tokens of width 4.
Tensor<double> multi_head_output(std::size_t tokens, std::size_t heads, std::size_t width) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({tokens, 4});
  return multi_head_attention(random_weights(random, heads, 4, {width, width, width}, heads * width), x, x, x)
      .output;
}

Finding span_of_output(const Mathematics&) {
  const std::size_t full = rank_of(multi_head_output(6, 2, 2));
  const std::size_t narrow = rank_of(multi_head_output(6, 1, 3));
  return holds_or_only_if(full < 4, narrow < 4, {{"full", full}, {"narrow", narrow}});
}

Finding multi_head_shape(const Mathematics&) {
  const Tensor<double> output = multi_head_output(5, 2, 3);
  const std::size_t rows = output.shape()[0];
  const std::size_t columns = output.shape()[1];
  return remark_if(rows == 5 && columns == 4, {{"rows", rows}, {"columns", columns}});
}

/// Words, and what a dictionary names at them.
using Relation = std::set<std::pair<std::string_view, std::string_view>>;

std::size_t both_ways(const Relation& relation) {
  return static_cast<std::size_t>(std::count_if(relation.begin(), relation.end(), [&](const auto& pair) {
    return relation.count({pair.second, pair.first}) == 1;
  }));
}

Finding asymmetric_relations(const Mathematics&) {
  const Relation opposite{{"hot", "cold"}, {"cold", "hot"}, {"rise", "fall"}, {"fall", "rise"}};
  const Relation equal{{"big", "large"}, {"large", "big"}, {"begin", "start"}, {"start", "begin"}};
  const Relation kinds{{"dog", "animal"}, {"cat", "animal"}, {"rose", "flower"}, {"lily", "flower"}};
  const std::size_t antonyms = both_ways(opposite);
  const std::size_t synonyms = both_ways(equal);
  const std::size_t inclusion = both_ways(kinds);
  return holds_or_only_if(antonyms + synonyms + inclusion == 0, inclusion == 0,
                          {{"antonyms", antonyms}, {"synonyms", synonyms}, {"inclusion", inclusion}});
}

// --- How sharp the weights are

/// Mean largest weight over 2000 random queries, after the division by √d; `size` multiplies queries and
/// keys.
double mean_largest(const Mathematics& mathematics, std::size_t keys, std::size_t d, double size) {
  NumpyRandom random(0);
  double sum = 0.0;
  constexpr std::size_t repetitions = 2000;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const Tensor<double> query = random.randn({1, d});
    const Tensor<double> key = random.randn({keys, d});
    const Tensor<double> weights =
        weights_of(mathematics, query, key, size * size / std::sqrt(static_cast<double>(d)));
    sum += largest(weights);
  }
  return sum / static_cast<double>(repetitions);
}

Finding one_weight_near_one(const Mathematics& mathematics) {
  const double ten = mean_largest(mathematics, 10, 64, 1.0);
  const double twenty = mean_largest(mathematics, 20, 100, 1.0);
  const double twice = mean_largest(mathematics, 10, 64, 2.0);
  const double large = mean_largest(mathematics, 10, 64, 5.0);
  constexpr double near_one = 0.9;
  return holds_or_only_if(
      ten > near_one, large > near_one,
      {{"ten_keys", ten}, {"twenty_keys", twenty}, {"twice_as_long", twice}, {"five_times_as_long", large}});
}

}  // namespace

std::vector<ClaimCheck> slides_attention_checks() {
  return {
      {"E-asymmetric-relations", asymmetric_relations},
      {"E-pooling-weights", pooling_weights},
      {"E-last-token", last_token},
      {"E-scheme-1-symmetric", scheme_1_symmetric},
      {"E-scheme-1-shape", scheme_1_shape},
      {"E-flexible", more_flexible},
      {"E-scheme-2-symmetric", scheme_2_symmetric},
      {"E-order-kept", order_kept},
      {"E-value-shape", value_shape},
      {"E-multi-head-shape", multi_head_shape},
      {"E-criterion", criterion},
      {"E-value-of-all", value_of_all},
      {"E-value-matrix", value_matrix},
      {"E-linear", linear_in_x},
      {"E-own-token", own_token},
      {"E-restated", restated},
      {"E-number-of-values", number_of_values},
      {"E-span", spanned_space},
      {"E-span-of-output", span_of_output},
      {"E-one-weight", one_weight_near_one},
  };
}

}  // namespace attnlab
