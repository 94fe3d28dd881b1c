// The figures of `model`.
#include "core/counted.hpp"
#include "core/number_order.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/arcs.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "model/run.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_maps = 144;

Text percent(double share) { return text("{:.0f} %", "{:.0f}%", 100.0 * share); }

/// The weights of a head, of a long text their map.
Matrix head_matrix(const ModelRun& run, std::size_t layer, std::size_t head) {
  const Tensor<float>& map = run.pass->map(layer);
  const std::size_t side = map.shape()[1];
  const float* weights = map.data() + head * side * side;
  return {side, side, {weights, weights + side * side}};
}

/// For the colours: NaN and infinities have their own.
double largest_of(const Matrix& matrix) {
  const double most = extremes(to_tensor(matrix.values)).high;
  return most > 0.0 ? most : 1.0;
}

/// Tokens of a side of a cell.
std::size_t bin_of(const ModelRun& run) { return run.pass->in_long ? run.pass->in_long->bin : 1; }

/// The tokens along an axis of a map; none of a long text, whose cells are numbered.
std::vector<ShortText> labels_of(const ModelRun& run) {
  return run.pass->in_long ? std::vector<ShortText>{} : short_texts(run.labels);
}

/// What an axis counts.
Text axis_of(const ModelRun& run, const Text& name) {
  return run.pass->in_long ? text("{}、{} トークンごと", "{}, in steps of {} tokens", name, bin_of(run))
                           : name;
}

Text about_cells(const ModelRun& run) {
  const std::size_t bin = bin_of(run);
  if (bin == 1) return Text::none();
  return text("1 マスは {0} × {0} トークンの最大値。軸の数はマスの番号。",
              " Each cell: the largest of {0} by {0} tokens; the axes count cells.", bin);
}

Text note_on_frame(const ModelRun& run) {
  return run.pass->in_long ? Text::none() : Text{"枠：題のセル。", " Framed: the cell of the title."};
}

/// What a causal model may not read.
std::vector<bool> later_cells(const ModelRun& run) {
  constexpr std::size_t most_struck = 24;  // of more the strokes only darken the map
  const std::size_t n = run.tokens.size();
  std::vector<bool> hidden;
  if (!run.architecture().is_causal || n > most_struck) return hidden;
  for (std::size_t query = 0; query < n; ++query) {
    for (std::size_t key = 0; key < n; ++key) hidden.push_back(key > query);
  }
  return hidden;
}

/// What a head does with most of its weight, if it does one thing. Of what stood there before only tokens
/// that occur again can tell.
Text habit_of(const HeadRoles& roles) {
  struct Habit {
    double share;
    Text where;
  };
  const std::array<Habit, 3> of_all{{{roles.previous, {" 1 つ前のトークン", "the token before"}},
                                     {roles.own, {"自分自身", "the token itself"}},
                                     {roles.first, {"先頭のトークン", "the first token"}}}};
  for (const Habit& habit : of_all) {
    if (habit.share >= 0.5)
      return text("注意度の {} は{}に向く。", " {} of the weight goes to {}.", percent(habit.share),
                  habit.where);
  }
  const std::array<Habit, 2> of_repeated{
      {{roles.same, {"前に出た同じトークン", "their earlier occurrence"}},
       {roles.followed, {"前にその次にあったトークン", "what followed them earlier"}}}};
  for (const Habit& habit : of_repeated) {
    if (habit.share >= 0.5)
      return text("2 度目からのトークンの注意度の {} は{}に向く。",
                  " Repeated tokens give {} of their weight to {}.", percent(habit.share), habit.where);
  }
  return Text::none();
}

/// What the query of the run gives each key in one head.
std::vector<double> row_of_head(const ModelRun& run, std::size_t layer, std::size_t head) {
  const std::size_t n = run.tokens.size();
  const float* const weights =
      run.pass->in_long ? run.pass->in_long->rows[layer].data() + head * n
                        : run.pass->forward.layers[layer].weights.data() + (head * n + run.query) * n;
  return {weights, weights + n};
}

/// “tree” attends to “books”, 0.98: of the query of the run.
Text link_of(const ModelRun& run, std::size_t layer, std::size_t head) {
  if (std::isnan(run.roles(layer, head).entropy)) return {"NaN の注意度がある", "Some weights are NaN"};
  const std::vector<double> row = row_of_head(run, layer, head);
  const std::size_t key = largest_places(row, 1).front();
  return text("{}は{}に注目する、{:.2f}", "{} attends to {}, {:.2f}", named_token(run, run.tokens[run.query]),
              named_token(run, run.tokens[key]), row[key]);
}

/// The cell that the title names; none of a long text, whose cells are of several tokens.
std::vector<bool> cell_of_link(const ModelRun& run) {
  if (run.pass->in_long) return {};
  const std::size_t n = run.tokens.size();
  std::vector<bool> cells(n * n);
  cells[run.query * n + largest_places(row_of_head(run, run.layer, run.head), 1).front()] = true;
  return cells;
}

Text about_tokens(const ModelRun& run) {
  return text("{} トークン。", "{}.", counted(run.tokens.size(), "token"));
}

Text without_note(const ModelRun& run) {
  if (!run.leaves_out()) return Text::none();
  return text(" {} を取り除いて計算。", " Computed without {}.", printable(run.settings.without_text));
}

Figure weights_figure(const ModelRun& run) {
  const std::size_t n = run.pass->map(run.layer).shape()[1];
  Matrix matrix = head_matrix(run, run.layer, run.head);
  const double most = largest_of(matrix);
  const Text link = link_of(run, run.layer, run.head);
  const std::string name = name_of_head(run.layer, run.head);
  HeatMap map = HeatMap{"weights", std::move(matrix)}
                    .rows(axis_of(run, {"クエリのトークン", "Query (token)"}), labels_of(run))
                    .columns(axis_of(run, {"キーのトークン", "Key (token)"}), labels_of(run))
                    .coloured(weight_colours(0.0, most))
                    .with_numbers(n <= 10 ? 2 : no_numbers)  // more are a grey patch on a slide
                    .hiding(later_cells(run))
                    .marking(cell_of_link(run))
                    .showing({"weights", (run.layer * run.architecture().heads + run.head) * n});
  const double side = std::clamp(4.5 + 0.12 * static_cast<double>(n), 6.0, 12.0);
  Figure figure =
      Figure{"weights", text("{}：{}", "{}: {}", name, link)}
          .described(text("層 {} のヘッド {} の注意度を {} 行 {} 列の色で表した図。{}。",
                          "The weights of head {1} in layer {0} as a heat map of {2} by {3}. {4}.", run.layer,
                          run.head, n, n, link))
          .panel(std::move(map))
          .on_page(side + 1.5, side);
  figure.caption = text("{}層 {}、ヘッド {}（0 から数える）。{}{}{}{}{}",
                        "{} Layer {}, head {} (counted from 0).{}{}{}{}{}", about_tokens(run), run.layer,
                        run.head, habit_of(run.roles(run.layer, run.head)), about_cells(run),
                        note_on_frame(run), note_on_hidden(figure), without_note(run));
  return figure;
}

/// The head that is drawn, as lines between the tokens; of many tokens what the run's query attends to.
Figure words_figure(const ModelRun& run) {
  const std::size_t n = run.tokens.size();
  const std::vector<ShortText> tokens = short_texts(run.labels);
  WordWeights words{tokens, tokens, to_tensor(head_matrix(run, run.layer, run.head).values, {1, n, n})};
  words.heads = {Text::same(name_of_head(run.layer, run.head))};
  if (!run.settings.query.empty() || n > most_arc_words) words.row = run.query;
  words.shows = {"weights", (run.layer * run.architecture().heads + run.head) * n};
  return arcs_figure(words, arc_title(words), text("{}{}", "{}{}", about_tokens(run), without_note(run)));
}

/// Which layers and heads a page has room for: all, or every second, third, ... of them.
struct Spacing {
  std::size_t layers = 1;
  std::size_t heads = 1;
};
Spacing spacing_in_a_page(const Architecture& a) {
  constexpr std::size_t most_columns = 16;
  Spacing spacing;
  spacing.heads = (a.heads + most_columns - 1) / most_columns;
  const std::size_t columns = (a.heads + spacing.heads - 1) / spacing.heads;
  while ((a.layers + spacing.layers - 1) / spacing.layers * columns > most_maps && spacing.layers < a.layers)
    ++spacing.layers;
  return spacing;
}

Text heads_title(const Architecture& a, const Spacing& spacing) {
  const Text layers = spacing.layers > 1 ? text("{} 層おき", "one layer in {}", spacing.layers)
                                         : text("{} 層", "{}", counted(a.layers, "layer"));
  if (spacing.heads > 1)
    return text("{}、{} ヘッドおきの注意度", "The weights of {}, one head in {}", layers, spacing.heads);
  if (spacing.layers > 1) return text("{}の注意度", "The weights of {}", layers);
  return text("{} 層 × {} ヘッドの注意度", "The weights of {} × {}", counted(a.layers, "layer"),
              counted(a.heads, "head"));
}

Figure heads_figure(const ModelRun& run) {
  const Architecture& a = run.architecture();
  const ColourScale scale = weight_colours(0.0, run.pass->largest_usual);
  const Spacing spacing = spacing_in_a_page(a);
  std::vector<Panel> panels;
  for (std::size_t layer = 0; layer < a.layers; layer += spacing.layers) {
    for (std::size_t head = 0; head < a.heads; head += spacing.heads) {
      panels.push_back(
          {Text::none(), HeatMap{fmt::format("weights[{},{}]", layer, head), head_matrix(run, layer, head)}
                             .rows(Text::same(fmt::format("L{}", layer)))
                             .columns(Text::same(fmt::format("H{}", head)))
                             .coloured(scale)
                             .showing({"weights", (layer * a.heads + head) * run.tokens.size()})});
    }
  }
  const std::size_t columns = (a.heads + spacing.heads - 1) / spacing.heads;
  const std::size_t rows = panels.size() / columns;
  const double cell = 1.1;
  return Figure{"heads", heads_title(a, spacing)}
      .described(text("ヘッドごとの注意度の図 {} 枚。1 行が 1 つの層。",
                      "{} heat maps, one per head; each row is a layer.", panels.size()))
      .captioned(text("{}1 行が 1 つの層、1 列が 1 つのヘッド。各図の行はクエリ、列はキー。{}{}{}",
                      "{} Rows: layers, columns: heads; in each map rows are queries, columns keys.{}{}{}",
                      about_tokens(run), about_cells(run),
                      scale.high < 1.0 ? text("{:.2g} より大きい注意度は同じ色。",
                                              " Weights above {:.2g} share one colour.", scale.high)
                                       : Text::none(),
                      without_note(run)))
      .all_panels(std::move(panels))
      .in_columns(columns)
      .sharing_scale(scale)
      .sharing_axes()
      .on_page(std::max(7.0, 1.6 + cell * static_cast<double>(columns)),
               std::max(5.0, 2.4 + cell * static_cast<double>(rows)));
}

/// What the query of the run reads in a layer: one head, or the mean of all.
std::vector<double> row_of_query(const ModelRun& run, std::size_t layer) {
  if (run.settings.head) return row_of_head(run, layer, run.head);
  const std::size_t heads = run.architecture().heads;
  std::vector<double> mean(run.tokens.size());
  for (std::size_t head = 0; head < heads; ++head) {
    const std::vector<double> row = row_of_head(run, layer, head);
    for (std::size_t key = 0; key < row.size(); ++key) mean[key] += row[key] / static_cast<double>(heads);
  }
  return mean;
}

Figure row_figure(const ModelRun& run) {
  const Architecture& a = run.architecture();
  const std::size_t n = run.pass->map(0).shape()[1];
  const std::size_t bin = bin_of(run);
  const bool one_head = run.settings.head.has_value();
  Matrix matrix{a.layers, n, std::vector<double>(a.layers * n)};
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    const std::vector<double> row = row_of_query(run, layer);
    for (std::size_t key = 0; key < row.size(); ++key) {
      double& cell = matrix.values[layer * n + key / bin];
      cell = larger(cell, row[key]);
    }
  }
  const double most = largest_of(matrix);
  const Text who = one_head ? text("ヘッド {}", "head {}", run.head)
                            : text("{} ヘッドの平均", "mean of {}", counted(a.heads, "head"));
  return Figure{"row", text("{}が参照するトークン、層ごとに（{}）", "What {} attends to, layer by layer ({})",
                            named_token(run, run.tokens[run.query]), who)}
      .described(
          text("縦に層、横に {} 個のトークンを並べた注意度の図。", "A heat map of layers by {} tokens.", n))
      .captioned(text(
          "{}クエリは {} 番目のトークン。{}{}", "{} The query is token {}.{}{}", about_tokens(run), run.query,
          bin == 1 ? Text::none()
                   : text("1 マスは {} トークンの最大値。", " Each cell: the largest of {} tokens.", bin),
          without_note(run)))
      .panel(HeatMap{"row", std::move(matrix)}
                 .rows({"層", "Layer"})
                 .columns(axis_of(run, {"キーのトークン", "Key (token)"}), labels_of(run))
                 .coloured(weight_colours(0.0, most))
                 .with_numbers(2))
      .on_page(std::clamp(4.0 + 0.45 * static_cast<double>(n), 7.0, 16.0),
               std::clamp(2.5 + 0.3 * static_cast<double>(a.layers), 4.5, 10.0));
}

Panel answers_panel(const ModelRun& run, const Text& title, const std::vector<double>& answered,
                    const std::vector<std::size_t>& tokens, std::size_t series, double top) {
  Bars bars = Bars{title.en().empty() ? "next" : "next_" + std::to_string(series), {}, series_ink(series)}
                  .with_numbers(3);
  std::vector<ShortText> names;
  for (const std::size_t token : tokens) {
    bars.values.push_back(answered[token]);
    names.emplace_back(label_of(run.opened, token));
  }
  return {title, Chart{Axis{Text::none()}.named(std::move(names)),
                       Axis{{"確率", "Probability"}}.within(0.0, top),
                       {std::move(bars)}}};
}

Figure next_figure(const ModelRun& run) {
  constexpr std::size_t most = 8;
  const std::vector<double> answered = answer_of(run, *run.pass);
  const std::vector<double> whole = answer_of(run, *run.whole);
  const std::vector<std::size_t> tokens = largest_places(whole, most);
  const std::size_t best = largest_places(answered, 1).front();
  // One scale for both, with room for the numbers at the bars.
  const double top = 1.1 * std::max(answered[best], whole[tokens.front()]);
  std::vector<Panel> panels;
  if (run.leaves_out()) {
    panels.push_back(answers_panel(run, {"取り除く前", "Complete model"}, whole, tokens, 0, top));
    panels.push_back(answers_panel(run, text("{} なし", "Without {}", printable(run.settings.without_text)),
                                   answered, tokens, 1, top));
  } else {
    panels.push_back(answers_panel(run, Text::none(), answered, tokens, 0, top));
  }
  const std::string probability = fmt::format("{:.3f}", answered[best]);  // as at its bar
  const Text title = run.leaves_out()
                         ? text("{} なしでは{}が {}", "Without {}, {} gets {}",
                                printable(run.settings.without_text), named_token(run, best), probability)
                         : text("最も確からしいのは{}（{}）", "The most likely token is {} ({})",
                                named_token(run, best), probability);
  return Figure{"next", title}
      .described(text("最も確からしい {} 個のトークンの確率の棒グラフ。",
                      "A bar chart of the {} most likely tokens.", tokens.size()))
      .captioned(text("{} 番目のトークンの位置。語彙 {} のうち上位 {} 個。",
                      "At token {0}: the top {2} of a vocabulary of {1}.", run.answer,
                      run.architecture().vocabulary, tokens.size()))
      .all_panels(std::move(panels))
      .on_page(run.leaves_out() ? 14.0 : 9.0, 5.5);
}

/// Rows and positions that a page has room for as boxes.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t shown = std::min(count, most);
  for (std::size_t i = 0; i < shown; ++i)
    places.push_back(shown < 2 ? count - 1 : i * (count - 1) / (shown - 1));
  return places;
}

Figure lens_figure(const ModelRun& run) {
  const Lens& lens = run.pass->lens;
  constexpr std::size_t most_rows = 13;
  constexpr std::size_t most_columns = 8;
  const std::size_t positions = lens.rows.front().size();
  const std::size_t columns = std::min(positions, most_columns);
  const std::vector<std::size_t> rows = spread(lens.rows.size(), most_rows);
  Diagram diagram;
  diagram.scale = weight_colours();
  diagram.scale->label = {"確率", "Probability"};
  const auto x_of = [&](std::size_t column) {
    return (static_cast<double>(column) + 1.5) / (static_cast<double>(columns) + 1.0);
  };
  const auto y_of = [&](std::size_t row) {
    return 1.0 - (static_cast<double>(row) + 1.5) / (static_cast<double>(rows.size()) + 1.0);
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Node name{fmt::format("depth[{}]", rows[r]),
              rows[r] == 0 ? Text{"埋め込み", "embedding"} : text("層 {}", "layer {}", rows[r] - 1),
              0.5 / (static_cast<double>(columns) + 1.0), y_of(r)};
    name.framed = false;
    diagram.nodes.push_back(std::move(name));
    for (std::size_t c = 0; c < columns; ++c) {
      const LensCell& cell = lens.rows[rows[r]][positions - columns + c];
      const bool has_word = !std::isnan(cell.probability);
      const std::string word = has_word ? label_of(run.opened, cell.token) : "NaN";
      Node box{fmt::format("lens[{},{}]", rows[r], c), Text::same(word), x_of(c), y_of(r)};
      if (has_word) box.value = cell.probability;
      diagram.nodes.push_back(std::move(box));
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    Node token{fmt::format("token[{}]", c), Text::same(run.labels[run.tokens.size() - columns + c]), x_of(c),
               y_of(0) + 1.0 / (static_cast<double>(rows.size()) + 1.0)};
    token.framed = false;
    diagram.nodes.push_back(std::move(token));
  }
  return Figure{
      "lens",
      {"各層で打ち切ったときの予測（ロジットレンズ）", "The prediction after each layer (logit lens)"}}
      .described(text(
          "縦に層、横に最後の {} トークン。箱には最も確からしいトークン。",
          "Layers upwards, the last {} tokens to the right; each box holds the most likely token.", columns))
      .captioned(
          {"各層の後の残差ストリームを最後の正規化と出力の行列に通した、最も確からしいトークン（ロジットレンズ）。箱の色はその確率。下の段は入力のトークン。",
           "The residual stream after each layer, through the final norm and the unembedding (the logit lens): the most likely token, coloured by its probability. Below, the input tokens."})
      .panel(std::move(diagram))
      .on_page(std::max(8.0, 1.5 + 1.25 * static_cast<double>(columns)),
               std::max(5.0, 1.8 + 0.5 * static_cast<double>(rows.size())));
}

double length_of(const Tensor<float>& rows, std::size_t row) {
  const std::size_t width = rows.shape()[1];
  double sum = 0.0;
  for (std::size_t i = 0; i < width; ++i) {
    const double value = rows.data()[row * width + i];
    sum += value * value;
  }
  return std::sqrt(sum);
}

Figure stream_figure(const ModelRun& run) {
  const ForwardPass& pass = run.pass->forward;
  Curve stream{"stream", {}, {}, series_ink(0), {"列", "The stream"}};
  Curve attention{"attention", {}, {}, series_ink(1), {"アテンションが足すもの", "What attention adds"}};
  Curve mlp{"mlp", {}, {}, series_ink(2), {"MLP が足すもの", "What the MLP adds"}};
  const auto add = [&](Curve& curve, std::size_t depth, const Tensor<float>& rows) {
    curve.x.push_back(static_cast<double>(depth));
    curve.y.push_back(length_of(rows, run.query));
  };
  add(stream, 0, pass.embedded);
  for (std::size_t layer = 0; layer < pass.layers.size(); ++layer) {
    const LayerStages& stages = pass.layers[layer];
    add(stream, layer + 1, stages.output);
    add(attention, layer + 1, stages.attention);
    if (stages.mlp.dimension() > 0) add(mlp, layer + 1, stages.mlp);  // else attention alone
  }
  std::vector<Layer> curves{stream, attention};
  if (!mlp.x.empty()) curves.emplace_back(mlp);
  const auto broken =
      std::find_if(stream.y.begin(), stream.y.end(), [](double length) { return !std::isfinite(length); });
  const Text token = named_token(run, run.tokens[run.query]);
  const Text title =
      broken == stream.y.end()
          ? text("{}のベクトルの長さは {:.3g} から {:.3g} に",
                 "The vector of {} goes from length {:.3g} to {:.3g}", token, stream.y.front(),
                 stream.y.back())
          : text("{} のベクトルは {} 層の後で数でなくなる", "The vector of {} is not a number after {}",
                 token, counted(static_cast<std::size_t>(broken - stream.y.begin()), "layer"));
  return Figure{"stream", title}
      .described(text(
          "層を横軸にした 線：残差ストリームの長さと、各サブレイヤが足すベクトルの長さ。",
          "Lines over the layers: the length of the residual stream and of what each sub-layer adds to it."))
      .captioned(text("{} 番目のトークン。長さはユークリッドノルム。{}",
                      "Token {}; lengths are Euclidean norms.{}", run.query,
                      run.architecture().norm_position == NormPosition::post
                          ? Text{"和はそのつど正規化される。", " Each sum is normalised."}
                          : Text::none()))
      .panel(Chart{Axis{{"層の後", "After layer"}}, Axis{{"長さ", "Length"}}, std::move(curves)})
      .on_page(9.0, 5.5);
}

/// One measure of every head; the entropy as a share of the most that a query can have.
Matrix role_matrix(const ModelRun& run, const RoleMeasure& measure) {
  const Architecture& a = run.architecture();
  const double whole = measure.of == &HeadRoles::entropy
                           ? std::log(static_cast<double>(std::max<std::size_t>(run.tokens.size(), 2)))
                           : 1.0;
  Matrix matrix{a.layers, a.heads, {}};
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    for (std::size_t head = 0; head < a.heads; ++head)
      matrix.values.push_back(run.roles(layer, head).*measure.of / whole);
  }
  return matrix;
}

Figure roles_figure(const ModelRun& run) {
  const ColourScale scale{Palette::blues, 0.0, 1.0, {"割合", "Share"}};
  std::vector<Panel> panels;
  for (const RoleMeasure& measure : role_measures()) {
    Matrix matrix = role_matrix(run, measure);
    const bool is_measured = std::any_of(matrix.values.begin(), matrix.values.end(),
                                         [](double value) { return std::isfinite(value); });
    if (!is_measured) continue;  // no token stands there twice, or all weights are NaN
    panels.push_back({measure.title, HeatMap{"roles_" + measure.name, std::move(matrix)}
                                         .rows({"層", "Layer"})
                                         .columns({"ヘッド", "Head"})
                                         .coloured(scale)
                                         .with_numbers(2)});
  }
  const std::size_t columns = panels.size() == 4 ? 2 : std::min<std::size_t>(panels.size(), 3);
  const std::string maps = std::to_string(panels.size());
  return Figure{"roles", {"どのヘッドがどこを参照するか", "Which head attends where"}}
      .described(text("層とヘッドを縦横に並べた図 {} 枚。色は注意度の割合とエントロピー。",
                      "{} heat maps of layers by heads: shares of the weight, and the entropy.", maps))
      .captioned(text("{}クエリについての平均。エントロピーは ln {} に対する割合。{}{}",
                      "{} Means over the queries; the entropy as a share of ln {}.{}{}", about_tokens(run),
                      run.tokens.size(),
                      panels.size() == role_measures().size() || run.pass->breakdown
                          ? Text::none()
                          : Text{"同じトークンが 2 度出ないので、前に出たトークンの図はない。",
                                 " No token occurs twice, so there are no maps of earlier ones."},
                      without_note(run)))
      .all_panels(std::move(panels))
      .in_columns(columns)
      .sharing_scale(scale)
      .sharing_axes()
      .on_page(14.0, columns == 2 ? 11.0 : 9.0);
}

Figure ablation_figure(const ModelRun& run) {
  const Architecture& a = run.architecture();
  const Tensor<double>& changes = *run.ablation;
  const auto place = static_cast<std::size_t>(std::distance(
      changes.begin(), std::min_element(changes.begin(), changes.end(), smaller_first<double>)));
  const double least = changes.flat(place);
  const std::size_t word = largest_places(answer_of(run, *run.pass), 1).front();
  ColourScale scale = signed_scale(changes);
  scale.label = {"ln p の変化（ナット）", "Change of ln p (nats)"};
  const Text title =
      least < 0.0
          ? text("{} がないと{}の確率は {:.2g} 倍", "Without {}, the word {} is {:.2g} times as likely",
                 name_of_head(place / a.heads, place % a.heads), named_token(run, word), std::exp(least))
          : text("どのヘッドを 1 つ除いても{}の確率は下がらない",
                 "Ablating any one head makes {} no less likely", named_token(run, word));
  return Figure{"ablation", title}
      .described(text("層とヘッドを縦横に並べ、1 つずつ取り除いたときの対数確率の変化を色にした図。",
                      "A heat map of layers by heads: how ln p changes when each is ablated."))
      .captioned(text("答えの対数確率が、ヘッド 1 つを取り除くとどれだけ変わるか。{}",
                      "Change of ln p of the answer when one head is ablated.{}", without_note(run)))
      .panel(HeatMap{"ablation", to_matrix(changes)}
                 .rows({"層", "Layer"})
                 .columns({"ヘッド", "Head"})
                 .coloured(scale)
                 .with_numbers(2))
      .on_page(8.5, 6.5);
}

Figure generation_figure(const ModelRun& run) {
  constexpr std::size_t most = 32;
  const std::size_t shown = std::min(run.generation.size(), most);
  Bars bars = Bars{"generation", {}, series_ink(0)}.with_numbers(shown <= 12 ? 2 : no_numbers);
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < shown; ++i) {
    bars.values.push_back(run.generation[i].probability);
    names.emplace_back(label_of(run.opened, run.generation[i].token));
  }
  double sum = 0.0;
  for (const double value : bars.values) sum += value;
  const Sampling& sampling = run.settings.sampling;
  const Text how =
      sampling.temperature == 0.0
          ? Text{"つねに最も確からしいトークン", "always the most likely token"}
          : text("温度 {:g}、乱数の種 {}", "temperature {:g}, seed {}", sampling.temperature, sampling.seed);
  return Figure{"generation",
                text("選んだトークンの確率は平均 {}", "The chosen tokens had a probability of {} on average",
                     percent(sum / static_cast<double>(shown)))}
      .described(text("生成した {} 個のトークンの、選ばれたときの確率の棒グラフ。",
                      "A bar chart: the probability of each of {} generated tokens.", shown))
      .captioned(text("{}。はじめの {} 個。", "{1} written, {0}.", how, counted(shown, "token")))
      .panel(Chart{Axis{Text::none()}.named(std::move(names)),
                   Axis{{"確率", "Probability"}}.within(0.0, 1.0),
                   {std::move(bars)}})
      .on_page(std::clamp(3.0 + 0.5 * static_cast<double>(shown), 8.0, 16.0), 5.5);
}

}  // namespace

Text named_token(const ModelRun& run, std::size_t token) {
  if (!run.opened.tokenizer) return text("#{}", "#{}", token);
  return text("「{}」", "“{}”", run.opened.tokenizer->label(token));
}

std::vector<Figure> model_figures(const ModelRun& run) {
  std::vector<Figure> figures{weights_figure(run), heads_figure(run), row_figure(run)};
  if (!run.pass->in_long) figures.push_back(words_figure(run));
  if (has_answer(run, *run.pass) && has_answer(run, *run.whole)) figures.push_back(next_figure(run));
  if (run.has_words()) figures.push_back(lens_figure(run));
  figures.push_back(stream_figure(run));
  Figure roles = roles_figure(run);
  if (!roles.panels.empty()) figures.push_back(std::move(roles));
  if (run.ablation) figures.push_back(ablation_figure(run));
  if (!run.generation.empty()) figures.push_back(generation_figure(run));
  for (Figure& figure : explaining_figures(run)) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace attnlab
