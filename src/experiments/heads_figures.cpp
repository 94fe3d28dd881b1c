// The figures of `heads`: the weights of every head on one scale, and what W_O makes of the joined heads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "experiments/colour_range.hpp"
#include "experiments/heads_parts.hpp"
#include "experiments/tensor_array.hpp"

namespace attnlab {
namespace {

/// The weights of one head, (n, n).
Matrix weights_of(const HeadsRun& run, std::size_t head) {
  const double* first = run.stages.attention.weights.data() + head * run.tokens * run.tokens;
  return {run.tokens, run.tokens, {first, first + run.tokens * run.tokens}};
}

/// Up to four heads stand in a row; more in a block without holes where their number allows it: 8 = 4 x 2.
std::size_t columns_for(std::size_t heads) {
  if (heads <= 4) return heads;
  const auto square = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(heads))));
  for (std::size_t columns = square; columns <= 5; ++columns)
    if (heads % columns == 0) return columns;
  return square;
}

/// Room for that block of square maps.
PageSize page_for(std::size_t heads) {
  const std::size_t columns = columns_for(heads);
  const std::size_t rows = (heads + columns - 1) / columns;
  const double width = columns <= 2 ? 5.0 * static_cast<double>(columns) + 3.0 : 16.0;
  return {width, width / static_cast<double>(columns) * static_cast<double>(rows) + 1.5};
}

ColourScale weights_scale(const HeadsRun& run) {
  return {Palette::blues, run.colours.low, run.colours.high, {"注意度", "Weight"}};
}

Text weights_title(const HeadsRun& run) {
  if (run.heads == 1) return {"ヘッドが 1 つなら見方も 1 つ", "One head gives one view of the tokens"};
  const std::size_t different = disagreements(run);
  if (different == 0) {
    return {"注意度が最大のキーはどのヘッドでも同じ", "All heads agree on the top key of every query"};
  }
  return {fmt::format("注意度が最大のキーはヘッドで異なる（クエリ {} 個中 {} 個）", run.tokens, different),
          fmt::format("The top key differs between heads for {} of {} queries", different, run.tokens)};
}

Text weights_description(const HeadsRun& run) {
  std::string ja;
  std::string en;
  for (std::size_t head = 0; head < run.heads; ++head) {
    const std::size_t key = favourite_key(run, head, 0);
    ja += fmt::format("{}ヘッド {} は「{}」", head == 0 ? "" : "、", head, run.labels[key]);
    en += fmt::format("{}head {}: {}", head == 0 ? "" : ", ", head, run.labels[key]);
  }
  return {
      fmt::format("{0} 個のヘッドの注意度のヒートマップ。各図は {1} × {1}、行はクエリ、列はキー、色の範囲は"
                  "共通。値は {2}。クエリ「{3}」の注意度が最大のキー：{4}。",
                  run.heads, run.tokens, range_text(run.data).ja(), run.labels[0], ja),
      fmt::format(
          "Heat maps of the weights of {0} heads, {1} by {1} each; rows are queries, columns are keys, "
          "one colour scale for all. The weights run from {2}. Top key of query {3}: {4}.",
          run.heads, run.tokens, range_text(run.data).en(), run.labels[0], en)};
}

Text weights_caption(const HeadsRun& run) {
  const Text words = run.labels_are_words ? Text{"語はラベルだけで、入力は乱数です。",
                                                 " The words are only labels; the input is random."}
                                          : Text::same("");
  return {fmt::format("乱数の種 {}。色は {}。{}", run.seed, range_text(run.colours).ja(), words.ja()),
          fmt::format("Seed {}. Colours: {}.{}", run.seed, range_text(run.colours).en(), words.en())};
}

Panel head_panel(const HeadsRun& run, std::size_t head) {
  const std::vector<std::string> labels = run.labels_are_words ? run.labels : std::vector<std::string>{};
  return {{fmt::format("ヘッド {}", head), fmt::format("Head {}", head)},
          HeatMap{fmt::format("weights[{}]", head),
                  weights_of(run, head),
                  labels,
                  labels,
                  {"クエリ", "Query"},
                  {"キー", "Key"},
                  weights_scale(run)}};
}

Panel signed_panel(const std::string& id, Text title, const Tensor<double>& values) {
  return {std::move(title), HeatMap{id,
                                    to_matrix(values),
                                    {},
                                    {},
                                    {"トークン", "Token"},
                                    {"次元", "Dimension"},
                                    signed_scale(values),
                                    no_numbers,
                                    false}};
}

}  // namespace

std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query) {
  const double* row = run.stages.attention.weights.data() + (head * run.tokens + query) * run.tokens;
  return static_cast<std::size_t>(std::distance(row, std::max_element(row, row + run.tokens)));
}

std::size_t disagreements(const HeadsRun& run) {
  std::size_t count = 0;
  for (std::size_t query = 0; query < run.tokens; ++query) {
    for (std::size_t head = 1; head < run.heads; ++head) {
      if (favourite_key(run, head, query) == favourite_key(run, 0, query)) continue;
      ++count;
      break;
    }
  }
  return count;
}

Figure heads_weights_figure(const HeadsRun& run) {
  std::vector<Panel> panels;
  for (std::size_t head = 0; head < run.heads; ++head) panels.push_back(head_panel(run, head));
  return {"weights",
          weights_title(run),
          weights_description(run),
          weights_caption(run),
          panels,
          0,
          weights_scale(run),
          page_for(run.heads),
          true};
}

Figure heads_output_figure(const HeadsRun& run) {
  const std::size_t d_model = run.x.shape().back();
  return {
      "output",
      {fmt::format("出力層が {} 個のヘッドの結果を混ぜる", run.heads),
       fmt::format("The output layer mixes what {} head{} found", run.heads, run.heads == 1 ? "" : "s")},
      {fmt::format("1 枚目は {} 個のヘッドの出力を横に並べた行列（{} × {}）、2 枚目はそれに W_O を掛けた出力"
                   "（{} × {}）。",
                   run.heads, run.tokens, d_model, run.tokens, d_model),
       fmt::format(
           "First: the outputs of {} heads side by side ({} x {}); second: the output after W_O ({} x {}).",
           run.heads, run.tokens, d_model, run.tokens, d_model)},
      {fmt::format("乱数の種 {}。Concat は {} 列ごとに 1 つのヘッド。", run.seed, d_model / run.heads),
       fmt::format("Seed {}. Concat: each head fills {} columns.", run.seed, d_model / run.heads)},
      {signed_panel("concat", {"結合 Concat", "Concat"}, run.stages.concat),
       signed_panel("output", {"出力", "Output"}, run.stages.output)},
      0,
      {},
      {14.0, 5.5}};
}

}  // namespace attnlab
