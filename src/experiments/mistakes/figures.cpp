// The picture of a mistake: right beside wrong on one colour scale.
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {
namespace {

bool shows_weights(const HeatMap& picture) {
  return picture.scale.palette == Palette::blues && picture.column_title.en() == "Key";
}

/// One scale for both; weights run from 0 to 1, or to what a mistake makes of them, and changes from 0.
ColourScale common_scale(const Mistake& mistake, const MistakeRun& run) {
  const Interval right = data_range(run.right);
  const Interval wrong = data_range(run.wrong);
  ColourScale scale = mistake.picture.scale;
  scale.low = scale.palette == Palette::blues ? 0.0 : std::min(right.low, wrong.low);
  scale.high = std::max(right.high, wrong.high);
  if (shows_weights(mistake.picture)) scale.high = std::max(scale.high, 1.0);
  return scale;
}

HeatMap heat_map(const Mistake& mistake, const std::string& id, const Tensor<double>& values,
                 const ColourScale& scale) {
  HeatMap map = mistake.picture;
  map.id = id;
  map.shows.stage = array_name(mistake) + "_" + id;
  map.values = to_matrix(values);
  map.scale = scale;
  for (std::size_t i = 0; i < map.values.rows; ++i) {
    const std::vector<double> row = values_of(values, i);
    if (mistake.row_names == RowNames::sums) {
      map.row_labels.emplace_back(fmt::format("Σ {:.2f}", std::accumulate(row.begin(), row.end(), 0.0)));
    }
    if (mistake.framed == Framed::largest_of_row) {
      const double most = *std::max_element(row.begin(), row.end());
      for (const double value : row) map.marked.push_back(value == most);
    }
  }
  return map;
}

/// What finds the mistake, and what the marks and the seed are.
Text caption(const Mistake& mistake, const Text& recorded) {
  const Text hidden = mistake.picture.hidden.empty() ? Text::none()
                                                     : Text{"斜線：マスクしたキー、枠：漏れたキー。",
                                                            " Hatched: masked keys; framed: leaks."};
  const Text framed = mistake.framed == Framed::none
                          ? Text::none()
                          : Text{"枠：各行の最大。", " Framed: the largest of each row."};
  const Text drawn = mistake.inputs == InputKind::fixed ? Text::none() : text("{}。", " {}.", recorded);
  return text("見つける検査：「{}」。{}{}{}", "The check that finds it: {}.{}{}{}", mistake.says("statement"),
              hidden, framed, drawn);
}

Figure mistake_figure(const MistakeRun& run, const Text& recorded) {
  const Mistake& mistake = *run.mistake;
  const ColourScale scale = common_scale(mistake, run);
  const bool is_wide = run.right.shape()[0] * 2 <= run.right.shape()[1];
  Figure figure{mistake.name, mistake.says("message")};
  figure.shared_axes = mistake.row_names == RowNames::numbers;
  return std::move(figure)
      .described(text(
          "左が正しい結果、右が誤った結果のヒートマップ。{}検査「{}」の誤差は、左が {}、右が {}。",
          "Two heat maps, the right result and the wrong one. {} Error of the check “{}”: {} on the left, {} on the right.",
          mistake.says("why"), mistake.says("statement"), mistake_error_text(run.right_error),
          mistake_error_text(run.wrong_error)))
      .captioned(caption(mistake, recorded))
      .panel({"正しい", "Right"}, heat_map(mistake, "right", run.right, scale))
      .panel({"誤り", "Wrong"}, heat_map(mistake, "wrong", run.wrong, scale))
      .in_columns(is_wide ? 1 : 2)
      .sharing_scale(scale)
      .on_page(10.0, is_wide ? 7.0 : 5.6);
}

}  // namespace

std::vector<Figure> figures(const MistakesRun& run) {
  std::vector<Figure> all;
  for (const MistakeRun& one : run.runs) all.push_back(mistake_figure(one, run.tape.described()));
  return all;
}

}  // namespace attnlab
