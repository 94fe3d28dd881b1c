// Heads cut or joined wrongly: a reshape without the transpose, and a missing W_O.
#include "attention/multi_head.hpp"
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {

namespace {

using namespace worked;
using formula::sym;

constexpr std::size_t tokens = 6;
constexpr std::size_t width = 16;
constexpr std::size_t heads = 4;
constexpr std::size_t head_size = width / heads;

/// How X becomes the rows of head 0, and how that is written.
struct Cut {
  Tensor<double> (*of)(const Tensor<double>& x);
  const char* formula;
  std::size_t stride;  // from one row's beginning to the next in memory
  std::string code;
};

/// Token t's part of head 0: the transpose keeps each token together.
const Cut split{[](const Tensor<double>& x) -> Tensor<double> {
                  return xt::view(x, xt::all(), xt::range(std::size_t{0}, head_size));
                },
                "split(X)", width, fmt::format("x[:, :{}]", head_size)};

/// The same shape from a bare reshape: memory order cuts across the tokens.
const Cut reshape{[](const Tensor<double>& x) {
                    Tensor<double> rows = Tensor<double>::from_shape({tokens, head_size});
                    std::copy_n(x.begin(), rows.size(), rows.begin());
                    return rows;
                  },
                  "reshape(X)", head_size,
                  fmt::format("x.reshape(-1)[:{}].reshape({}, {})", tokens* head_size, tokens, head_size)};

/// Head 0, with queries and keys of the same tokens.
AttentionStages<double> first_head(const Tensor<double>& rows) {
  return scaled_dot_product_attention(rows, rows, rows);
}

/// Reversing the tokens must reverse rows and columns of the weights: the largest difference.
double equivariance_error(const Tensor<double>& x, const Cut& cut) {
  const Tensor<double> reversed = xt::flip(x, 0);
  const Tensor<double> weights = first_head(cut.of(x)).weights;
  const Tensor<double> turned = first_head(cut.of(reversed)).weights;
  return largest_difference(turned, xt::flip(xt::flip(weights, 0), 1));
}

/// H[1] = X[0, 4:8] = (...): where the numbers of a head's rows come from.
std::vector<Chain> cut_lines(const Tensor<double>& rows, const Cut& cut) {
  return lines(tokens, [&](std::size_t t) {
    const std::size_t place = t * cut.stride;  // in memory
    const std::size_t column = place % width;
    const Formula source = sym(fmt::format("X[{}, {}:{}]", place / width, column, column + head_size));
    return equation(entry("H", {t}), {source, numbers(&rows(t, 0), head_size)});
  });
}

/// From the tokens to the weights of head 0.
std::vector<Stage> first_head_steps(const std::string& prefix, const std::string& result, const Cut& cut,
                                    const Tensor<double>& rows) {
  const AttentionStages<double> attention = first_head(rows);
  const std::string head = prefix + "head_0";
  const double scale = 1.0 / std::sqrt(static_cast<double>(head_size));
  return {step(head, cut.formula, rows, {"tokens", "head_width"},
               derived::worked({"x"}, cut_lines(rows, cut), cut.code)),
          steps::raw_scores(prefix + "raw_scores", head, head, attention.raw_scores),
          steps::scaled_scores(prefix + "scores", prefix + "raw_scores", "k", scale, attention.scores),
          steps::softmax(result, prefix + "scores", attention.weights)};
}

MistakeRun reshaped_heads(Inputs& inputs) {
  const Tensor<double> x = inputs.normal("x", {tokens, width});
  const Tensor<double> right = split.of(x);
  const Tensor<double> wrong = reshape.of(x);
  MistakeRun run{first_head(right).weights,
                 first_head(wrong).weights,
                 equivariance_error(x, split),
                 equivariance_error(x, reshape),
                 {input("x", x, {"tokens", "width"})}};
  append(run.steps, first_head_steps("", "right", split, right));
  append(run.steps, first_head_steps("wrong_", "wrong", reshape, wrong));
  return run;
}

// --- A missing W_O

/// The share of the output's columns that head 0 does not reach.
double untouched_share(const Tensor<double>& change) {
  const Tensor<double> largest_of_columns = xt::amax(change, {0});
  const auto untouched = std::count(largest_of_columns.begin(), largest_of_columns.end(), 0.0);
  return static_cast<double>(untouched) / static_cast<double>(width);
}

/// |Y − Y′|, a result with and without head 0; its lines are |Y[0] − Y′[0]| = |(...) − (...)| = (...).
Stage change_step(const std::string& name, const std::string& letter,
                  const std::vector<std::string>& operands, const Tensor<double>& with,
                  const Tensor<double>& without, const Tensor<double>& change, const std::string& columns) {
  const auto line = [&](std::size_t t) {
    return equation(
        formula::row({sym("|"), entry(letter, {t}), sym("−"), entry(letter + "′", {t}), sym("|")}),
        {together({"|", numbers(&with(t, 0), width), "−", numbers(&without(t, 0), width), "|"}),
         numbers(&change(t, 0), width)});
  };
  return step(name, "| " + letter + " − " + letter + "′ |", change, {"tokens", columns},
              derived::worked(operands, lines(tokens, line),
                              fmt::format("abs({} - {})", operands.front(), operands.back())));
}

/// x to concat, and concat once more without head 0.
std::vector<Stage> joined_steps(const Tensor<double>& x, const MultiHeadWeights<double>& weights,
                                const MultiHeadStages<double>& with, const Tensor<double>& silenced) {
  const steps::Axes per_head{"heads", "width", "head_width"};
  const steps::Axes projected{"heads", "tokens", "head_width"};
  const steps::Axes pair{"heads", "queries", "keys"};
  const steps::Axes joined{"tokens", "heads_width"};
  const double scale = 1.0 / std::sqrt(static_cast<double>(head_size));
  // concat with 0 in the columns of head 0
  const std::vector<Chain> silenced_lines = lines(
      tokens, [&](std::size_t t) { return equation(entry("Z′", {t}), {numbers(&silenced(t, 0), width)}); });
  return {input("x", x, {"tokens", "width"}),
          input("w_query", weights.query, per_head),
          input("w_key", weights.key, per_head),
          input("w_value", weights.value, per_head),
          input("w_output", weights.output, {"heads_width", "width"}),
          step("query", "X W_Q", with.query, projected, derived::product("x", "w_query")),
          step("key", "X W_K", with.key, projected, derived::product("x", "w_key")),
          step("value", "X W_V", with.value, projected, derived::product("x", "w_value")),
          steps::raw_scores("raw_scores", "query", "key", with.attention.raw_scores, pair),
          steps::scaled_scores("scores", "raw_scores", "k", scale, with.attention.scores, pair),
          steps::softmax("weights", "scores", with.attention.weights, pair),
          step("head_output", "A V", with.attention.output, projected, derived::product("weights", "value")),
          step("concat", "Concat(heads)", with.concat, joined, derived::join_heads("head_output")),
          step("silenced_concat", "Concat(0, head_1, ⋯)", silenced, joined,
               derived::worked({"concat"}, silenced_lines,
                               fmt::format("np.concatenate((0 * concat[:, :{0}], concat[:, {0}:]), axis=-1)",
                                           head_size)))};
}

MistakeRun no_output_projection(Inputs& inputs) {
  const Tensor<double> x = inputs.normal("x", {tokens, width});
  MultiHeadWeights<double> weights;
  weights.query = inputs.normal("w_query", {heads, width, head_size}, times(0.1));
  weights.key = inputs.normal("w_key", {heads, width, head_size}, times(0.1));
  weights.value = inputs.normal("w_value", {heads, width, head_size}, times(0.1));
  weights.output =
      inputs.normal("w_output", {width, width}, times(0.25));  // 1/√width keeps the size of what it mixes
  MultiHeadWeights<double> silenced = weights;
  xt::view(silenced.value, 0, xt::all(), xt::all()) = 0.0;
  const MultiHeadStages<double> with = multi_head_attention(weights, x, x, x);
  const MultiHeadStages<double> without = multi_head_attention(silenced, x, x, x);
  // |change| of a layer's output when head 0 gives nothing: (tokens, width)
  MistakeRun run =
      compared(xt::abs(with.output - without.output), xt::abs(with.concat - without.concat), untouched_share);
  run.steps = joined_steps(x, weights, with, without.concat);
  append(run.steps,
         {step("output", "Z W_O", with.output, {"tokens", "width"}, derived::product("concat", "w_output")),
          step("silenced_output", "Z′ W_O", without.output, {"tokens", "width"},
               derived::product("silenced_concat", "w_output")),
          change_step("right", "Y", {"output", "silenced_output"}, with.output, without.output, run.right,
                      "width"),
          change_step("wrong", "Z", {"concat", "silenced_concat"}, with.concat, without.concat, run.wrong,
                      "heads_width")});
  return run;
}

}  // namespace

ShownMistakes mistakes_of_heads() {
  const HeatMap change = HeatMap{"change"}
                             .rows({"クエリ", "Query"})
                             .columns({"出力の次元", "Output dimension"})
                             .coloured({Palette::blues, 0.0, 1.0, {"出力の変化", "Change"}});
  return {{"reshaped-heads",
           {reshaped_heads, weights_picture()
                                .coloured({Palette::blues, 0.0, 1.0, {"ヘッド 0 の注意度", "Weight, head 0"}})
                                .with_numbers(2)}},
          {"no-output-projection",
           {no_output_projection, change, RowNames::numbers, Framed::none, InputKind::normal}}};
}

}  // namespace attnlab
