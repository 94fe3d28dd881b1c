// The figures of `heads`: the weights of every head on one scale, and what W_O makes of the joined heads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/heads_pytorch_values.hpp"
#include "experiments/framework/map_grid.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

ColourScale weights_scale(const HeadsRun& run) {
  return {Palette::blues, run.data.low, run.data.high, {"注意度", "Weight"}};
}

Text weights_title(const HeadsRun& run) {
  if (run.heads == 1) return {"ヘッドが 1 つなら見方も 1 つ", "One head gives one view of the tokens"};
  const std::size_t different = disagreements(run);
  if (different == 0) {
    return {"注意度が最大のキーは全ヘッドで同じ", "All heads agree on the top key of every query"};
  }
  return {
      fmt::format("クエリ {} 個中 {} 個で、注意度が最大のキーがヘッドによって違う", run.queries, different),
      fmt::format("For {} of {} queries the heads disagree on the top key", different, run.queries)};
}

std::string first_query(const HeadsRun& run) {
  return run.variant == HeadsVariant::book ? "Query 0" : run.labels[0];
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
      fmt::format("{0} 個のヘッドの注意度のヒートマップ。各図は {1} × {5}、行はクエリ、列はキー、色の範囲は"
                  "共通。値は {2}。クエリ「{3}」の注意度が最大のキー：{4}。",
                  run.heads, run.queries, range_text(run.data).ja(), first_query(run), ja, run.keys),
      fmt::format(
          "Heat maps of the weights of {0} heads, {1} by {5} each; rows are queries, columns are keys, "
          "one colour scale for all. The weights run from {2}. Top key of query {3}: {4}.",
          run.heads, run.queries, range_text(run.data).en(), first_query(run), en, run.keys)};
}

/// "Seed 0, first batch entry.": what was drawn.
Text drawn_from(const HeadsRun& run) {
  if (run.variant == HeadsVariant::parity)
    return {"X の種 42、重みの種 0。", "Seeds 42 (X) and 0 (weights)."};
  const std::string stream = run.rng == "torch" ? " (PyTorch)" : "";
  if (!is_batched(run) || run.query_input.shape()[0] == 1) {
    return {fmt::format("乱数の種 {}{}。", run.seed, stream), fmt::format("Seed {}{}.", run.seed, stream)};
  }
  return {fmt::format("乱数の種 {}{}、バッチの先頭。", run.seed, stream),
          fmt::format("Seed {}{}, first batch entry.", run.seed, stream)};
}

Text weights_caption(const HeadsRun& run) {
  const Text words = run.labels_are_words ? Text{"語はラベルだけで、入力は乱数です。",
                                                 " The words are only labels; the input is random."}
                                          : Text::same("");
  const Text mask = run.options.mask
                        ? Text{"ヘッド h は h + 1 個前まで読む。", " Head h reads back h + 1 tokens."}
                        : Text::same("");
  const Text marks{"枠：各クエリの最大の注意度。", " Framed: the largest weight of each query."};
  return {drawn_from(run).ja() + marks.ja() + mask.ja() + words.ja(),
          drawn_from(run).en() + marks.en() + mask.en() + words.en()};
}

/// Of every query, the key that this head weighs most.
std::vector<bool> top_keys(const HeadsRun& run, std::size_t head) {
  std::vector<bool> marked(run.queries * run.keys, false);
  for (std::size_t query = 0; query < run.queries; ++query) {
    marked[query * run.keys + favourite_key(run, head, query)] = true;
  }
  return marked;
}

Panel head_panel(const HeadsRun& run, std::size_t head) {
  const std::vector<ShortText> labels =
      run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  HeatMap map{fmt::format("weights[{}]", head),
              weights_of_head(run, head),
              labels,
              labels,
              {"クエリ", "Query"},
              {"キー", "Key"},
              weights_scale(run)};
  map.marked = top_keys(run, head);
  return {{fmt::format("ヘッド {}", head), fmt::format("Head {}", head)}, std::move(map)};
}

/// (queries, d_model) of the first batch entry.
Tensor<double> first_entry(const HeadsRun& run, const Tensor<double>& values) {
  Tensor<double> entry = Tensor<double>::from_shape({run.queries, run.d_model});
  std::copy_n(values.data(), entry.size(), entry.data());
  return entry;
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

/// 3.7e-09 as "4 × 10⁻⁹", for a title.
std::string power_of_ten(double value) {
  if (value == 0.0) return "0";
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  double leading = std::round(value / std::pow(10.0, exponent));
  if (leading == 10.0) {
    leading = 1.0;
    ++exponent;
  }
  using formula::sup;
  using formula::sym;
  const Formula power = sup(sym("10"), sym(fmt::format("{}", exponent)));
  return fmt::format("{:.0f} × {}", leading, to_terminal(power));
}

}  // namespace

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
          page_for_maps(run.heads),
          true};
}

Figure heads_output_figure(const HeadsRun& run) {
  const std::size_t d_model = run.d_model;
  return {
      "output",
      run.heads == 1
          ? Text{"出力層がヘッドの結果を変換する", "The output layer transforms what the head found"}
          : Text{fmt::format("出力層が {} 個のヘッドの結果を混ぜる", run.heads),
                 fmt::format("The output layer mixes what {} heads found", run.heads)},
      {fmt::format("1 枚目は {} 個のヘッドの出力を横に並べた行列（{} × {}）、2 枚目はそれに W_O を掛けた出力"
                   "（{} × {}）。",
                   run.heads, run.queries, d_model, run.queries, d_model),
       fmt::format(
           "First: the outputs of {} heads side by side ({} x {}); second: the output after W_O ({} x {}).",
           run.heads, run.queries, d_model, run.queries, d_model)},
      {fmt::format("{}Concat は {} 列ごとに 1 つのヘッド。", drawn_from(run).ja(), d_model / run.heads),
       fmt::format("{} Concat: each head fills {} columns.", drawn_from(run).en(), d_model / run.heads)},
      {signed_panel("concat", {"結合 Concat", "Concat"}, first_entry(run, run.stages.concat)),
       signed_panel("output", {"出力", "Output"}, first_entry(run, run.stages.output))},
      0,
      {},
      {14.0, 5.5}};
}

Figure heads_parity_figure(const HeadsRun& run) {
  Tensor<double> theirs = run.stages.output;
  std::copy(pytorch_values().output.begin(), pytorch_values().output.end(), theirs.begin());
  const Tensor<double> difference = run.stages.output - theirs;
  const double largest = difference_from_pytorch(run.stages.output);
  const double size = largest_magnitude(run.stages.output);
  return {
      "parity",
      {fmt::format("PyTorch との差は最大 {}（出力は最大 {:.3f}）", power_of_ten(largest), size),
       fmt::format("PyTorch differs by at most {} from outputs up to {:.3f}", power_of_ten(largest), size)},
      {fmt::format("同じ重みと入力による出力（{0} × {1}）の 3 枚のヒートマップ。数式どおりの実装、"
                   "nn.MultiheadAttention、両者の差。差は最大 {2:.1e}。",
                   run.queries, run.d_model, largest),
       fmt::format("Three heat maps of the output ({0} x {1}) for the same weights and tokens: the formulas, "
                   "nn.MultiheadAttention, and their difference, at most {2:.1e}.",
                   run.queries, run.d_model, largest)},
      {"float32。X の種 42、重みの種 0。差の図だけ色の範囲が違う。",
       "float32. Seeds 42 (X) and 0 (weights). The difference has colours of its own."},
      {signed_panel("output", {"数式どおり", "The formulas"}, run.stages.output),
       signed_panel("pytorch_output", Text::same("PyTorch"), theirs),
       signed_panel("difference", {"差", "Difference"}, difference)},
      0,
      {},
      {14.0, 5.0}};
}

}  // namespace attnlab
