// The pictures of the vectors experiment as products of matrices: a V = o, and several queries at once.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "attention/matmul.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/vectors/vectors.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_numbered_keys = 12;

const Text nothing = Text::same("");

/// The terms have no colour bars, so the caption gives the ranges.
Text colour_ranges(double highest) {
  return {fmt::format("色の範囲：注意度 0～{:.3f}、座標 −1～1。", highest),
          fmt::format("Colours: weights 0 to {:.3f}, coordinates −1 to 1.", highest)};
}

ColourScale coordinate_scale() {
  return {Palette::rdbu, -1.0, 1.0, {"座標", "Coordinate"}};
}

std::string shape_of(const Tensor<double>& matrix) {
  return shape_text({matrix.shape().begin(), matrix.shape().end()});
}

/// Two digits in every cell as long as the largest matrix, of n keys, leaves room for them.
int decimals_for(const VectorsRun& run) {
  return run.vectors.shape().front() <= most_numbered_keys ? 2 : no_numbers;
}

MatrixTerm term(const std::string& id, const Tensor<double>& matrix, Formula name, ColourScale scale,
                int decimals) {
  return {id, to_matrix(matrix), std::move(name), shape_of(matrix), std::move(scale), decimals, {}, {}};
}

Tensor<double> first_row_matrix(const Tensor<double>& matrix) {
  Tensor<double> row = Tensor<double>::from_shape({1, matrix.shape().back()});
  std::copy_n(matrix.begin(), row.size(), row.begin());
  return row;
}

double highest_weight(const Tensor<double>& weights) {
  return *std::max_element(weights.begin(), weights.end());
}

/// softmax( Q × Kᵀ ) = A, with this run's scale.
MatrixEquation queries_equation(const VectorsRun& run) {
  using namespace formula;
  const Tensor<double>& weights = run.several.attention.weights;
  const int decimals = decimals_for(run);
  std::vector<Formula> before{sym("softmax"), sym("(")};
  std::vector<Formula> after{sym(")"), sym("=")};
  if (!run.scale) {
    after.insert(after.begin(), {sym("/"), root(sym("d"))});
  } else if (*run.scale != 1.0) {
    before.push_back(sym(fmt::format("{:g}", *run.scale)));
  }
  MatrixTerm queries = term("queries", run.several.queries, sym("Q"), coordinate_scale(), decimals);
  for (const double degrees : run.several.degrees) queries.row_labels.emplace_back(degrees_text(degrees));
  MatrixTerm keys =
      term("keys", transpose(run.vectors), sup(sym("K"), sym("T")), coordinate_scale(), decimals);
  keys.column_labels = short_texts(key_angles(run));
  MatrixTerm answer = term("weights", weights, sym("A"), weight_scale(highest_weight(weights)), decimals);
  answer.column_labels = short_texts(key_angles(run));
  return {{OperatorTerm{row(std::move(before))}, std::move(queries), OperatorTerm{sym("×")}, std::move(keys),
           OperatorTerm{row(std::move(after))}, std::move(answer)}};
}

}  // namespace

bool fits_matrix_figures(const VectorsRun& run) {
  return run.vectors.shape().front() <= most_matrix_keys && run.several.degrees.size() <= most_matrix_queries;
}

Figure matrix_figure(const VectorsRun& run) {
  using namespace formula;
  const Tensor<double> weights = first_row_matrix(run.asked.attention.weights);
  const Tensor<double> output = first_row_matrix(run.asked.attention.output);
  const int decimals = decimals_for(run);
  MatrixTerm values = term("values", run.vectors, sym("V"), coordinate_scale(), decimals);
  values.row_labels = short_texts(key_angles(run));
  return {
      "matrix",
      {fmt::format("注意度 × バリュー = 出力 ({}, {})", coordinate_text(output(0, 0)),
                   coordinate_text(output(0, 1))),
       fmt::format("Weights × values = output ({}, {})", coordinate_text(output(0, 0)),
                   coordinate_text(output(0, 1)))},
      {fmt::format("注意度の行ベクトル {} とバリューの行列 {} の積が出力 {} になる図。", shape_of(weights),
                   shape_of(run.vectors), shape_of(output)),
       fmt::format("The row of weights {} times the matrix of values {} gives the output {}.",
                   shape_of(weights), shape_of(run.vectors), shape_of(output))},
      colour_ranges(highest_weight(weights)),
      {{nothing,
        MatrixEquation{{term("weights", weights, sym("a"), weight_scale(highest_weight(weights)), decimals),
                        OperatorTerm{sym("×")}, std::move(values), OperatorTerm{sym("=")},
                        term("output", output, sym("o"), coordinate_scale(), decimals)}}}},
      1,
      std::nullopt,
      {}};
}

Figure queries_figure(const VectorsRun& run) {
  const std::size_t m = run.several.degrees.size();
  const std::string weights = shape_of(run.several.attention.weights);
  return {
      "queries",
      m == 1 ? Text{"1 つのクエリ：注意度の和は 1", "One query: its weights sum to 1"}
             : Text{fmt::format("{} 個のクエリを一度に：各行の和は 1", m),
                    fmt::format("{} queries at once: each row sums to 1", m)},
      {fmt::format(
           "クエリの行列 {} とキーの転置 {} の積に softmax を行ごとに施すと、注意度の行列 {} になる図。",
           shape_of(run.several.queries), shape_of(transpose(run.vectors)), weights),
       fmt::format(
           "Softmax by rows of the queries {} times the transposed keys {} gives the matrix of weights {}.",
           shape_of(run.several.queries), shape_of(transpose(run.vectors)), weights)},
      colour_ranges(highest_weight(run.several.attention.weights)),
      {{nothing, queries_equation(run)}},
      1,
      std::nullopt,
      {12.0, 3.9 + 0.2 * static_cast<double>(m)}};
}

}  // namespace attnlab
