// Document E: the position representation and its properties.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "claims/claim.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {

using namespace measure;

namespace {

constexpr std::size_t positions = 50;
constexpr std::size_t width = 64;
constexpr double base = 10000.0;

Finding order_changes_nothing(const Mathematics& mathematics) {
  const auto [row_by_row, reordered] = order_difference(mathematics);
  return {
      row_by_row > 1e-6 && reordered < 1e-12 ? Verdict::fails : Verdict::holds,
      {fmt::format(
           "並べ替えの前後で出力を行ごとに比べると、差は {:.2f} です。出力も同じ順に並べ替えて比べると "
           "{:.1g} です。",
           row_by_row, reordered),
       fmt::format("Row by row the outputs differ by {:.2f}; put into the same order, by {:.1g}.", row_by_row,
                   reordered)},
      {"入力を並べ替えると、出力の行も同じ順に並べ替わります。順序の情報が結果に反映されないのは、"
       "スライドの言うとおりです。",
       "Reordering the tokens reorders the output's rows the same way. As the slide goes on to say, no row "
       "knows its place."},
      {{"difference_row_by_row", row_by_row}, {"difference_reordered", reordered}}};
}

Finding norm(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, width, base);
  double low = 1e9;
  double high = 0.0;
  for (std::size_t n = 0; n < positions; ++n) {
    double squares = 0.0;
    for (std::size_t i = 0; i < width; ++i) squares += encoding(n, i) * encoding(n, i);
    low = std::min(low, std::sqrt(squares));
    high = std::max(high, std::sqrt(squares));
  }
  const bool as_printed = std::abs(low - 32.0) < 1e-9 && std::abs(high - 32.0) < 1e-9;
  return {as_printed ? Verdict::holds : Verdict::fails,
          {fmt::format("D = 64 で、ノルムはどの位置でも {:.4f}、その 2 乗が {:.4f} = D/2 です。", high,
                       high * high),
           fmt::format("With D = 64 the norm is {:.4f} at every position; its square is {:.4f} = D/2.", high,
                       high * high)},
          {"‖r_n‖² = D/2、つまり ‖r_n‖ = √(D/2) です（D/2 と一致するのは D = 2 のときだけです）。",
           "‖r_n‖² = D/2, that is ‖r_n‖ = √(D/2), which equals D/2 at D = 2 only."},
          {{"norm", high}, {"squared_norm", high * high}}};
}

Finding unique(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, width, base);
  std::size_t equal = 0;
  for (std::size_t a = 0; a < positions; ++a) {
    for (std::size_t b = a + 1; b < positions; ++b) {
      if (largest_difference(with_rows(encoding, {a}), with_rows(encoding, {b})) < 1e-6) ++equal;
    }
  }
  return {holds_if(equal == 0),
          {fmt::format("50 個の位置のうち、表現が等しい組は {} 個です。", equal),
           fmt::format("Of 50 positions, {} pairs have equal representations.", equal)},
          nothing,
          {{"equal_pairs", static_cast<double>(equal)}}};
}

Finding similarity(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, width, base);
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
      {fmt::format(
           "r_0·r_k は、k = 0 で {:.2f}、1～{} で {:.2f} 以上、{}～49 で {:.2f} 以下です。ただし、k を "
           "1 ずつ増やす 49 回のうち {} 回では増えます（最初は k = {} から {}）。",
           products(0, 0), near, least_near, far, largest_far, rises, first, first + 1),
       fmt::format("r_0·r_k is {0:.2f} for k = 0, {2:.2f} or more for 1 to {1}, {4:.2f} or less for {3} to "
                   "49. But it rises at {5} of 49 steps, first from k = {6} to {7}.",
                   products(0, 0), near, least_near, far, largest_far, rises, first, first + 1)},
      {"近い位置と遠い位置を比べるなら成り立ちます。「遠いほど似ていない」と読むと、単調には減らないので"
       "成り立ちません。",
       "It holds between near and far positions, not as \"the farther, the less similar\": the fall is "
       "not monotone."},
      {{"least_near", least_near},
       {"largest_far", largest_far},
       {"rises", static_cast<double>(rises)},
       {"first_rise", static_cast<double>(first)}}};
}

Finding one_rotation(const Mathematics& mathematics) {
  constexpr std::size_t offset = 5;
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions + offset, width, base);
  const Tensor<double> turned = matmul(encoding, shift_matrix(static_cast<long long>(offset), width, base));
  double largest = 0.0;
  for (std::size_t n = 0; n < positions; ++n) {
    largest =
        std::max(largest, largest_difference(with_rows(turned, {n}), with_rows(encoding, {n + offset})));
  }
  return {holds_if(largest < 1e-12),
          {fmt::format("k = 5 の回転行列 1 つで、50 個の位置がすべて 5 つ先に移り、誤差は最大 {:.1g} です。",
                       largest),
           fmt::format(
               "One rotation matrix for k = 5 moves all 50 positions by 5, with an error of at most {:.1g}.",
               largest)},
          nothing,
          {{"largest_error", largest}}};
}

Finding relative_position(const Mathematics& mathematics) {
  constexpr std::size_t offset = 5;
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, width, base);
  const Tensor<double> key = matmul(encoding, shift_matrix(static_cast<long long>(offset), width, base));
  const Tensor<double> scores = matmul(encoding, transpose(key));  // W_q = I, W_k = the rotation
  double spread = 0.0;
  for (std::size_t m = 1; m < positions; ++m) {
    for (std::size_t n = 1; n < positions; ++n) {
      spread = std::max(spread, std::abs(scores(m, n) - scores(m - 1, n - 1)));
    }
  }
  return {
      holds_if(spread < 1e-10),
      {fmt::format(
           "W^(q) = I、W^(k) = 回転行列とすると、スコアは m - n だけで決まり、ずれは最大 {:.1g} です。",
           spread),
       fmt::format("With W^(q) = I and W^(k) a rotation the scores depend on m - n alone, to within {:.1g}.",
                   spread)},
      nothing,
      {{"largest_deviation", spread}}};
}

}  // namespace

std::vector<Claim> slides_position_claims() {
  const Text place{"位置の表現", "position representation"};
  const Text properties{"位置の表現 r の性質", "properties of the position representation"};
  return {
      {"E-order-nothing",
       Document::slides,
       place,
       {"トークンの入力順序が変わっても出力は変わらない",
        "the output does not change with the order of the tokens"},
       order_changes_nothing},
      {"E-norm", Document::slides, properties, {"‖r_n‖ = D/2", "‖r_n‖ = D/2"}, norm},
      {"E-unique",
       Document::slides,
       properties,
       {"位置が一意的に表現される", "positions are represented uniquely"},
       unique},
      {"E-similarity",
       Document::slides,
       properties,
       {"近い位置では似たベクトル、遠い位置では似ていないベクトル",
        "near positions have similar vectors, far ones dissimilar"},
       similarity},
      {"E-one-rotation",
       Document::slides,
       properties,
       {"r_n と r_{n+k} の関係は … k だけに依存する線形変換",
        "r_n and r_{n+k} are related by a linear map that depends on k alone"},
       one_rotation},
      {"E-relative",
       Document::slides,
       properties,
       {"相対位置が重要なときには … (W^(q), W^(k)) で学習可能",
        "relative position can be learnt by W^(q) and W^(k)"},
       relative_position},
  };
}

}  // namespace attnlab
