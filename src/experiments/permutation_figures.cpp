// The figures of `permutation`: the same rows in another order, and where positions move them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/permutation/permutation.hpp"
#include "experiments/framework/tensor_array.hpp"

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

struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Where a token's output lies in the plane of dimensions 0 and 1, before and after the permutation.
struct Move {
  Point from;
  Point to;
  double length() const { return std::hypot(to.x - from.x, to.y - from.y); }
};

std::vector<Move> moves_of(const PermutationPair& pair) {
  const Tensor<double>& from = pair.reordered_output;
  const Tensor<double>& to = pair.permuted.attention.output;
  std::vector<Move> moves;
  for (std::size_t row = 0; row < from.shape()[0]; ++row) {
    moves.push_back({{from(row, 0), from(row, 1)}, {to(row, 0), to(row, 1)}});
  }
  return moves;
}

double longest(const std::vector<Move>& moves) {
  double length = 0.0;
  for (const Move& move : moves) length = std::max(length, move.length());
  return length;
}

/// The smallest rectangle around all ends.
struct Extremes {
  Interval x;
  Interval y;
};

Extremes extremes_of(const std::vector<Move>& moves) {
  const Point& first = moves.front().from;
  Extremes all{{first.x, first.x}, {first.y, first.y}};
  for (const Move& move : moves) {
    for (const Point& end : {move.from, move.to}) {
      all.x = {std::min(all.x.low, end.x), std::max(all.x.high, end.x)};
      all.y = {std::min(all.y.low, end.y), std::max(all.y.high, end.y)};
    }
  }
  return all;
}

/// From the grey point to the coloured one, with an arrow head half-way where no point hides it.
Curve move_arrow(const std::string& id, const Move& move, double head, Ink ink) {
  Curve curve{id, {move.from.x}, {move.from.y}, ink, Text::same(""), false};
  const auto go_to = [&curve](const Point& point) {
    curve.x.push_back(point.x);
    curve.y.push_back(point.y);
  };
  if (move.length() > 2.0 * head) {
    const Point along{(move.to.x - move.from.x) / move.length(), (move.to.y - move.from.y) / move.length()};
    const Point tip{(move.from.x + move.to.x + head * along.x) / 2.0,
                    (move.from.y + move.to.y + head * along.y) / 2.0};
    const auto wing = [&](double side) {
      return Point{tip.x - head * (along.x - side * along.y), tip.y - head * (along.y + side * along.x)};
    };
    constexpr double slenderness = 0.6;
    for (const double side : {slenderness, -slenderness}) {
      go_to(tip);
      go_to(wing(side));
      go_to(tip);
    }
  }
  go_to(move.to);
  return curve;
}

/// Grey points before the permutation, coloured ones after, with room for the labels around.
Chart plane_chart(const PermutationRun& run, const PermutationPair& pair, const std::string& suffix) {
  const std::vector<Move> moves = moves_of(pair);
  const Extremes extremes = extremes_of(moves);
  const double span = 1.25 * std::max(extremes.x.high - extremes.x.low, extremes.y.high - extremes.y.low);
  const auto around = [span](const Interval& interval) {
    const double middle = (interval.low + interval.high) / 2.0;
    return Interval{middle - span / 2.0, middle + span / 2.0};
  };
  Chart chart{{{"出力の次元 0", "Output dimension 0"}, Axis::Scale::linear, around(extremes.x), {}},
              {{"出力の次元 1", "Output dimension 1"}, Axis::Scale::linear, around(extremes.y), {}},
              {},
              true};
  Points first{"first" + suffix, {}, {}, muted_ink, Text::same("")};
  for (const Move& move : moves) {
    first.x.push_back(move.from.x);
    first.y.push_back(move.from.y);
  }
  chart.layers.emplace_back(first);
  const std::vector<ShortText> labels = labels_in(run, true);
  for (std::size_t row = 0; row < moves.size(); ++row) {
    const std::size_t token = run.order[row];
    const Ink ink = series_ink(token % 6);  // the seventh is grey
    const Point& to = moves[row].to;
    const std::string id = fmt::format("token[{}]{}", token, suffix);
    chart.layers.emplace_back(move_arrow(id + ".move", moves[row], 0.03 * span, ink));
    chart.layers.emplace_back(Points{id, {to.x}, {to.y}, ink, Text::same("")});
    if (!labels.empty()) {
      const Text label{labels[row].in(Language::ja), labels[row].in(Language::en)};
      chart.layers.emplace_back(Callout{id + ".label", to.x, to.y, label});
    }
  }
  return chart;
}

Figure plane_figure(const PermutationRun& run) {
  const std::string farthest = error_text(longest(moves_of(run.positioned)));
  const std::size_t width = run.plain.first.x.shape()[1];
  return {
      "plane",
      run.is_identity
          ? Text{"順序が同じなら、どの出力も動かない", "In the same order no output moves"}
          : Text{fmt::format("位置を足すと、並べ替えで出力が動く（この平面で最大 {}）", farthest),
                 fmt::format("With positions a new order moves outputs, in this plane by up to {}",
                             farthest)},
      {"各トークンの出力の最初の 2 成分を平面に描いた図が 2 枚。1 "
       "枚目は位置エンコーディングなしで、並べ替えの"
       "前後の点は重なる。2 枚目はありで、並べ替え前の灰色の点から並べ替え後の色の点へ矢印が延びる。",
       "Two panels with the first two components of every token's output as points. Without positional "
       "encoding the points before and after the permutation coincide; with it an arrow leads from the grey "
       "point before to the coloured one after."},
      {fmt::format("{}点はトークン、出力 {} 次元のうち次元 0 と 1。灰色：並べ替え前、色：並べ替え後。",
                   caption_start(run).ja(), width),
       fmt::format("{} Points: tokens, in dimensions 0 and 1 of {}. Grey: before, coloured: after the "
                   "permutation.",
                   caption_start(run).en(), width)},
      {{{"位置なし：動かない", "No positions: nothing moves"}, plane_chart(run, run.plain, "")},
       {run.is_identity ? Text{"位置あり", "With positions"}
                        : Text{"位置あり：動く", "With positions: they move"},
        plane_chart(run, run.positioned, "_with_position")}},
      0,
      {},
      {12.0, 6.75}};
}

}  // namespace

std::vector<Figure> permutation_figures(const PermutationRun& run) {
  return {rows_figure(run), plane_figure(run)};
}

}  // namespace attnlab
