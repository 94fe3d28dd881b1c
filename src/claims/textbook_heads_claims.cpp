// Document A, section 2.2.4: the widths of multi-head attention.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attention/multi_head.hpp"
#include "attention/scaled_dot_product.hpp"
#include "claims/claim.hpp"
#include "core/error.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {

using namespace measure;

namespace {

/// Whether a computation raises an error about shapes.
template <class Computation>
bool refuses(Computation computation) {
  try {
    computation();
  } catch (const Error&) {
    return true;
  }
  return false;
}

Finding free_widths(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({3, 8});
  const auto attend = [&](std::size_t d_q, std::size_t d_k, std::size_t d_v) {
    return refuses([&] {
      MultiHeadWeights<double> weights;
      weights.query = random.randn({2, 8, d_q});
      weights.key = random.randn({2, 8, d_k});
      weights.value = random.randn({2, 8, d_v});
      weights.output = random.randn({2 * d_v, 8});
      multi_head_attention(weights, x, x, x);
    });
  };
  const bool unequal_refused = attend(3, 4, 5);
  const bool value_free = !attend(4, 4, 5);
  return {unequal_refused && value_free ? Verdict::fails : Verdict::holds,
          {fmt::format("d_q = 3, d_k = 4 では内積が{}。d_q = d_k = 4 なら、d_v = 5 でも{}。",
                       unequal_refused ? "計算できません" : "計算できます",
                       value_free ? "計算できます" : "計算できません"),
           fmt::format("With d_q = 3 and d_k = 4 the dot product {}; with d_q = d_k = 4, d_v = 5 {}.",
                       unequal_refused ? "cannot be computed" : "can be computed",
                       value_free ? "works" : "fails")},
          {"d_q = d_k が必要です。自由に選べるのは、この共通の次元と d_v です。",
           "d_q = d_k is required; that common width and d_v are free."},
          {{"unequal_refused", unequal_refused ? 1.0 : 0.0}, {"value_width_free", value_free ? 1.0 : 0.0}}};
}

// Code 2.2.11
constexpr std::size_t heads = 4;
constexpr std::size_t d_model = 16;

/// Code 2.2.10 with the shapes of code 2.2.11: does an output layer with that many inputs fit?
bool output_layer_fits(std::size_t inputs, std::size_t d_v) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({2, 3, d_model});
  const Tensor<double> key = random.randn({2, 4, d_model});
  MultiHeadWeights<double> weights;
  weights.query = random.randn({heads, d_model, 4});
  weights.key = random.randn({heads, d_model, 4});
  weights.value = random.randn({heads, d_model, d_v});
  weights.output = random.randn({inputs, d_model});
  return !refuses([&] { multi_head_attention(weights, query, key, key); });
}

Finding output_layer(const Mathematics&) {
  const bool as_printed = output_layer_fits(heads * d_model, 4);
  const bool with_wide_values = output_layer_fits(heads * d_model, d_model);
  const bool corrected = output_layer_fits(heads * 4, 4);
  const bool conditional = !as_printed && with_wide_values && corrected;
  return {
      conditional ? Verdict::holds_only_if : (as_printed ? Verdict::holds : Verdict::fails),
      {fmt::format(
           "コード 2.2.11 の形状では、結合したヘッドは 4 × 4 = 16 次元、linear_o の入力は 4 × 16 = 64 "
           "次元で、{}。d_v = d_model = 16 なら{}。",
           as_printed ? "計算できます" : "掛けられません", with_wide_values ? "合います" : "合いません"),
       fmt::format("With the shapes of code 2.2.11 the joined heads have width 4 × 4 = 16 and linear_o takes "
                   "4 × 16 = "
                   "64 inputs: {}. With d_v = d_model = 16 it {}.",
                   as_printed ? "it works" : "they do not fit", with_wide_values ? "fits" : "does not fit")},
      {"本文のように d_v = d_model なら成り立ちます。一般には nn.Linear(n_heads * d_v, d_model) とします。",
       "It holds if d_v = d_model, as the prose says. In general: nn.Linear(n_heads * d_v, d_model)."},
      {{"fits_as_printed", as_printed ? 1.0 : 0.0},
       {"fits_with_d_v_equal_d_model", with_wide_values ? 1.0 : 0.0}}};
}

Finding concatenation(const Mathematics&) {
  // Two heads whose outputs are (1, 2, 3) and (4, 5, 6): one key, whose weight is 1.
  MultiHeadWeights<double> weights;
  weights.query = Tensor<double>::from_shape({2, 1, 1});
  weights.query.fill(1.0);
  weights.key = weights.query;
  weights.value = Tensor<double>::from_shape({2, 1, 3});
  for (std::size_t i = 0; i < 6; ++i) weights.value.flat(i) = static_cast<double>(i + 1);
  weights.output = Tensor<double>::from_shape({6, 1});
  weights.output.fill(1.0);
  Tensor<double> one = Tensor<double>::from_shape({1, 1});
  one.fill(1.0);
  const Tensor<double> joined = multi_head_attention(weights, one, one, one).concat;
  bool in_order = joined.size() == 6;
  for (std::size_t i = 0; in_order && i < 6; ++i) in_order = joined.flat(i) == static_cast<double>(i + 1);
  return {in_order ? Verdict::holds : Verdict::fails,
          {fmt::format("結合した結果は ({}) です。", fmt::join(joined.begin(), joined.end(), ", ")),
           fmt::format("The joined vector is ({}).", fmt::join(joined.begin(), joined.end(), ", "))},
          nothing,
          {{"in_order", in_order ? 1.0 : 0.0}}};
}

Finding output_adjusts_width(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({3, 8});
  MultiHeadWeights<double> weights;
  weights.query = random.randn({3, 8, 2});
  weights.key = random.randn({3, 8, 2});
  weights.value = random.randn({3, 8, 2});
  weights.output = random.randn({6, 8});
  const MultiHeadStages<double> stages = multi_head_attention(weights, x, x, x);
  const std::size_t joined = stages.concat.shape().back();
  const std::size_t output = stages.output.shape().back();
  return {
      joined != 8 && output == 8 ? Verdict::holds : Verdict::fails,
      {fmt::format("3 ヘッド × 2 次元を結合すると {} 次元、W_O を掛けると入力と同じ {} 次元です。", joined,
                   output),
       fmt::format("Three heads of width 2 join to {}; W_O brings them back to {}, the width of the input.",
                   joined, output)},
      nothing,
      {{"joined_width", static_cast<double>(joined)}, {"output_width", static_cast<double>(output)}}};
}

}  // namespace

std::vector<Claim> textbook_heads_claims() {
  const Text section{"2.2.4 項", "section 2.2.4"};
  return {
      {"A-free-widths",
       Document::textbook,
       section,
       {"変換後の次元は … 理論上はどのようにも取れます",
        "the widths after the projection may be anything in theory"},
       free_widths},
      {"A-output-width",
       Document::textbook,
       section,
       {"次元の調整：… 元の入力ベクトルの次元にならない場合があります",
        "adjusting the width: the joined heads may not have that of the input"},
       output_adjusts_width},
      {"A-concat",
       Document::textbook,
       section,
       {"concat(o'_1, o'_2) = (1,2,3,4,5,6)", "concat(o'_1, o'_2) = (1,2,3,4,5,6)"},
       concatenation},
      {"A-output-layer",
       Document::textbook,
       {"コード 2.2.10, 2.2.11", "code 2.2.10 and 2.2.11"},
       {"nn.Linear(n_heads * d_model, d_model)", "nn.Linear(n_heads * d_model, d_model)"},
       output_layer},
  };
}

}  // namespace attnlab
