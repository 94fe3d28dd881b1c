// Heads cut or joined wrongly: a reshape without the transpose, and a missing W_O.
#include "attention/weight_layout.hpp"
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

/// Reversing the tokens must reverse rows and columns of the weights: the largest difference.
double equivariance_error(const Tensor<double>& x, const Cut& cut) {
  const Tensor<double> reversed = xt::flip(x, 0);
  const auto weights_of = [&cut](const Tensor<double>& tokens_of_head) {
    const Tensor<double> rows = cut.of(tokens_of_head);
    return scaled_dot_product_attention(rows, rows, rows).weights;
  };
  const Tensor<double> weights = weights_of(x);
  const Tensor<double> turned = weights_of(reversed);
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
Tensor<double> record_first_head(Tape& tape, const std::string& prefix, const std::string& result,
                                 const Cut& cut) {
  const Tensor<double> rows = cut.of(tape.numbers_of("x"));
  const std::string head = prefix + "head_0";
  tape.step(head, cut.formula, rows, {"tokens", "head_width"},
            derived::worked({"x"}, cut_lines(rows, cut), cut.code));
  record_scores(tape, head, head, prefix);
  return tape.softmax(result, "softmax(S)", prefix + "scores");
}

MistakeRun reshaped_heads(Tape& tape) {
  const Tensor<double> x = tape.normal("x", {tokens, width}, {"tokens", "width"});
  Tensor<double> right = record_first_head(tape, "", "right", split);
  return {std::move(right), record_first_head(tape, "wrong_", "wrong", reshape), equivariance_error(x, split),
          equivariance_error(x, reshape)};
}

// --- A missing W_O

/// The share of the output's columns that head 0 does not reach.
double untouched_share(const Tensor<double>& change) {
  const Tensor<double> largest_of_columns = xt::amax(change, {0});
  const auto untouched = std::count(largest_of_columns.begin(), largest_of_columns.end(), 0.0);
  return static_cast<double>(untouched) / static_cast<double>(width);
}

/// |Y − Y′| of two stages, a result with and without head 0; its lines are |Y[0] − Y′[0]| = |(...) − (...)| =
/// (...).
Tensor<double> record_change(Tape& tape, const std::string& name, const std::string& letter,
                             const std::string& with, const std::string& without,
                             const std::string& columns) {
  const Tensor<double> whole = tape.numbers_of(with);
  const Tensor<double> rest = tape.numbers_of(without);
  const Tensor<double> change = xt::abs(whole - rest);
  const auto line = [&](std::size_t t) {
    return equation(
        formula::row({sym("|"), entry(letter, {t}), sym("−"), entry(letter + "′", {t}), sym("|")}),
        {together({"|", numbers(&whole(t, 0), width), "−", numbers(&rest(t, 0), width), "|"}),
         numbers(&change(t, 0), width)});
  };
  return tape.step(
      name, "| " + letter + " − " + letter + "′ |", change, {"tokens", columns},
      derived::worked({with, without}, lines(tokens, line), fmt::format("abs({} - {})", with, without)));
}

/// From x to concat.
Tensor<double> record_joined_heads(Tape& tape) {
  const Axes per_head{"heads", "width", "head_width"};
  const Axes projected{"heads", "tokens", "head_width"};
  tape.normal("x", {tokens, width}, {"tokens", "width"});
  tape.normal("w_query", {heads, width, head_size}, per_head, times(0.1));
  tape.normal("w_key", {heads, width, head_size}, per_head, times(0.1));
  tape.normal("w_value", {heads, width, head_size}, per_head, times(0.1));
  // 1/√width keeps the size of what it mixes
  tape.normal("w_output", {width, width}, {"heads_width", "width"}, times(0.25));
  tape.product("query", "X W_Q", "x", "w_query", projected);
  tape.product("key", "X W_K", "x", "w_key", projected);
  tape.product("value", "X W_V", "x", "w_value", projected);
  RecordedAttention recorded;
  recorded.scores = "\\frac{Q K^T}{\\sqrt{d_k}}";
  recorded.output_name = "head_output";
  tape.attention("query", "key", "value", std::nullopt, recorded);
  return tape.join_heads("concat", "Concat(heads)", "head_output", {"tokens", "heads_width"});
}

/// What changes of a layer's output when head 0 gives nothing, (tokens, width): with W_O, and without it.
MistakeRun no_output_projection(Tape& tape) {
  Tensor<double> ablated = record_joined_heads(tape);
  xt::view(ablated, xt::all(), xt::range(std::size_t{0}, head_size)) = 0.0;
  const auto line = [&](std::size_t t) {
    return equation(entry("Z′", {t}), {numbers(&ablated(t, 0), width)});
  };
  tape.step("silenced_concat", "Concat(0, head_1, ⋯)", ablated, {"tokens", "heads_width"},
            derived::worked(
                {"concat"}, lines(tokens, line),
                fmt::format("np.concatenate((0 * concat[:, :{0}], concat[:, {0}:]), axis=-1)", head_size)));
  tape.product("output", "Z W_O", "concat", "w_output", {"tokens", "width"});
  tape.product("silenced_output", "Z′ W_O", "silenced_concat", "w_output", {"tokens", "width"});
  Tensor<double> right = record_change(tape, "right", "Y", "output", "silenced_output", "width");
  return compared(std::move(right),
                  record_change(tape, "wrong", "Z", "concat", "silenced_concat", "heads_width"),
                  untouched_share);
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
