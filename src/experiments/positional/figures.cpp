// The figures of `positional`: the encoding (the article's), its waves, its similarities, its rotations.
#include "core/counted.hpp"
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

const ColourScale sine_colours{Palette::rdbu, -1.0, 1.0};

/// "50 positions, 64 dimensions, base 10000."
Text size_and_base(const PositionalSettings& settings) {
  return text("位置 {} 個、{} 次元、底 {:g}。", "{}, {}, base {:g}.", counted(settings.positions, "position"),
              counted(settings.width, "dimension"), settings.base);
}

ColourScale viridis_over(const Tensor<double>& values, Text label) {
  const Interval range = data_range(values);
  return {Palette::viridis, range.low, range.high, std::move(label)};
}

/// The wavelength of a column, in positions: 2π base^(2i/d).
double wavelength(const PositionalSettings& settings, std::size_t column) {
  const double exponent = static_cast<double>(column - column % 2) / static_cast<double>(settings.width);
  return 2.0 * pi * std::pow(settings.base, exponent);
}

// --- Every position as a row of sines and cosines

Figure encoding_figure(const PositionalRun& run) {
  return Figure{"encoding",
                text("どの位置も違う模様：最も近い 2 つでも距離 {:.3g}",
                     "Each position is unique: the closest two are {:.3g} apart", run.closest.distance)}
      .described(text(
          "位置エンコーディングのヒートマップ。行は位置 0～{}、列は次元 0～{}、値は −1～1。{}",
          "Heat map of the positional encoding: rows are positions 0 to {}, columns dimensions 0 to {}, values from -1 to 1.{}",
          run.settings.positions - 1, run.settings.width - 1,
          wavelength(run.settings, run.settings.width - 1) > 10.0 * wavelength(run.settings, 0)
              ? Text{"左の列ほど細かく振動し、右の列はほとんど変わらない。",
                     " Columns on the left oscillate fast, those on the right hardly change."}
              : Text::none()))
      .captioned(size_and_base(run.settings))
      .panel(HeatMap{"encoding", to_matrix(run.encoding)}
                 .rows({"位置", "Position"})
                 .columns({"次元", "Dimension"})
                 .coloured(sine_colours))
      .in_columns(1);
}

// --- Its columns as waves: the lower the dimension, the faster

constexpr std::size_t most_wave_positions = 100;  // beyond, the fastest wave is a solid band

/// Sines from the fastest to the middle of the width: the rest is flat over a few dozen positions.
std::vector<std::size_t> wave_columns(std::size_t width) {
  std::vector<std::size_t> columns;
  for (const std::size_t part : {width, width / 8, width / 4, width / 2}) {
    const std::size_t column = part == width ? 0 : part - part % 2;
    if (columns.empty() || column > columns.back()) columns.push_back(column);
  }
  return columns;
}

Curve wave(const PositionalSettings& settings, std::size_t column, double last, Ink ink) {
  constexpr std::size_t samples = 801;
  Curve curve{fmt::format("wave[{}]", column), {}, {}, ink, text("次元 {}", "dim {}", column)};
  for (std::size_t i = 0; i < samples; ++i) {
    const double position = last * static_cast<double>(i) / static_cast<double>(samples - 1);
    curve.x.push_back(position);
    curve.y.push_back(std::sin(2.0 * pi * position / wavelength(settings, column)));
  }
  return curve;
}

Figure waves_figure(const PositionalRun& run) {
  const PositionalSettings& settings = run.settings;
  const std::size_t last = std::min(settings.positions, most_wave_positions) - 1;
  Chart chart{{{"位置", "Position"}}, {{"値", "Value"}}};
  for (const std::size_t column : wave_columns(settings.width)) {
    const Ink ink = series_ink(chart.layers.size());
    chart.layers.emplace_back(wave(settings, column, static_cast<double>(last), ink));
  }
  const double shortest = wavelength(settings, 0);
  const double longest = wavelength(settings, settings.width - 1);
  const bool differ = longest > shortest;
  return Figure{
      "waves",
      differ ? text("2 次元ずつ違う速さの波：波長 {:.1f}～{:.0f}",
                    "Each pair of dimensions is a wave: wavelengths {:.1f} to {:.0f}", shortest, longest)
             : text("どの次元も波長 {:.1f} の波", "Every dimension is a wave of wavelength {:.1f}", shortest)}
      .described(
          differ
              ? text(
                    "位置に対する正弦波の曲線。低い次元は速く、高い次元は遅く振動する。波長は位置 {:.1f} 個分から {:.0f} 個分まで。",
                    "Sine curves over the positions: low dimensions oscillate fast, high ones slowly. Wavelengths run from {:.1f} to {:.0f} positions.",
                    shortest, longest)
              : text("位置に対する正弦波の曲線。どの次元も波長は位置 {:.1f} 個分。",
                     "Sine curves over the positions, all of wavelength {:.1f} positions.", shortest))
      .captioned(size_and_base(settings))
      .panel(std::move(chart))
      .in_columns(1);
}

// --- Which positions are similar: near ones on the whole, but not in order

Text similarity_title(const PositionalRun& run) {
  const std::size_t steps = run.settings.positions - 1;
  if (steps == 1) return {"類似度は隣の位置で下がる", "Similarity falls at the next position"};
  if (run.rises.empty()) {
    return text("類似度は k を 1 増やす {} 回すべてで下がる", "Similarity falls at each of {} steps", steps);
  }
  return text("類似度は単調には下がらない：{0} 回のうち {1} 回で上がる",
              "Similarity does not fall steadily: it rises at {1} of {0} steps", steps, run.rises.size());
}

Chart similarity_chart(const PositionalRun& run) {
  Curve curve{"similarity_to_0", counting(run.settings.positions), values_of(run.similarity, 0)};
  curve.shows = {"similarity"};
  Points rises{"rises", {}, {}, series_ink(1), {"前より上がった点", "rises from k − 1"}};
  for (const std::size_t k : run.rises) {
    rises.x.push_back(curve.x[k + 1]);
    rises.y.push_back(curve.y[k + 1]);
  }
  const auto least = static_cast<double>(run.least_similar);
  const double lowest = run.similarity(0, run.least_similar);
  const double highest = *std::max_element(curve.y.begin(), curve.y.end());
  const double margin = 0.12 * (highest - lowest);  // room for the words below the lowest point
  Chart chart{{{"距離 k", "Distance k"}},
              Axis{{"位置 0 との内積", "Dot product with position 0"}}.within(lowest - margin,
                                                                              highest + margin / 2.0),
              {std::move(curve)}};
  if (!run.rises.empty()) chart.layers.emplace_back(std::move(rises));
  chart.layers.emplace_back(Points{"minimum", {least}, {lowest}, series_ink(2)});
  chart.layers.emplace_back(
      Callout{"least", least, lowest, text("最小 {:.1f}（k = {}）", "min {:.1f} (k = {})", lowest, least)});
  return chart;
}

Figure similarity_figure(const PositionalRun& run) {
  return Figure{"similarity", similarity_title(run)}
      .described(text(
          "1 枚目は位置 0 との内積の曲線：自分自身と {0:.1f}、隣と {1:.1f}、最小は距離 {2} の {3:.1f}。2 枚目はすべての位置の組の内積で、対角線から離れるとおおむね小さくなる。",
          "First: dot product with position 0 against the distance: {0:.1f} with itself, {1:.1f} with its neighbour, smallest {3:.1f} at distance {2}. Second: the dot products of all pairs of positions, equal along each diagonal.",
          run.similarity(0, 0), run.similarity(0, 1), run.least_similar,
          run.similarity(0, run.least_similar)))
      .captioned(size_and_base(run.settings))
      .panel({"位置 0 から見た類似度", "Seen from position 0"}, similarity_chart(run))
      .panel({"すべての組", "All pairs"},
             HeatMap{"similarity", to_matrix(run.similarity)}
                 .rows({"位置", "Position"})
                 .columns({"位置", "Position"})
                 .coloured(viridis_over(run.similarity, {"内積", "Dot product"})))
      .on_page(14.0, 6.5);
}

// --- Moving on by k positions as a matrix of rotations, and the scores that it makes possible

Text look_back_description(const PositionalRun& run) {
  const std::size_t k = run.settings.offset;
  if (k >= run.settings.positions) return Text::none();
  return text(
      "2 枚目はその行列をキーの射影にしたときのスコアで、位置 {0} 以降のクエリ {1} 個のうち {2} 個では {0} 個前のキーが最大になり、対角線に平行な帯に見える。",
      " Second: the scores when this matrix projects the keys: for {2} of {1} queries the key {0} back is the largest, a bright band along the diagonal.",
      k, run.settings.positions - k, run.peaks);
}

Figure rotation_figure(const PositionalRun& run) {
  // The faster half of the rotations turns visibly, the rest is close to 1.
  const std::size_t shown = std::min<std::size_t>(run.even_width, 16);
  const std::size_t k = run.settings.offset;
  Figure figure =
      Figure{"rotation", text("位置を {} 進めることは、どの位置でも同じ回転",
                              "A shift by {} is the same rotation at every position", k)}
          .described(text(
              "1 枚目は位置を {0} 進める {1} × {1} の行列の先頭 {2} 次元。対角線に沿って 2 × 2 の回転が並ぶ。{3}",
              "First: the first {2} dimensions of the {1} by {1} matrix that moves a position on by {0}: 2 by 2 rotations along the diagonal.{3}",
              k, run.even_width, shown, look_back_description(run)))
          .captioned(text("{}行列は先頭の {} 次元。", "{} Matrix: its first {} dimensions.",
                          size_and_base(run.settings), shown))
          .panel(text("{} 進める行列", "Shift by {}", k),
                 HeatMap{"shift_matrix", to_matrix(corner(run.shift, shown, shown))}
                     .rows({"次元", "Dimension"})
                     .columns({"次元", "Dimension"})
                     .coloured(sine_colours))
          .on_page(14.0, 6.5);
  if (k >= run.settings.positions) return figure;
  return std::move(figure).panel(text("{} 個前を見るスコア", "Looking {} back", k),
                                 HeatMap{"relative_scores", to_matrix(run.relative_scores)}
                                     .rows({"クエリの位置", "Query position"})
                                     .columns({"キーの位置", "Key position"})
                                     .coloured(viridis_over(run.relative_scores, {"スコア", "Score"})));
}

// --- Two projections, W_Q = I and W_K = M: their scores depend on m − n alone

/// The first dimensions of a projection: the faster rotations turn visibly.
HeatMap projection_map(const std::string& id, const Tensor<double>& matrix) {
  const std::size_t shown = std::min<std::size_t>(matrix.shape()[1], 8);
  return HeatMap{id, to_matrix(corner(matrix, shown, shown))}
      .rows({"入力の次元", "Input dimension"})
      .columns({"出力の次元", "Output dimension"})
      .coloured(sine_colours);
}

/// One point per pair of positions; all pairs of one distance fall on one point.
Chart scores_chart(const PositionalRun& run, std::size_t positions) {
  Points points{"relative_scores", {}, {}};
  for (std::size_t m = 0; m < positions; ++m) {
    for (std::size_t n = 0; n < positions; ++n) {
      points.x.push_back(static_cast<double>(m) - static_cast<double>(n));
      points.y.push_back(run.relative_scores(m, n));
    }
  }
  const std::size_t k = run.settings.offset;
  const auto [lowest, highest] = std::minmax_element(points.y.begin(), points.y.end());
  const double margin = 0.06 * (*highest - *lowest);
  constexpr double lines_of_words = 3.0;  // above the points: the name of the rule
  Axis scores = Axis{{"スコア", "Score"}}.within(*lowest - margin, *highest + lines_of_words * margin);
  Chart chart{{{"相対位置 m − n", "Relative position m − n"}}, std::move(scores), {std::move(points)}};
  if (k < positions) {
    chart.layers.emplace_back(Rule{"offset", Rule::Direction::vertical, static_cast<double>(k),
                                   Text::same(fmt::format("m − n = {}", k)), series_ink(1)});
  }
  return chart;
}

/// The claim of a maximum only where every query that can look so far back has it there.
Text relative_title(const PositionalRun& run) {
  const std::size_t k = run.settings.offset;
  if (k >= run.settings.positions || run.peaks < run.settings.positions - k) {
    return {"射影しだいで、スコアは相対位置だけで決まる",
            "Projections can make scores depend on m − n alone"};
  }
  return text("射影しだいで、スコアは相対位置だけで決まる：最大は {} 個前",
              "Projections can make scores depend on m − n alone (peak: {})", k);
}

Figure relative_figure(const PositionalRun& run) {
  const std::size_t positions = std::min<std::size_t>(run.settings.positions, 50);
  return Figure{"relative", relative_title(run)}
      .described(text(
          "1 枚目は W_Q（単位行列）、2 枚目は W_K（{} 進める回転）の先頭の次元。3 枚目は位置 {} 個のすべての組のスコアを m − n に対して打った点で、1 本の曲線に重なる。",
          "First: W_Q, the identity; second: W_K, the rotation that moves on by {}; first dimensions of each. Third: the scores of all pairs of {} as points over m − n: they fall on one curve.",
          run.settings.offset, counted(positions, "position")))
      .captioned(text("{0}行列は先頭の次元。点は {1} × {1} 組。",
                      "{0} Matrices: first dimensions. Points: {1} × {1} pairs.", size_and_base(run.settings),
                      positions))
      .panel(Text::same("W_Q = I"), projection_map("w_query", run.w_query))
      .panel(Text::same("W_K = M"), projection_map("w_key", run.w_key))
      .panel({"すべての組のスコア", "Scores of all pairs"}, scores_chart(run, positions))
      .on_page(16.0, 6.0);
}

// --- Rotary encoding: the score against the relative position, wherever the pair stands

Text query_and_key(const PositionalRun& run) {
  if (run.tape.any_read()) return run.tape.described();
  return text("クエリとキーは乱数（種 {}）", "Random query and key, seed {}", run.tape.seed());
}

/// The line of the key at the first position, and points of keys elsewhere: every third distance each, so
/// that they stand beside each other.
Chart rotary_chart(const PositionalRun& run, const std::vector<std::size_t>& keys, std::size_t reach) {
  const Tensor<double>& scores = run.interleaved.scores;
  Curve line{"rotary.line", {}, {}, muted_ink};
  for (std::size_t away = 0; away <= reach; ++away) {
    line.x.push_back(static_cast<double>(away));
    line.y.push_back(scores(away, 0));
  }
  Chart chart{{{"相対位置 m − n", "Relative position m − n"}}, {{"内積", "Dot product"}}, {std::move(line)}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Points points{fmt::format("rotary.key[{}]", i),
                  {},
                  {},
                  series_ink(i),
                  text("キーの位置 n = {}", "key at n = {}", keys[i])};
    for (std::size_t away = i; away <= reach; away += keys.size()) {
      points.x.push_back(static_cast<double>(away));
      points.y.push_back(scores(keys[i] + away, keys[i]));
    }
    chart.layers.emplace_back(std::move(points));
  }
  return chart;
}

Figure rotary_figure(const PositionalRun& run) {
  const std::size_t last = run.settings.positions - 1;
  const std::size_t reach = (last + 1) / 2;
  std::vector<std::size_t> keys{0};
  for (const std::size_t key : {(last - reach) / 2, last - reach})
    if (key > keys.back()) keys.push_back(key);
  return Figure{"rotary",
                {"回転位置エンコーディング：内積は相対位置 m − n だけで決まる",
                 "Rotary encoding: the score depends on m − n alone"}}
      .described(text(
          "位置 m まで回したクエリと位置 n まで回したキーの内積を、相対位置 m − n（0～{}）に対して描いた図。位置の違うキー {} 個の点が、1 本の折れ線に重なる。",
          "The dot product of a query turned to position m and a key turned to position n against m − n, from 0 to {}. The points of {} at different positions fall on one line.",
          reach, counted(keys.size(), "key")))
      .captioned(text("{}。線はキーの位置 0。隣り合う次元を組にして回す。",
                      "{}. The line: key at 0. Neighbouring dimensions turn as pairs.", query_and_key(run)))
      .panel(rotary_chart(run, keys, reach))
      .on_page(11.0, 6.0);
}

}  // namespace

std::vector<Figure> figures(const PositionalRun& run) {
  return {encoding_figure(run), waves_figure(run),    similarity_figure(run),
          rotation_figure(run), relative_figure(run), rotary_figure(run)};
}

}  // namespace attnlab
