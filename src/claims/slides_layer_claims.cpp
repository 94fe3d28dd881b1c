// Document E: what stands around attention: layer normalisation, the MLP, and the position representation.
#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "attention/transformer_layer.hpp"
#include "claims/claim.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

Finding layer_norm_divisor(const Mathematics& mathematics) {
  const Tensor<double> y{1.0, 2.0, 3.0, 4.0};
  LayerNorm<double> as_printed;
  as_printed.divisor = NormDivisor::standard_deviation;
  const double printed = std::pow(standard_deviation(mathematics.layer_norm(as_printed, y)), 2);
  const double defined = std::pow(standard_deviation(mathematics.layer_norm({}, y)), 2);
  const bool normalises = std::abs(printed - 1.0) < 1e-3;
  return holds_if(
      normalises,
      text("1, 2, 3, 4 を √(σ + δ) で割ると、分散は {:.3f}。√(σ² + δ) なら {:.3f} です。",
           "Dividing 1, 2, 3, 4 by √(σ + δ) leaves variance {:.3f}; by √(σ² + δ) {:.3f}.", printed, defined),
      {{"variance_as_printed", printed}, {"variance_as_defined", defined}});
}

Finding same_mlp_for_rows(const Mathematics&) {
  NumpyRandom random(0);
  FeedForward<double> mlp;
  mlp.first.weight = random.randn({8, 4});
  mlp.second.weight = random.randn({4, 8});
  const Tensor<double> tokens = random.randn({3, 4});
  const Tensor<double> together = feed_forward(mlp, tokens).output;
  double largest = 0.0;
  for (std::size_t row = 0; row < 3; ++row) {
    const Tensor<double> alone = feed_forward(mlp, with_rows(tokens, {row})).output;
    largest = std::max(largest, largest_difference(alone, with_rows(together, {row})));
  }
  return holds_if(largest < 1e-12,
                  text("3 行を一度に入れても 1 行ずつ入れても、出力の差は {:.1g} です。",
                       "Three rows at once or one by one: the outputs differ by {:.1g}.", largest),
                  {{"largest_difference", largest}});
}

// --- The position representation

constexpr std::size_t positions = 50;
constexpr std::size_t encoding_width = 64;
constexpr double base = 10000.0;

Finding order_changes_nothing(const Mathematics& mathematics) {
  const auto [row_by_row, reordered] = order_difference(mathematics);
  return fails_if(row_by_row > 1e-6 && reordered < 1e-12,
                  text("並べ替えの前後で出力を行ごとに比べると、差は {:.2f} "
                       "です。出力も同じ順に並べ替えて比べると {:.1g} です。",
                       "Row by row the outputs differ by {:.2f}; put into the same order, by {:.1g}.",
                       row_by_row, reordered),
                  {{"difference_row_by_row", row_by_row}, {"difference_reordered", reordered}});
}

Finding norm(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  double low = 1e9;
  double high = 0.0;
  for (std::size_t n = 0; n < positions; ++n) {
    double squares = 0.0;
    for (std::size_t i = 0; i < encoding_width; ++i) squares += encoding(n, i) * encoding(n, i);
    low = std::min(low, std::sqrt(squares));
    high = std::max(high, std::sqrt(squares));
  }
  const bool as_printed = std::abs(low - 32.0) < 1e-9 && std::abs(high - 32.0) < 1e-9;
  return holds_if(as_printed,
                  text("D = 64 で、ノルムはどの位置でも {:.4f}、その 2 乗が {:.4f} = D/2 です。",
                       "With D = 64 the norm is {:.4f} at every position; its square is {:.4f} = D/2.", high,
                       high * high),
                  {{"norm", high}, {"squared_norm", high * high}});
}

Finding unique(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  std::size_t equal = 0;
  for (std::size_t a = 0; a < positions; ++a) {
    for (std::size_t b = a + 1; b < positions; ++b) {
      if (largest_difference(with_rows(encoding, {a}), with_rows(encoding, {b})) < 1e-6) ++equal;
    }
  }
  return holds_if(equal == 0,
                  text("50 個の位置のうち、表現が等しい組は {} 個です。",
                       "Of 50 positions, {} pairs have equal representations.", equal),
                  {{"equal_pairs", equal}});
}

Finding similarity(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  const Tensor<double> products = matmul(encoding, transpose(encoding));
  constexpr std::size_t near = 5;  // up to five steps away
  constexpr std::size_t far = 25;  // half of the positions away, or more
  double least_near = products(0, 0);
  double largest_far = 0.0;
  std::size_t rises = 0;
  std::size_t first = 0;
  for (std::size_t k = 1; k < positions; ++k) {
    if (k <= near) least_near = std::min(least_near, products(0, k));
    if (k >= far) largest_far = std::max(largest_far, products(0, k));
    if (products(0, k) > products(0, k - 1) && rises++ == 0) first = k - 1;
  }
  const Verdict otherwise = rises == 0 ? Verdict::holds : Verdict::holds_only_if;
  return {
      least_near > largest_far ? otherwise : Verdict::fails,
      text("r_0·r_k は、k = 0 で {:.2f}、1～{} で {:.2f} 以上、{}～49 で {:.2f} 以下です。ただし、k を 1 "
           "ずつ増やす 49 回のうち {} 回では増えます（最初は k = {} から {}）。",
           "r_0·r_k is {0:.2f} for k = 0, {2:.2f} or more for 1 to {1}, {4:.2f} or less for {3} to 49. But "
           "it rises at {5} of 49 steps, first from k = {6} to {7}.",
           products(0, 0), near, least_near, far, largest_far, rises, first, first + 1),
      {{"least_near", least_near}, {"largest_far", largest_far}, {"rises", rises}, {"first_rise", first}}};
}

Finding one_rotation(const Mathematics& mathematics) {
  constexpr std::size_t offset = 5;
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions + offset, encoding_width, base);
  const Tensor<double> turned =
      matmul(encoding, shift_matrix(static_cast<long long>(offset), encoding_width, base));
  double largest = 0.0;
  for (std::size_t n = 0; n < positions; ++n) {
    largest =
        std::max(largest, largest_difference(with_rows(turned, {n}), with_rows(encoding, {n + offset})));
  }
  return holds_if(
      largest < 1e-12,
      text("k = 5 の回転行列 1 つで、50 個の位置がすべて 5 つ先に移り、誤差は最大 {:.1g} です。",
           "One rotation matrix for k = 5 moves all 50 positions by 5, with an error of at most {:.1g}.",
           largest),
      {{"largest_error", largest}});
}

Finding relative_position(const Mathematics& mathematics) {
  constexpr std::size_t offset = 5;
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  const Tensor<double> key =
      matmul(encoding, shift_matrix(static_cast<long long>(offset), encoding_width, base));
  const Tensor<double> scores = matmul(encoding, transpose(key));  // W_q = I, W_k = the rotation
  double spread = 0.0;
  for (std::size_t m = 1; m < positions; ++m) {
    for (std::size_t n = 1; n < positions; ++n) {
      spread = std::max(spread, std::abs(scores(m, n) - scores(m - 1, n - 1)));
    }
  }
  return holds_if(
      spread < 1e-10,
      text("W^(q) = I、W^(k) = 回転行列とすると、スコアは m - n だけで決まり、ずれは最大 {:.1g} です。",
           "With W^(q) = I and W^(k) a rotation the scores depend on m - n alone, to within {:.1g}.", spread),
      {{"largest_deviation", spread}});
}

}  // namespace

std::vector<ClaimCheck> slides_layer_checks() {
  return {
      {"E-layer-norm", layer_norm_divisor},
      {"E-mlp-rows", same_mlp_for_rows},
      {"E-order-nothing", order_changes_nothing},
      {"E-norm", norm},
      {"E-unique", unique},
      {"E-similarity", similarity},
      {"E-one-rotation", one_rotation},
      {"E-relative", relative_position},
  };
}

}  // namespace attnlab
