// Heads cut or joined wrongly: a reshape without the transpose, and a missing W_O.
#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "experiments/mistakes/mistake.hpp"

namespace attnlab {

namespace {

constexpr std::size_t tokens = 6;
constexpr std::size_t width = 16;
constexpr std::size_t heads = 4;
constexpr std::size_t head_size = width / heads;

/// (tokens, width) to (heads, tokens, head_size): the transpose keeps each token together.
Tensor<double> split(const Tensor<double>& x) {
  Tensor<double> parts = Tensor<double>::from_shape({heads, tokens, head_size});
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t t = 0; t < tokens; ++t)
      for (std::size_t i = 0; i < head_size; ++i) parts(h, t, i) = x(t, h * head_size + i);
  return parts;
}

/// The same shape from a bare reshape: memory order cuts across the tokens.
Tensor<double> reshape(const Tensor<double>& x) {
  Tensor<double> parts = x;
  parts.reshape({heads, tokens, head_size});
  return parts;
}

using Split = Tensor<double> (*)(const Tensor<double>&);

/// The weights of head 0, with queries and keys of the same tokens.
Tensor<double> first_head(const Tensor<double>& x, Split cut) {
  const Tensor<double> parts = cut(x);
  const Tensor<double> weights = scaled_dot_product_attention(parts, parts, parts).weights;
  Tensor<double> first = Tensor<double>::from_shape({tokens, tokens});
  std::copy(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(first.size()), first.begin());
  return first;
}

Tensor<double> reversed(const Tensor<double>& x) {
  Tensor<double> result = Tensor<double>::from_shape(x.shape());
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t i = 0; i < x.shape()[1]; ++i) result(t, i) = x(tokens - 1 - t, i);
  return result;
}

/// Reversing the tokens must reverse rows and columns of the weights: the largest difference.
double equivariance_error(const Tensor<double>& x, Split cut) {
  const Tensor<double> weights = first_head(x, cut);
  const Tensor<double> turned = first_head(reversed(x), cut);
  double largest = 0.0;
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t j = 0; j < tokens; ++j)
      largest = std::max(largest, std::abs(turned(i, j) - weights(tokens - 1 - i, tokens - 1 - j)));
  return largest;
}

MistakeRun reshaped_heads(RandomStream& random) {
  const Tensor<double> x = random.randn({tokens, width});
  return {first_head(x, split), first_head(x, reshape), equivariance_error(x, split),
          equivariance_error(x, reshape)};
}

/// |change| of a layer's output when head 0 gives nothing: (tokens, width).
Tensor<double> influence_of_first_head(const Tensor<double>& with, const Tensor<double>& without) {
  Tensor<double> change = with - without;
  for (double& value : change) value = std::abs(value);
  return change;
}

/// The share of the output's columns that head 0 does not reach.
double untouched_share(const Tensor<double>& change) {
  std::size_t untouched = 0;
  for (std::size_t i = 0; i < width; ++i) {
    double largest = 0.0;
    for (std::size_t t = 0; t < tokens; ++t) largest = std::max(largest, change(t, i));
    untouched += largest == 0.0 ? 1 : 0;
  }
  return static_cast<double>(untouched) / static_cast<double>(width);
}

MistakeRun no_output_projection(RandomStream& random) {
  const Tensor<double> x = random.randn({tokens, width});
  MultiHeadWeights<double> weights;
  weights.query = random.randn({heads, width, head_size}) * 0.1;
  weights.key = random.randn({heads, width, head_size}) * 0.1;
  weights.value = random.randn({heads, width, head_size}) * 0.1;
  weights.output = random.randn({width, width}) * 0.25;  // 1/√width keeps the size of what it mixes
  MultiHeadWeights<double> silenced = weights;
  std::fill(silenced.value.begin(), silenced.value.begin() + static_cast<std::ptrdiff_t>(width * head_size),
            0.0);
  const MultiHeadStages<double> with = multi_head_attention(weights, x, x, x);
  const MultiHeadStages<double> without = multi_head_attention(silenced, x, x, x);
  MistakeRun run;
  run.right = influence_of_first_head(with.output, without.output);
  run.wrong = influence_of_first_head(with.concat, without.concat);
  run.right_error = untouched_share(run.right);
  run.wrong_error = untouched_share(run.wrong);
  return run;
}

}  // namespace

std::vector<Mistake> head_mistakes() {
  return {
      {"reshaped-heads",
       {"転置せずに reshape でヘッドに分ける", "heads split by reshape without transpose"},
       {"転置のない reshape：ヘッドにトークンの断片が混ざる",
        "Reshape without transpose: heads mix pieces of tokens"},
       {"(L, H·D) を (H, L, D) に直接 reshape すると、メモリの並びのまま切られ、1 "
        "つのヘッドに別々のトークンの断片が混ざります。",
        "Reshaping (L, H·D) straight to (H, L, D) cuts along memory: a head receives pieces of different "
        "tokens "
        "and columns."},
       {"形状は正しく、行の和も 1 のままですが、行と列はもうトークンに対応しません。",
        "All shapes are right and rows still sum to 1, but rows and columns no longer stand for tokens."},
       "x.reshape(L, H, D).transpose(1, 0, 2)",
       "x.reshape(H, L, D)",
       "permutation_equivariance",
       {"トークンを並べ替えると、注意度の行と列も同じに並ぶ",
        "reordering the tokens reorders rows and columns of the weights"},
       1e-12,
       {"同じ計算の丸め誤差", "rounding of the same computation"},
       {{"クエリ", "Query"}, {"キー", "Key"}, {"ヘッド 0 の注意度", "Weight, head 0"}, Palette::blues, 2},
       reshaped_heads},
      {"no-output-projection",
       {"出力の射影 W_O がない", "the output projection is missing"},
       {"出力の射影がない：ヘッド 0 は自分の列にしか書けない",
        "No output projection: head 0 writes to its own columns alone"},
       {"ヘッドの出力を結合しただけで、W_O を掛けていません。",
        "The heads' outputs are joined, but W_O is not applied."},
       {"d_v·H = d_model なら形状は合います。しかし各ヘッドは自分の列にしか書けず、情報が統合されません。",
        "With d_v·H = d_model the shapes fit. But each head writes to its own columns alone; nothing mixes "
        "them."},
       "output = concat @ W_O",
       "output = concat",
       "every_column_reads_every_head",
       {"出力のどの列もヘッド 0 の影響を受ける", "head 0 reaches every column of the output"},
       0.0,
       {"列の割合", "a share of columns"},
       {{"クエリ", "Query"},
        {"出力の次元", "Output dimension"},
        {"出力の変化", "Change"},
        Palette::blues,
        no_numbers},
       no_output_projection}};
}

}  // namespace attnlab
