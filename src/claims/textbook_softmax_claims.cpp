// Document A, sections 2.2.1 and 2.2.2: scores, softmax, and the ten vectors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/additive.hpp"
#include "attention/matmul.hpp"
#include "claims/claim.hpp"
#include "core/constants.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// n unit vectors around the circle, code 2.2.3.
Tensor<double> circle(std::size_t n) {
  Tensor<double> vectors = Tensor<double>::from_shape({n, 2});
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2.0 * pi / static_cast<double>(n) * static_cast<double>(i);
    vectors(i, 0) = std::cos(angle);
    vectors(i, 1) = std::sin(angle);
  }
  return vectors;
}

Tensor<double> towards_45() {
  return {{1.0 / std::sqrt(2.0), 1.0 / std::sqrt(2.0)}};
}

// --- Softmax

/// The pairs of keys whose order softmax turns round, over 1000 random rows of five scores.
std::size_t order_changes(const Mathematics& mathematics) {
  const Tensor<double> scores = NumpyRandom(0).randn({1000, 5});
  const Tensor<double> weights = mathematics.softmax(scores);
  std::size_t changes = 0;
  for (std::size_t row = 0; row < 1000; ++row)
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        if (scores(row, i) < scores(row, j) && !(weights(row, i) < weights(row, j))) ++changes;
  return changes;
}

Finding softmax_order_kept(const Mathematics& mathematics) {
  const std::size_t changes = order_changes(mathematics);
  return holds_if(changes == 0,
                  text("乱数のスコア 5 個 × 1000 行で、順序が入れ替わったキーの組は {} 個です。",
                       "In 1000 rows of five random scores, {} pairs of keys change their order.", changes),
                  {{"order_changes", changes}});
}

Finding positive_and_one(const Mathematics& mathematics) {
  const Tensor<double> scores{{2.0, -1.0, 0.5, 3.0, -0.5}};
  const Tensor<double> weights = mathematics.softmax(scores);
  const double least = smallest_value(weights);
  const double error = row_sum_error(weights);
  return holds_if(
      least > 0.0 && error < 1e-12,
      text("スコア 2, -1, 0.5, 3, -0.5 の注意度は最小でも {:.4f}、和と 1 の差は {:.1g} です。",
           "Scores 2, -1, 0.5, 3, -0.5: the smallest weight is {:.4f}, the sum differs from 1 by {:.1g}.",
           least, error),
      {{"smallest_weight", least}, {"sum_error", error}});
}

Finding exp_50(const Mathematics&) {
  const double value = std::exp(50.0);
  return holds_if(value > 1e21, text("exp(50) = {:.15g}", "exp(50) = {:.15g}", value), {{"exp_50", value}});
}

Finding shift_invariance(const Mathematics& mathematics) {
  const Tensor<double> scores{{2.0, -1.0, 0.5, 3.0, -0.5}};
  const Tensor<double> moved = scores + 100.0;
  const double difference = largest_difference(mathematics.softmax(scores), mathematics.softmax(moved));
  return holds_if(difference < 1e-12,
                  text("すべてのスコアに 100 を足しても、注意度の差は最大で {:.1g} です。",
                       "Adding 100 to every score changes the weights by at most {:.1g}.", difference),
                  {{"largest_difference", difference}});
}

/// exp(a + b) / sum exp(a + b), as footnote 2 writes it.
Tensor<double> shifted_as_printed(const Tensor<double>& scores, double b) {
  Tensor<double> weights = scores;
  double sum = 0.0;
  for (double& value : weights) sum += (value = std::exp(value + b));
  for (double& value : weights) value /= sum;
  return weights;
}

Finding footnote_b(const Mathematics& mathematics) {
  const Tensor<double> scores{1000.0, 999.0};
  const Tensor<double> plus = shifted_as_printed(scores, 1000.0);
  const Tensor<double> minus = shifted_as_printed(scores, -1000.0);
  const Tensor<double> expected = mathematics.softmax(scores);
  const bool plus_fails = std::isnan(plus(0));
  const bool minus_works = largest_difference(minus, expected) < 1e-12;
  return fails_if(plus_fails && minus_works,
                  text("スコア 1000, 999 で b = 最大値 = 1000 とすると exp(2000) が無限大になり、注意度は {} "
                       "です。b = -1000 なら {:.3f}, {:.3f} です。",
                       "For scores 1000 and 999, b = max = 1000 makes exp(2000) infinite and the weights {}; "
                       "b = -1000 gives {:.3f} and {:.3f}.",
                       plus_fails ? "NaN" : fmt::format("{:.3f}", plus(0)), minus(0), minus(1)),
                  {{"weight_with_max", plus(0)}, {"weight_with_minus_max", minus(0)}});
}

/// The book's three queries and ten keys, as scores.
Tensor<double> book_scores() {
  const double half = 1.0 / std::sqrt(2.0);
  const Tensor<double> queries{{half, half}, {1.0, 0.0}, {0.0, 1.0}};
  return matmul(queries, transpose(circle(10)));
}

Finding global_maximum(const Mathematics& mathematics) {
  const Tensor<double> scores{{1000.0, 999.0}, {0.0, -1.0}};
  const Tensor<double> together = mathematics.softmax_global_maximum(scores);
  const Tensor<double> by_rows = mathematics.softmax(scores);
  const Tensor<double> book = book_scores();
  const double at_home =
      largest_difference(mathematics.softmax_global_maximum(book), mathematics.softmax(book));
  const bool rows_work =
      std::none_of(by_rows.begin(), by_rows.end(), [](double weight) { return std::isnan(weight); });
  const bool breaks = std::isnan(together(1, 0)) && rows_work;
  return fails_if(breaks,
                  text("本文の 3 つのクエリでは、行ごとの最大値を引いた結果との差は {:.1g} です。しかし行 "
                       "[1000, 999] と [0, -1] では、2 行目が、全体の最大値を引くと "
                       "{}、行ごとの最大値を引くと {:.3f}, {:.3f} になります。",
                       "For the book's three queries the result differs by {:.1g} from that with the maximum "
                       "of each row. But of the rows [1000, 999] and [0, -1] the second becomes {} with the "
                       "maximum of the whole matrix, {:.3f}, {:.3f} with its own.",
                       at_home, std::isnan(together(1, 0)) ? "NaN" : fmt::format("{:.3f}", together(1, 0)),
                       by_rows(1, 0), by_rows(1, 1)),
                  {{"difference_for_the_books_queries", at_home}, {"second_row", together(1, 0)}});
}

// --- The ten vectors

Finding printed_output(const Mathematics& mathematics) {
  const Tensor<double> vectors = circle(10);
  const Tensor<double> output = matmul(weights_of(mathematics, towards_45(), vectors, 1.0), vectors);
  const bool same =
      std::abs(output(0, 0) - 0.31564538) < 0.5e-8 && std::abs(output(0, 1) - 0.31564537) < 0.5e-8;
  return holds_if(
      same,
      text("出力は [{:.8f} {:.8f}] です。", "The output is [{:.8f} {:.8f}].", output(0, 0), output(0, 1)),
      {{"output_x", output(0, 0)}, {"output_y", output(0, 1)}});
}

Finding nearer_is_larger(const Mathematics& mathematics) {
  const Tensor<double> weights = weights_of(mathematics, towards_45(), circle(10), 1.0);
  std::size_t exceptions = 0;
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) {
      const double cosine_i = std::cos(pi / 5.0 * static_cast<double>(i) - pi / 4.0);
      const double cosine_j = std::cos(pi / 5.0 * static_cast<double>(j) - pi / 4.0);
      if (cosine_i > cosine_j + 1e-9 && !(weights(0, i) > weights(0, j))) ++exceptions;
    }
  return holds_if(
      exceptions == 0,
      text("10 個のキーのすべての組で確かめ、例外は {} 個です（最大 {:.3f}、最小 {:.3f}）。",
           "Checked on every pair of the ten keys: {} exceptions (largest {:.3f}, smallest {:.3f}).",
           exceptions, weights(0, 1), weights(0, 6)),
      {{"exceptions", exceptions}});
}

/// The weight of a key before and after it is made five times as long.
std::pair<double, double> lengthened(const Mathematics& mathematics, std::size_t key) {
  Tensor<double> vectors = circle(10);
  const double before = weights_of(mathematics, towards_45(), vectors, 1.0)(0, key);
  vectors(key, 0) *= 5.0;
  vectors(key, 1) *= 5.0;
  return {before, weights_of(mathematics, towards_45(), vectors, 1.0)(0, key)};
}

Finding long_vector(const Mathematics& mathematics) {
  const auto [before, after] = lengthened(mathematics, 3);
  const auto [other_before, other_after] = lengthened(mathematics, 4);
  const Verdict as_said = other_after < other_before ? Verdict::remark : Verdict::holds;
  return {
      after > before ? as_said : Verdict::fails,
      text("v4（108°）の注意度は {:.4f} から {:.4f} に増えます。",
           "The weight of v4 (108°) rises from {:.4f} to {:.4f}.", before, after),
      {{"before", before}, {"after", after}, {"fifth_before", other_before}, {"fifth_after", other_after}},
      text("v4 は 1 から数えて 4 番目のベクトル（添字 3）です。0 から数えた 4 番（144°）を 5 "
           "倍にすると、注意度は逆に {:.4f} から {:.4f} "
           "に減ります。長くすると、正の内積はより大きく、負の内積はより小さくなるからです。",
           "v4 is the fourth vector counted from 1 (index 3). Number 4 counted from 0, at 144°, made five "
           "times as long would fall from {:.4f} to {:.4f}: length makes positive products larger and "
           "negative ones smaller.",
           other_before, other_after)};
}

Finding rows_of_three_queries(const Mathematics& mathematics) {
  const Tensor<double> weights = mathematics.softmax(book_scores());
  const double error = row_sum_error(weights);
  const bool shape = weights.shape()[0] == 3 && weights.shape()[1] == 10;
  return holds_if(shape && error < 1e-12,
                  text("注意度の形状は ({}, {})、行の和と 1 の差は最大 {:.1g} です。",
                       "The shape is ({}, {}); row sums differ from 1 by at most {:.1g}.", weights.shape()[0],
                       weights.shape()[1], error),
                  {{"sum_error", error}});
}

// --- Products and additive attention

Finding closer_product(const Mathematics&) {
  const Tensor<double> vectors = circle(360);
  std::size_t exceptions = 0;
  for (std::size_t i = 0; i < 180; ++i) {
    const double here = vectors(i, 0);  // the product with the vector at 0°
    if (here <= vectors(i + 1, 0)) ++exceptions;
  }
  return holds_if(
      exceptions == 0,
      text(
          "長さ 1 のベクトルどうしの角度を 0° から 180° まで 1° ずつ広げると、内積が増えたところは {} "
          "か所です。",
          "Unit vectors turned apart from 0° to 180° in steps of 1°: their product grows at {} of 180 steps.",
          exceptions),
      {{"exceptions", exceptions}});
}

Finding additive_widths(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({2, 3});
  const Tensor<double> key = random.randn({4, 5});
  AdditiveWeights<double> network;
  network.hidden = random.randn({8, 6});
  network.score = random.randn({6});
  const AdditiveStages<double> stages = additive_attention(network, query, key, key);
  const bool product_refuses = refuses([&] { scaled_dot_product_attention(query, key, key); });
  return holds_if(stages.weights.size() == 8 && product_refuses,
                  text("クエリ 3 次元、キー 5 次元で、加法アテンションの注意度は (2, 4) "
                       "になります。内積アテンションは{}。",
                       "With queries of width 3 and keys of width 5 additive attention gives weights (2, 4); "
                       "the dot product {}.",
                       product_refuses ? Text{"エラーになります", "raises an error"}
                                       : Text{"エラーになりません", "raises no error"}),
                  {{"dot_product_refuses", product_refuses}});
}

}  // namespace

std::vector<ClaimCheck> textbook_softmax_checks() {
  return {
      {"A-additive-widths", additive_widths},
      {"A-closer-larger", closer_product},
      {"A-sum-one", positive_and_one},
      {"A-order", softmax_order_kept},
      {"A-exp-50", exp_50},
      {"A-shift", shift_invariance},
      {"A-footnote-b", footnote_b},
      {"A-printed-output", printed_output},
      {"A-nearer-larger", nearer_is_larger},
      {"A-long-vector", long_vector},
      {"A-row-sums", rows_of_three_queries},
      {"A-global-maximum", global_maximum},
  };
}

}  // namespace attnlab
