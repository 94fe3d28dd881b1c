// The figures of `heads` with matrices: joining heads, and what W_O is for.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/formula.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

std::string shape(std::size_t rows, std::size_t columns) {
  return fmt::format("({}, {})", rows, columns);
}

MatrixTerm term(const std::string& id, Formula name, const Tensor<double>& values, const ColourScale& scale,
                int decimals) {
  Matrix matrix = to_matrix(values);
  std::string under = shape(matrix.rows, matrix.columns);
  return {id, std::move(matrix), std::move(name), std::move(under), scale, decimals, {}, {}};
}

OperatorTerm sign(const char* symbol) {
  return {formula::sym(symbol)};
}

/// Red for the first head's numbers 1 to 3, blue for the second's 4 to 6.
const ColourScale& head_colours() {
  static const ColourScale scale{Palette::rdbu, 0.0, 7.0, Text::same("")};
  return scale;
}

/// One token that two heads read with weight 1, as (1, 2, 3) and as (4, 5, 6): the book's example, computed
/// by the layer itself.
MultiHeadStages<double> concat_example(const Tensor<double>& w_output) {
  MultiHeadWeights<double> weights;
  weights.query = Tensor<double>({2, 1, 1}, 1.0);
  weights.key = Tensor<double>({2, 1, 1}, 1.0);
  weights.value = {{{1, 2, 3}}, {{4, 5, 6}}};
  weights.output = w_output;
  const Tensor<double> token({1, 1}, 1.0);
  return multi_head_attention(weights, token, token, token);
}

/// Six numbers in, four out: the first three add the heads number by number, the last is a mean of both
/// heads' first numbers.
const Tensor<double>& narrowing() {
  static const Tensor<double> w_output = {{1, 0, 0, 0.5}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                          {1, 0, 0, 0.5}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  return w_output;
}

/// The first `columns` numbers of every row.
Tensor<double> left_part(const Tensor<double>& values, std::size_t columns) {
  const std::size_t width = values.shape().back();
  const std::size_t rows = values.size() / width;
  Tensor<double> part = Tensor<double>::from_shape({rows, columns});
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(values.data() + row * width, columns, part.data() + row * columns);
  }
  return part;
}

MatrixEquation adjusting() {
  using formula::sym;
  const MultiHeadStages<double> example = concat_example(narrowing());
  return {{term("concat", sym("Concat"), example.concat, head_colours(), 1), sign("×"),
           term("w_output", formula::sub(sym("W"), sym("O")), narrowing(),
                {Palette::blues, 0.0, 2.0, Text::same("")}, 1),
           sign("="),
           term("output", sym("Output"), example.output, {Palette::blues, 0.0, 18.0, Text::same("")}, 1)}};
}

/// The first query's output as a sum over the heads, at most 16 numbers wide.
MatrixEquation mixing(const HeadsRun& run) {
  using formula::sub;
  using formula::sym;
  const std::size_t shown = std::min<std::size_t>(run.d_model, 16);
  Tensor<double> first_output = Tensor<double>::from_shape({1, run.d_model});
  std::copy_n(run.stages.output.data(), run.d_model, first_output.data());
  const Tensor<double> parts = left_part(contributions(run), shown);
  const Tensor<double> output = left_part(first_output, shown);
  const ColourScale of_parts = signed_scale(parts);
  const ColourScale of_output = signed_scale(output);
  const ColourScale scale = of_output.high > of_parts.high ? of_output : of_parts;  // one for all
  const auto signed_term = [&scale](const std::string& id, Formula name, const Tensor<double>& values) {
    return term(id, std::move(name), values, scale, no_numbers);
  };
  const Formula rows_of_head =
      formula::sup(sub(sym("W"), sym("O")), formula::row({sym("("), sym("i"), sym(")")}));
  const Formula part = formula::row({sub(sym("head"), sym("i")), sym(" "), rows_of_head});
  MatrixTerm heads = signed_term("contributions", part, parts);
  for (std::size_t head = 0; head < run.heads; ++head) {
    heads.row_labels.push_back(Text{fmt::format("ヘッド {}", head), fmt::format("Head {}", head)});
  }
  MatrixEquation equation{{heads}};
  Formula sum = formula::row({sym("Σ "), part});
  if (run.weights.output_bias) {
    const Formula bias = sub(sym("b"), sym("O"));
    sum = formula::row({sum, sym(" + "), bias});
    equation.terms.emplace_back(sign(","));
    equation.terms.emplace_back(signed_term("bias_output", bias, left_part(*run.weights.output_bias, shown)));
  }
  equation.terms.emplace_back(sign("→"));
  equation.terms.emplace_back(signed_term("sum", sum, output));
  return equation;
}

}  // namespace

Figure heads_concat_figure() {
  using formula::sub;
  using formula::sym;
  const Tensor<double> anything({6, 1}, 1.0);
  const MultiHeadStages<double> example = concat_example(anything);
  const auto head = [&example](std::size_t index) {
    Tensor<double> row = Tensor<double>::from_shape({1, 3});
    std::copy_n(example.attention.output.data() + 3 * index, 3, row.data());
    return row;
  };
  const auto named = [](const char* index) { return sub(sym("o"), sym(index)); };
  return {
      "concat",
      {"結合は並べるだけ：(1, 2, 3) と (4, 5, 6) から 6 次元",
       "Joining only lines up: (1, 2, 3) and (4, 5, 6) make six numbers"},
      {"1 つのクエリに対するヘッド 1 の出力 (1, 2, 3) とヘッド 2 の出力 (4, 5, 6) を並べると "
       "(1, 2, 3, 4, 5, 6) になる。",
       "For one query, the output (1, 2, 3) of head 1 and (4, 5, 6) of head 2 become (1, 2, 3, 4, 5, 6)."},
      {"教科書 2.2.4 の例。1～3 はヘッド 1、4～6 はヘッド 2 の数。",
       "The textbook's example, section 2.2.4. 1 to 3 are head 1's numbers, 4 to 6 head 2's."},
      {{Text::same(""),
        MatrixEquation{
            {term("heads[0]", named("1"), head(0), head_colours(), 0), sign(","),
             term("heads[1]", named("2"), head(1), head_colours(), 0), sign("→"),
             term("concat", formula::call("concat", formula::row({named("1"), sym(", "), named("2")})),
                  example.concat, head_colours(), 0)}}}},
      1,
      {},
      {12.0, 4.0}};
}

Figure heads_roles_figure(const HeadsRun& run) {
  const std::size_t shown = std::min<std::size_t>(run.d_model, 16);
  return {
      "roles",
      {"出力層の 2 つの役割：幅を合わせ、ヘッドを混ぜる",
       "The output layer has two roles: it sets the width and mixes heads"},
      {fmt::format("上：結合した 6 次元に 6 × 4 の W_O を掛けると 4 次元になる。下：クエリ 0 の出力は {} 個の"
                   "ヘッドそれぞれと W_O の積の和で、どの成分にもすべてのヘッドが加わる。",
                   run.heads),
       fmt::format(
           "Above: six joined numbers times W_O (6 x 4) give four. Below: the output of query 0 is the "
           "sum of {} parts, one per head; every number has a share of every head.",
           run.heads)},
      {fmt::format("上は手で作った例。下はこの実行のクエリ 0、先頭の {} 次元。W_O⁽ⁱ⁾ は"
                   "ヘッド i に掛かる W_O の {} 行。",
                   shown, run.d_model / run.heads),
       fmt::format("Above: made by hand. Below: query 0 of this run, first {} numbers. "
                   "W_O⁽ⁱ⁾: the {} rows of W_O that meet head i.",
                   shown, run.d_model / run.heads)},
      {{{"1. 次元の調整", "1. Adjust the width"}, adjusting()},
       {{"2. 情報の統合", "2. Mix the heads"}, mixing(run)}},
      1,
      {},
      {14.0, 8.0}};
}

}  // namespace attnlab
