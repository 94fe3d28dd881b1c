// The pictures of the vectors experiment as products of matrices: a V = o, and several queries at once.
#include <algorithm>

#include "attention/matmul.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/vectors/vectors.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_numbered_keys = 12;

/// The terms have no colour bars, so the caption gives the ranges.
Text colour_ranges(double highest) {
  return text("色の範囲：注意度 0～{:.3f}、座標 −1～1。",
              "Colours: weights 0 to {:.3f}, coordinates −1 to 1.", highest);
}

ColourScale coordinate_colours() {
  return {Palette::rdbu, -1.0, 1.0, {"座標", "Coordinate"}};
}

std::string shape_of(const Matrix& matrix) {
  return shape_text({matrix.rows, matrix.columns});
}

/// Two digits in every cell as long as the largest matrix, of n keys, leaves room for them.
MatrixTerm term(const VectorsRun& run, const std::string& id, const Matrix& matrix, const char* name,
                ColourScale scale) {
  const bool room = run.vectors.shape().front() <= most_numbered_keys;
  return {id, matrix, formula::read(name), shape_of(matrix), std::move(scale), room ? 2 : no_numbers};
}

/// softmax( Q × Kᵀ ) = A, with this run's scale.
MatrixEquation queries_equation(const VectorsRun& run) {
  using namespace formula;
  const Tensor<double>& weights = run.several.attention.weights;
  std::vector<Formula> before{sym("softmax"), sym("(")};
  if (run.scale && *run.scale != 1.0) before.push_back(sym(fmt::format("{:g}", *run.scale)));
  const Formula after = read(run.scale ? ") =" : "/ √{d} ) =");
  MatrixTerm queries = term(run, "queries", to_matrix(run.several.queries), "Q", coordinate_colours());
  MatrixTerm keys = term(run, "keys", to_matrix(transpose(run.vectors)), "K^T", coordinate_colours());
  MatrixTerm answer = term(run, "weights", to_matrix(weights), "A", weight_colours(0.0, largest(weights)));
  for (const double degrees : run.several.degrees) queries.row_labels.emplace_back(degrees_text(degrees));
  keys.column_labels = key_angles(run);
  answer.column_labels = key_angles(run);
  return {{OperatorTerm{row(before)}, queries, OperatorTerm{sym("×")}, keys, OperatorTerm{after}, answer}};
}

}  // namespace

bool fits_matrix_figures(const VectorsRun& run) {
  return run.vectors.shape().front() <= most_matrix_keys && run.several.degrees.size() <= most_matrix_queries;
}

Figure matrix_figure(const VectorsRun& run) {
  const Matrix weights{1, run.vectors.shape().front(), values_of(run.asked.attention.weights, 0)};
  const Matrix output{1, 2, values_of(run.asked.attention.output, 0)};
  const double highest = *std::max_element(weights.values.begin(), weights.values.end());
  MatrixTerm values = term(run, "values", to_matrix(run.vectors), "V", coordinate_colours());
  values.row_labels = key_angles(run);
  return Figure{"matrix", text("注意度 × バリュー = 出力 {}", "Weights × values = output {}",
                               point_text(run.asked.attention.output))}
      .described(text("注意度の行ベクトル {} とバリューの行列 {} の積が出力 {} になる図。",
                      "The row of weights {} times the matrix of values {} gives the output {}.",
                      shape_of(weights), values.shape, shape_of(output)))
      .captioned(colour_ranges(highest))
      .panel(MatrixEquation{{term(run, "weights", weights, "a", weight_colours(0.0, highest)),
                             OperatorTerm{formula::sym("×")}, values, OperatorTerm{formula::sym("=")},
                             term(run, "output", output, "o", coordinate_colours())}});
}

Figure queries_figure(const VectorsRun& run) {
  const std::size_t m = run.several.degrees.size();
  const std::size_t n = run.vectors.shape().front();
  return Figure{"queries", m == 1 ? Text{"1 つのクエリ：注意度の和は 1", "One query: its weights sum to 1"}
                                  : text("{} 個のクエリを一度に：各行の和は 1",
                                         "{} queries at once: each row sums to 1", m)}
      .described(text(
          "クエリの行列 {} とキーの転置 {} の積に softmax を行ごとに施すと、注意度の行列 {} になる図。",
          "Softmax by rows of the queries {} times the transposed keys {} gives the matrix of weights {}.",
          shape_text({m, 2}), shape_text({2, n}), shape_text({m, n})))
      .captioned(colour_ranges(largest(run.several.attention.weights)))
      .panel(queries_equation(run))
      .on_page(12.0, 3.9 + 0.2 * static_cast<double>(m));
}

}  // namespace attnlab
