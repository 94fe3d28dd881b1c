// Heads cut or joined wrongly: a reshape without the transpose, and a missing W_O.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "experiments/mistakes/mistake_steps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {

namespace {

using formula::row;
using formula::sub;
using formula::sym;

constexpr std::size_t tokens = 6;
constexpr std::size_t width = 16;
constexpr std::size_t heads = 4;
constexpr std::size_t head_size = width / heads;

/// Token t's part of head 0: the transpose keeps each token together.
Tensor<double> split(const Tensor<double>& x) {
  Tensor<double> part = Tensor<double>::from_shape({tokens, head_size});
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t i = 0; i < head_size; ++i) part(t, i) = x(t, i);
  return part;
}

/// The same shape from a bare reshape: memory order cuts across the tokens.
Tensor<double> reshape(const Tensor<double>& x) {
  Tensor<double> part = Tensor<double>::from_shape({tokens, head_size});
  std::copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(part.size()), part.begin());
  return part;
}

using Split = Tensor<double> (*)(const Tensor<double>&);

/// Head 0, with queries and keys of the same tokens.
AttentionStages<double> first_head(const Tensor<double>& part) {
  return scaled_dot_product_attention(part, part, part);
}

Tensor<double> reversed(const Tensor<double>& x) {
  Tensor<double> result = Tensor<double>::from_shape(x.shape());
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t i = 0; i < x.shape()[1]; ++i) result(t, i) = x(tokens - 1 - t, i);
  return result;
}

/// Reversing the tokens must reverse rows and columns of the weights: the largest difference.
double equivariance_error(const Tensor<double>& x, Split cut) {
  const Tensor<double> weights = first_head(cut(x)).weights;
  const Tensor<double> turned = first_head(cut(reversed(x))).weights;
  double largest = 0.0;
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t j = 0; j < tokens; ++j)
      largest = std::max(largest, std::abs(turned(i, j) - weights(tokens - 1 - i, tokens - 1 - j)));
  return largest;
}

/// H[1] = X[0, 4:8] = (...): where the numbers of a head's rows come from.
std::vector<Chain> cut_lines(const Tensor<double>& part, bool keeps_tokens) {
  std::vector<Chain> lines;
  for (std::size_t t = 0; t < tokens; ++t) {
    const std::size_t place = keeps_tokens ? t * width : t * head_size;  // in memory
    const std::size_t column = place % width;
    const Formula source = sym(fmt::format("X[{}, {}:{}]", place / width, column, column + head_size));
    lines.push_back(worked::equation(worked::entry("H", {t}),
                                     {worked::exactly(source), worked::numbers(&part(t, 0), head_size)}));
  }
  return lines;
}

/// From the tokens to the weights of head 0.
std::vector<Stage> first_head_steps(const std::string& prefix, const std::string& result, bool keeps_tokens,
                                    const Tensor<double>& part) {
  const AttentionStages<double> attention = first_head(part);
  const std::string head = prefix + "head_0";
  const double scale = 1.0 / std::sqrt(static_cast<double>(head_size));
  return {{head, row({sym(keeps_tokens ? "split" : "reshape"), sym("("), sym("X"), sym(")")}),
           to_array(part, {"tokens", "head_width"}), derived::worked({"x"}, cut_lines(part, keeps_tokens))},
          steps::raw_scores(prefix + "raw_scores", head, head, attention.raw_scores),
          steps::scaled_scores(prefix + "scores", prefix + "raw_scores", "k", scale, attention.scores),
          steps::softmax(result, prefix + "scores", attention.weights)};
}

MistakeRun reshaped_heads(RandomStream& random) {
  const Tensor<double> x = random.randn({tokens, width});
  const Tensor<double> right = split(x);
  const Tensor<double> wrong = reshape(x);
  MistakeRun run{first_head(right).weights,
                 first_head(wrong).weights,
                 equivariance_error(x, split),
                 equivariance_error(x, reshape),
                 {steps::given("x", x, {"tokens", "width"})}};
  steps::append(run.steps, first_head_steps("", "right", true, right));
  steps::append(run.steps, first_head_steps("wrong_", "wrong", false, wrong));
  return run;
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

/// |Y[0] − Y′[0]| = |(...) − (...)| = (...), entry by entry.
Derivation change_derivation(const char* letter, std::vector<std::string> operands,
                             const Tensor<double>& with, const Tensor<double>& without,
                             const Tensor<double>& change) {
  const std::string changed = std::string(letter) + "′";
  const auto size_of = [](const Written& a, const Written& b) {
    return worked::together({worked::exactly("|"), a, worked::exactly("−"), b, worked::exactly("|")});
  };
  std::vector<Chain> lines;
  for (std::size_t t = 0; t < tokens; ++t) {
    const Written names =
        size_of(worked::exactly(worked::entry(letter, {t})), worked::exactly(worked::entry(changed, {t})));
    lines.push_back(worked::equation(
        names.formula, {size_of(worked::numbers(&with(t, 0), width), worked::numbers(&without(t, 0), width)),
                        worked::numbers(&change(t, 0), width)}));
  }
  return derived::worked(std::move(operands), std::move(lines));
}

/// concat with 0 in the columns of head 0.
std::vector<Chain> silenced_lines(const Tensor<double>& silenced) {
  std::vector<Chain> lines;
  for (std::size_t t = 0; t < tokens; ++t) {
    lines.push_back(worked::equation(worked::entry("Z′", {t}), {worked::numbers(&silenced(t, 0), width)}));
  }
  return lines;
}

/// x to concat, and concat once more without head 0.
std::vector<Stage> joined_steps(const Tensor<double>& x, const MultiHeadWeights<double>& weights,
                                const MultiHeadStages<double>& with, const Tensor<double>& silenced) {
  const steps::Axes per_head{"heads", "width", "head_width"};
  const steps::Axes part{"heads", "tokens", "head_width"};
  const steps::Axes pair{"heads", "queries", "keys"};
  const steps::Axes joined{"tokens", "heads_width"};
  const double scale = 1.0 / std::sqrt(static_cast<double>(head_size));
  const auto projected = [](const char* letter) { return row({sym("X"), sub(sym("W"), sym(letter))}); };
  return {steps::given("x", x, {"tokens", "width"}),
          steps::given("w_query", weights.query, per_head),
          steps::given("w_key", weights.key, per_head),
          steps::given("w_value", weights.value, per_head),
          steps::given("w_output", weights.output, {"heads_width", "width"}),
          {"query", projected("Q"), to_array(with.query, part), derived::product("x", "w_query")},
          {"key", projected("K"), to_array(with.key, part), derived::product("x", "w_key")},
          {"value", projected("V"), to_array(with.value, part), derived::product("x", "w_value")},
          steps::raw_scores("raw_scores", "query", "key", with.attention.raw_scores, pair),
          steps::scaled_scores("scores", "raw_scores", "k", scale, with.attention.scores, pair),
          steps::softmax("weights", "scores", with.attention.weights, pair),
          {"head_output", row({sym("A"), sym("V")}), to_array(with.attention.output, part),
           derived::product("weights", "value")},
          {"concat", formula::call("Concat", sym("heads")), to_array(with.concat, joined),
           derived::join_heads("head_output")},
          {"silenced_concat",
           row({formula::call("Concat",
                              row({sym("0"), sym(","), sub(sym("head"), sym("1")), sym(","), sym("⋯")}))}),
           to_array(silenced, joined), derived::worked({"concat"}, silenced_lines(silenced))}};
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
  run.steps = joined_steps(x, weights, with, without.concat);
  const auto output_step = [](const char* name, const char* concat, const Formula& letter,
                              const Tensor<double>& values) {
    return Stage{name, row({letter, sub(sym("W"), sym("O"))}), to_array(values, {"tokens", "width"}),
                 derived::product(concat, "w_output")};
  };
  run.steps.push_back(output_step("output", "concat", sym("Z"), with.output));
  run.steps.push_back(output_step("silenced_output", "silenced_concat", sym("Z′"), without.output));
  const auto change_of = [](const char* letter) {
    return row({sym("|"), sym(letter), sym("−"), sym(std::string(letter) + "′"), sym("|")});
  };
  run.steps.push_back(
      {"right", change_of("Y"), to_array(run.right, {"tokens", "width"}),
       change_derivation("Y", {"output", "silenced_output"}, with.output, without.output, run.right)});
  run.steps.push_back(
      {"wrong", change_of("Z"), to_array(run.wrong, {"tokens", "heads_width"}),
       change_derivation("Z", {"concat", "silenced_concat"}, with.concat, without.concat, run.wrong)});
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
