// The figures of `permutation`: the same rows in another order, and where positions move them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/permutation_parts.hpp"
#include "experiments/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_labels = 12;  // beyond, names of rows and points run into each other

Text caption_start(const PermutationRun& run) {
  const Text words = run.labels_are_words ? Text{"語はラベルだけで、入力は乱数です。",
                                                 " The words are only labels; the input is random."}
                                          : Text::same("");
  return {fmt::format("乱数の種 {}。{}", run.seed, words.ja()),
          fmt::format("Seed {}.{}", run.seed, words.en())};
}

// --- The rows
// -----------------------------------------------------------------------------------------------

/// Every row minus the mean of the first run's rows: what tells the tokens apart.
Tensor<double> centred(const Tensor<double>& rows, const Tensor<double>& first) {
  const std::size_t tokens = rows.shape()[0];
  const std::size_t width = rows.shape()[1];
  Tensor<double> result = Tensor<double>::from_shape({tokens, width});
  for (std::size_t column = 0; column < width; ++column) {
    double mean = 0.0;
    for (std::size_t row = 0; row < tokens; ++row) mean += first(row, column) / static_cast<double>(tokens);
    for (std::size_t row = 0; row < tokens; ++row) result(row, column) = rows(row, column) - mean;
  }
  return result;
}

double reach_of(const PermutationPair& pair) {
  const Tensor<double>& first = pair.first.attention.output;
  double reach = 0.0;
  for (const Tensor<double>* rows : {&first, &pair.permuted.attention.output}) {
    for (const double value : centred(*rows, first)) reach = std::max(reach, std::abs(value));
  }
  return reach > 0.0 ? reach : 1.0;
}

std::vector<ShortText> labels_in(const PermutationRun& run, bool permuted) {
  std::vector<ShortText> labels;
  if (run.order.size() > most_labels) return labels;
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    const std::size_t token = permuted ? run.order[i] : i;
    labels.emplace_back(run.labels_are_words ? run.labels[token] : std::to_string(token));
  }
  return labels;
}

MatrixEquation rows_equation(const PermutationRun& run, const PermutationPair& pair, double reach,
                             const std::string& suffix) {
  using formula::sym;
  const Tensor<double>& first = pair.first.attention.output;
  const ColourScale scale{Palette::rdbu, -reach, reach, Text::same("")};
  const auto term = [&](const std::string& id, Formula name, const Tensor<double>& rows,
                        std::vector<ShortText> labels) {
    return MatrixTerm{id + suffix,
                      to_matrix(centred(rows, first)),
                      std::move(name),
                      "",
                      scale,
                      no_numbers,
                      std::move(labels),
                      {}};
  };
  const bool equal = pair.output_error < 1e-9;
  return {{term("output", sym("Y"), first, labels_in(run, false)), OperatorTerm{sym("→")},
           term("reordered_output", formula::row({sym("P"), sym("Y")}), pair.reordered_output,
                labels_in(run, true)),
           OperatorTerm{sym(equal ? "=" : "≠")},
           term("permuted_output", sym("Y′"), pair.permuted.attention.output, labels_in(run, true))}};
}

Text rows_title(const PermutationRun& run) {
  if (run.is_identity) return {"順序が同じなら出力も同じ", "The same order gives the same output"};
  const std::string plain = error_text(run.plain.output_error);
  const std::string positioned = error_text(run.positioned.output_error);
  return {fmt::format("並べ替えても同じ行（差 {}）、位置を足すと別の行（差 {}）", plain, positioned),
          fmt::format("Reordered: the same rows (off by {}); with positions: not ({})", plain, positioned)};
}

Figure rows_figure(const PermutationRun& run) {
  const double reach = std::max(reach_of(run.plain), reach_of(run.positioned));
  return {
      "rows",
      rows_title(run),
      {fmt::format(
           "出力 Y の行、それを新しい順に並べた P Y、並べ替えたトークンから計算した出力 Y′ を行列で並べる。"
           "上は位置エンコーディングなしで、P Y と Y′ は同じ（差 {}）。下はありで、同じトークンの行の"
           "色が違う（差 {}）。",
           error_text(run.plain.output_error), error_text(run.positioned.output_error)),
       fmt::format(
           "The rows of the output Y, the same rows in the new order, P Y, and the output Y′ computed "
           "from the permuted tokens, as coloured matrices. First without positional encoding: P Y "
           "and Y′ are equal (difference {}). Second with it: rows of the same token differ (by up "
           "to {}).",
           error_text(run.plain.output_error), error_text(run.positioned.output_error))},
      {fmt::format("{}行はトークン。色は行の平均からの差（±{:.2g}）。Y′ は並べ替えた入力の出力。",
                   caption_start(run).ja(), reach),
       fmt::format("{} Rows: tokens. Colours: difference from the mean row (±{:.2g}). Y′: output of the "
                   "permuted input.",
                   caption_start(run).en(), reach)},
      {{{"位置なし", "Without positions"}, rows_equation(run, run.plain, reach, "")},
       {{"位置あり", "With positions"}, rows_equation(run, run.positioned, reach, "_with_position")}},
      1,
      {},
      {14.0, 8.0}};
}

// --- The plane
// ----------------------------------------------------------------------------------------------

/// Where each token's output lies: grey in the first run, coloured after the permutation.
Chart plane_chart(const PermutationRun& run, const PermutationPair& pair, const std::string& suffix) {
  const Tensor<double>& from = pair.reordered_output;
  const Tensor<double>& to = pair.permuted.attention.output;
  Chart chart{{{"出力の次元 0", "Output dimension 0"}, Axis::Scale::linear, {}, {}},
              {{"出力の次元 1", "Output dimension 1"}, Axis::Scale::linear, {}, {}},
              {}};
  Points first{"first" + suffix, {}, {}, muted_ink, Text::same("")};
  for (std::size_t row = 0; row < run.order.size(); ++row) {
    first.x.push_back(from(row, 0));
    first.y.push_back(from(row, 1));
  }
  chart.layers.emplace_back(first);
  for (std::size_t row = 0; row < run.order.size(); ++row) {
    const std::size_t token = run.order[row];
    const Ink ink = series_ink(token % 7);
    const std::string id = fmt::format("token[{}]{}", token, suffix);
    chart.layers.emplace_back(Curve{
        id + ".move", {from(row, 0), to(row, 0)}, {from(row, 1), to(row, 1)}, ink, Text::same(""), false});
    chart.layers.emplace_back(Points{id, {to(row, 0)}, {to(row, 1)}, ink, Text::same("")});
    if (run.order.size() <= most_labels) {
      chart.layers.emplace_back(
          Callout{id + ".label", to(row, 0), to(row, 1), Text::same(run.labels[token])});
    }
  }
  return chart;
}

Figure plane_figure(const PermutationRun& run) {
  return {
      "plane",
      run.is_identity ? Text{"順序が同じなら、どの出力も動かない", "In the same order no output moves"}
                      : Text{fmt::format("位置を足すと、並べ替えで出力が動く（最大 {}）",
                                         error_text(run.positioned.output_error)),
                             fmt::format("With positions a new order moves the outputs (up to {})",
                                         error_text(run.positioned.output_error))},
      {"各トークンの出力の最初の 2 成分を平面に描いた図が 2 枚。1 "
       "枚目は位置エンコーディングなしで、並べ替えの前後の"
       "点は重なる。2 枚目はありで、並べ替え前の灰色の点から並べ替え後の色の点へ線が延びる。",
       "Two panels with the first two components of every token's output as points. Without positional "
       "encoding the points before and after the permutation coincide; with it a line leads from the grey "
       "point before to the coloured one after."},
      {fmt::format("{}灰色：並べ替え前、色：並べ替え後。", caption_start(run).ja()),
       fmt::format("{} Grey: before, coloured: after the permutation.", caption_start(run).en())},
      {{{"位置なし：動かない", "No positions: nothing moves"}, plane_chart(run, run.plain, "")},
       {run.is_identity ? Text{"位置あり", "With positions"}
                        : Text{"位置あり：動く", "With positions: they move"},
        plane_chart(run, run.positioned, "_with_position")}},
      0,
      {},
      {14.0, 6.5}};
}

}  // namespace

std::vector<Figure> permutation_figures(const PermutationRun& run) {
  return {rows_figure(run), plane_figure(run)};
}

}  // namespace attnlab
