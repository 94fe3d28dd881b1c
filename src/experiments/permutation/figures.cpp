// The figures of `permutation`: the same rows in another order, and where positions move them.
#include "experiments/permutation/permutation.hpp"

#include "experiments/framework/plane.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_labels = 12;  // beyond, names of rows and points run into each other

Text caption_start(const PermutationRun& run) {
  return text("{}。{}", "{}.{}", run.tape.described(),
              note_on_labels(run.labels_are_words && !run.tape.any_read()));
}

/// The tokens from row to row; none where there are too many.
std::vector<ShortText> labels_in(const PermutationRun& run, bool permuted) {
  std::vector<ShortText> labels;
  if (run.order.size() > most_labels) return labels;
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    const std::size_t token = permuted ? run.order[i] : i;
    labels.emplace_back(run.labels_are_words ? run.labels[token] : std::to_string(token));
  }
  return labels;
}

// --- The rows

/// Every row minus the mean of the first run's rows: what tells the tokens apart.
Tensor<double> centred(const Tensor<double>& rows, const Tensor<double>& first) {
  const std::size_t tokens = rows.shape()[0];
  Tensor<double> result = rows;
  for (std::size_t column = 0; column < rows.shape()[1]; ++column) {
    double mean = 0.0;
    for (std::size_t row = 0; row < tokens; ++row) mean += first(row, column) / static_cast<double>(tokens);
    for (std::size_t row = 0; row < tokens; ++row) result(row, column) -= mean;
  }
  return result;
}

/// How far the colours reach to either side.
double reach_of(const PermutationRun& run) {
  double reach = 0.0;
  for (const PermutationPair* pair : {&run.plain, &run.positioned}) {
    const Tensor<double>& first = pair->first.attention.output;
    for (const Tensor<double>* rows : {&first, &pair->permuted.attention.output}) {
      reach = std::max(reach, largest_magnitude(centred(*rows, first)));
    }
  }
  return reach > 0.0 ? reach : 1.0;
}

MatrixEquation rows_equation(const PermutationRun& run, const PermutationPair& pair,
                             const std::string& suffix) {
  const double reach = reach_of(run);
  const Tensor<double>& first = pair.first.attention.output;
  const auto rows_of = [&](const std::string& id, const char* name, const Tensor<double>& rows,
                           bool permuted) {
    MatrixTerm term{{id + suffix, to_matrix(centred(rows, first))}, formula::read(name)};
    term.map.scale = {Palette::rdbu, -reach, reach};
    term.map.row_labels = labels_in(run, permuted);
    term.map.shows.stage = "centred";  // no stage of the run
    return term;
  };
  const bool equal = pair.output_error < 1e-9 * std::max(1.0, largest_magnitude(first));
  return {{rows_of("output", "Y", first, false), between("→"),
           rows_of("reordered_output", "P Y", pair.reordered_output, true), between(equal ? "=" : "≠"),
           rows_of("permuted_output", "Y′", pair.permuted.attention.output, true)}};
}

Figure rows_figure(const PermutationRun& run) {
  const std::string plain = error_text(run.plain.output_error);
  const std::string positioned = error_text(run.positioned.output_error);
  const bool moved = !run.is_identity && run.positions_matter();
  const Text with_positions =
      moved ? text("同じトークンの行の色が違う（差 {}）", "rows of the same token differ (by up to {})",
                   positioned)
            : text("やはり同じ（差 {}）", "they are equal, too (difference {})", positioned);
  const Text title =
      run.is_identity ? Text{"順序が同じなら出力も同じ", "The same order gives the same output"}
      : moved ? text("並べ替えても同じ行（差 {}）、位置を足すと別の行（差 {}）",
                     "Reordered tokens give the same rows (within {}), but not with positions ({})", plain,
                     positioned)
              : text("並べ替えても同じ行（差 {}）、この配列では位置を足しても同じ（差 {}）",
                     "Reordered tokens give the same rows (within {}), here even with positions ({})", plain,
                     positioned);
  return Figure{"rows", title}
      .described(text(
          "出力 Y の行、それを新しい順に並べた P Y、並べ替えたトークンから計算した出力 Y′ を行列で並べる。上は位置エンコーディングなしで、P Y と Y′ は同じ（差 {}）。下はありで、{}。",
          "The rows of the output Y, the same rows in the new order, P Y, and the output Y′ computed from the permuted tokens, as coloured matrices. First without positional encoding: P Y and Y′ are equal (difference {}). Second with it: {}.",
          plain, with_positions))
      .captioned(text(
          "{}行はトークン。色は行の平均からの差（±{:.2g}）。Y′ は並べ替えた入力の出力。",
          "{} Rows: tokens. Colours: difference from the mean row (±{:.2g}). Y′: output of the permuted input.",
          caption_start(run), reach_of(run)))
      .panel({"位置なし", "Without positions"}, rows_equation(run, run.plain, ""))
      .panel({"位置あり", "With positions"}, rows_equation(run, run.positioned, "_with_position"))
      .in_columns(1)
      .on_page(14.0, 8.0);
}

// --- The plane

/// Where a token's output lies in the plane of dimensions 0 and 1, before and after the permutation.
struct Move {
  PlanePoint from;
  PlanePoint to;
  double length() const { return std::abs(to - from); }
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
  return worst_of(moves.size(), [&moves](std::size_t row) { return moves[row].length(); });
}

/// From the grey point to the coloured one, with an arrow head half-way where no point hides it.
Curve move_arrow(const std::string& id, const Move& move, double head, Ink ink) {
  std::vector<PlanePoint> way{move.from};
  if (move.length() > 2.0 * head) {
    const PlanePoint along = (move.to - move.from) / move.length();
    const PlanePoint tip = (move.from + move.to + head * along) / 2.0;
    constexpr double slenderness = 0.6;
    for (const double side : {slenderness, -slenderness})
      way.insert(way.end(), {tip, tip - head * (along * PlanePoint{1.0, side}), tip});
  }
  way.push_back(move.to);
  return line_through(id, way, ink);
}

/// Grey points before the permutation, coloured ones after, with room for the labels around.
Chart plane_chart(const PermutationRun& run, const PermutationPair& pair, const std::string& suffix) {
  const std::vector<Move> moves = moves_of(pair);
  Points before{"first" + suffix, {}, {}, muted_ink};
  std::vector<double> all_x;
  std::vector<double> all_y;
  for (const Move& move : moves) {
    before.x.push_back(move.from.real());
    before.y.push_back(move.from.imag());
    all_x.insert(all_x.end(), {move.from.real(), move.to.real()});
    all_y.insert(all_y.end(), {move.from.imag(), move.to.imag()});
  }
  const auto [left, right] = std::minmax_element(all_x.begin(), all_x.end());
  const auto [bottom, top] = std::minmax_element(all_y.begin(), all_y.end());
  const double reach = 1.25 * std::max(*right - *left, *top - *bottom);
  const double size = std::max({std::abs(*left), std::abs(*right), std::abs(*bottom), std::abs(*top)});
  const double span = reach > 1e-9 * size ? reach : 1.0;  // own arrays may put all points on one
  Chart chart{axis_around({"出力の次元 0", "Output dimension 0"}, {*left, *right}, span),
              axis_around({"出力の次元 1", "Output dimension 1"}, {*bottom, *top}, span)};
  chart.equal_units = true;
  chart.layers.emplace_back(before);
  const std::vector<ShortText> labels = labels_in(run, true);
  for (std::size_t row = 0; row < moves.size(); ++row) {
    const std::size_t token = run.order[row];
    const Ink ink = series_ink(token % 6);  // the seventh is grey
    const PlanePoint& to = moves[row].to;
    const std::string id = fmt::format("token[{}]{}", token, suffix);
    chart.layers.emplace_back(move_arrow(id + ".move", moves[row], 0.03 * span, ink));
    chart.layers.emplace_back(Points{id, {to.real()}, {to.imag()}, ink});
    if (!labels.empty()) {
      chart.layers.emplace_back(Callout{id + ".label", to.real(), to.imag(), text("{}", "{}", labels[row])});
    }
  }
  return chart;
}

Figure plane_figure(const PermutationRun& run) {
  const bool moved = !run.is_identity && run.positions_matter();
  return Figure{"plane", moved ? text("位置を足すと、並べ替えで出力が動く（最大 {}）",
                                      "With positions, a new order moves outputs by up to {}",
                                      error_text(longest(moves_of(run.positioned))))
                         : run.is_identity
                             ? Text{"順序が同じなら、どの出力も動かない", "In the same order no output moves"}
                             : Text{"この配列では、位置を足しても出力は動かない",
                                    "With these arrays, no output moves, with positions or without"}}
      .described(
          {"各トークンの出力の最初の 2 成分を平面に描いた図が 2 枚。1 枚目は位置エンコーディングなしで、並べ替えの前後の点は重なる。2 枚目はありで、並べ替え前の灰色の点から並べ替え後の色の点へ矢印が延びる。",
           "Two panels with the first two components of every token's output as points. Without positional encoding the points before and after the permutation coincide; with it an arrow leads from the grey point before to the coloured one after."})
      .captioned(
          text("{}点はトークン、出力 {} 次元のうち次元 0 と 1。{}",
               "{} Points: tokens, in dimensions 0 and 1 of {}.{}", caption_start(run),
               run.plain.first.x.shape()[1],
               moved ? Text{"矢印：並べ替え前から後へ。", " Arrows: from before to after the permutation."}
                     : Text::none()))
      .panel({"位置なし：動かない", "No positions: nothing moves"}, plane_chart(run, run.plain, ""))
      .panel(moved ? Text{"位置あり：動く", "With positions: they move"} : Text{"位置あり", "With positions"},
             plane_chart(run, run.positioned, "_with_position"))
      .on_page(12.0, 6.75);
}

}  // namespace

std::vector<Figure> figures(const PermutationRun& run) { return {rows_figure(run), plane_figure(run)}; }

}  // namespace attnlab
