// The figures of `decoder`: the next word, what each sub-layer adds, what the mask hides, and the weights.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

/// As many digits as a cell of the default page holds.
int digits_for(std::size_t columns) {
  return columns <= 9 ? 2 : no_numbers;
}

double largest(const Tensor<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

/// "seed 0, untrained": every caption says it.
Text untrained(const DecoderRun& run) {
  return {fmt::format("重みは学習していない乱数（種 {}）。", run.seed),
          fmt::format("Random, untrained weights (seed {}).", run.seed)};
}

// --- The next word

Panel next_word_bars(const DecoderRun& run) {
  const std::size_t last = run.prompt.size() - 1;
  std::vector<double> probabilities;
  for (std::size_t word = 0; word < run.vocabulary.size(); ++word) {
    probabilities.push_back(run.pass.probabilities(last, word));
  }
  const double highest = *std::max_element(probabilities.begin(), probabilities.end());
  const Axis words{{"次の語", "Next word"}, Axis::Scale::linear, {}, short_texts(run.vocabulary)};
  const Axis shares{{"確率", "Probability"}, Axis::Scale::linear, Interval{0.0, 1.2 * highest}, {}};
  const std::size_t best = ranking(run, last).front();
  return {
      {fmt::format("「{}」の次", run.history[last]), fmt::format("After {}", run.history[last])},
      Chart{words, shares, {Bars{"next", std::move(probabilities), series_ink(0), std::nullopt, 3, best}}}};
}

Panel all_positions_map(const DecoderRun& run) {
  const ColourScale scale{Palette::blues, 0.0, largest(run.pass.probabilities), {"確率", "Probability"}};
  return {{"どの位置も次の語を予測する", "Every position predicts its next word"},
          HeatMap{"probabilities",
                  to_matrix(run.pass.probabilities),
                  short_texts(run.history),
                  short_texts(run.vocabulary),
                  {"ここまでの最後の語", "Last word so far"},
                  {"次の語", "Next word"},
                  scale,
                  digits_for(run.vocabulary.size())}};
}

Figure next_word_figure(const DecoderRun& run) {
  const std::size_t last = run.prompt.size() - 1;
  const std::size_t best = ranking(run, last).front();
  const double percentage = 100.0 * run.pass.probabilities(last, best);
  const Text note = untrained(run);
  return {"next-token",
          {fmt::format("「{}」の次は？ 学習前は「{}」が {:.0f}%", run.history[last], run.vocabulary[best],
                       percentage),
           fmt::format("After {}, untrained: {} with {:.0f}%", run.history[last], run.vocabulary[best],
                       percentage)},
          {fmt::format(
               "左は最後の位置での次の語の確率の棒グラフ（{} 語、最大は「{}」の {:.3f}）。右は {} 個の位置"
               "すべてについて同じ確率を並べたヒートマップ。",
               run.vocabulary.size(), run.vocabulary[best], percentage / 100.0, run.prompt.size()),
           fmt::format(
               "Left: bars of the next word's probabilities at the last position ({} words, the largest is "
               "{} with {:.3f}). Right: the same for each of the {} positions, as a heat map.",
               run.vocabulary.size(), run.vocabulary[best], percentage / 100.0, run.prompt.size())},
          {note.ja() + "確率に意味はまだない。", note.en() + " The probabilities mean nothing yet."},
          {next_word_bars(run), all_positions_map(run)},
          0,
          {},
          {14.0, 6.0}};
}

// --- The residual stream

std::vector<ShortText> stream_names(const DecoderRun& run) {
  std::vector<ShortText> names{Text("埋め込み＋位置", "Embedding + position")};
  for (std::size_t i = 0; i < run.added_length.shape()[0]; ++i) {
    const Text name = sublayer_name(i);
    names.emplace_back(Text("＋" + name.ja(), "+ " + name.en()));
  }
  return names;
}

std::vector<ShortText> added_names(const DecoderRun& run) {
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < run.added_length.shape()[0]; ++i) names.emplace_back(sublayer_name(i));
  return names;
}

Panel length_map(const DecoderRun& run, const std::string& id, Text title, const Tensor<double>& lengths,
                 std::vector<ShortText> names, const ColourScale& scale) {
  return {std::move(title), HeatMap{id,
                                    to_matrix(lengths),
                                    std::move(names),
                                    short_texts(run.history),
                                    Text::same(""),
                                    {"トークン", "Token"},
                                    scale,
                                    digits_for(run.prompt.size()),
                                    false}};
}

double mean_of_row(const Tensor<double>& values, std::size_t row) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.shape()[1]; ++i) sum += values(row, i);
  return sum / static_cast<double>(values.shape()[1]);
}

Figure stream_figure(const DecoderRun& run) {
  const ColourScale scale{Palette::blues, 0.0, largest(run.stream_length), {"長さ", "Length"}};
  const std::size_t sublayers = run.added_length.shape()[0];
  const double first = mean_of_row(run.stream_length, 0);
  const double last = mean_of_row(run.stream_length, sublayers);
  const Text note = untrained(run);
  return {
      "stream",
      {fmt::format("{} 個のサブレイヤは残差ストリームに足すだけ：長さ {:.1f} → {:.1f}", sublayers, first,
                   last),
       fmt::format("{} sub-layers only add to the residual stream: length {:.1f} → {:.1f}", sublayers, first,
                   last)},
      {fmt::format("左は各サブレイヤが各トークンに足したベクトルの長さ、右は足した後の残差ストリームの長さの"
                   "ヒートマップ。長さの平均は最初 {:.2f}、最後 {:.2f}。",
                   first, last),
       fmt::format("Heat maps. Left: the length of what each sub-layer adds to each token; right: the length "
                   "of the residual stream after it. The mean length is {:.2f} at first and {:.2f} at the "
                   "end.",
                   first, last)},
      {note.ja() + "番号は層。色の範囲は共通。", note.en() + " Numbers count layers. One colour scale."},
      {length_map(run, "added_length", {"足したもの", "What is added"}, run.added_length, added_names(run),
                  scale),
       length_map(run, "stream_length", {"残差ストリーム", "The stream"}, run.stream_length,
                  stream_names(run), scale)},
      0,
      scale,
      {14.0, 6.0}};
}

// --- The mask

/// Where what leaks most is seen; nowhere when nothing leaks.
std::vector<bool> largest_leak(const Tensor<double>& reaction) {
  std::vector<bool> marked(reaction.size(), false);
  const double largest = leak(reaction);
  const std::size_t words = reaction.shape()[0];
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = i + 1; j < words; ++j) {
      marked[i * words + j] = largest > 0.0 && reaction(i, j) == largest;
    }
  }
  return marked;
}

Panel reaction_map(const DecoderRun& run, const std::string& id, Text title, const Tensor<double>& values,
                   const ColourScale& scale) {
  HeatMap map{id,
              to_matrix(values),
              short_texts(run.history),
              short_texts(run.history),
              {"出力の位置", "Output at"},
              {"変えた語", "Changed word"},
              scale,
              digits_for(run.prompt.size())};
  map.marked = largest_leak(values);
  return {std::move(title), std::move(map)};
}

Text leak_title(const DecoderRun& run) {
  if (run.prompt.size() == 1)
    return {"語が 1 つだけなら、漏れる後の語はない", "A single word has no later word to leak"};
  const double with_mask = leak(run.reaction);
  const double without = leak(run.reaction_without_mask);
  return {fmt::format("後の語を変えたときの前の出力の変化：因果マスクありで {:.2g}、なしで最大 {:.2f}",
                      with_mask, without),
          fmt::format("Changing a later word moves earlier outputs by {:.2g}; unmasked, by up to {:.2f}",
                      with_mask, without)};
}

Figure leak_figure(const DecoderRun& run) {
  const double top = std::max(largest(run.reaction), largest(run.reaction_without_mask));
  const ColourScale scale{Palette::blues, 0.0, top, {"ロジットの変化", "Change of the logits"}};
  const double with_mask = leak(run.reaction);
  const double without = leak(run.reaction_without_mask);
  const Text note = untrained(run);
  return {"leak",
          leak_title(run),
          {fmt::format(
               "{0} × {0} のヒートマップが 2 枚。列の語を別の語に変えたとき、行の位置のロジットが動く長さ。"
               "左の因果マスクありでは対角線より右上が最大 {1:.2g}、右のマスクなしでは最大 {2:.2f}。",
               run.prompt.size(), with_mask, without),
           fmt::format("Two heat maps of {0} by {0}: how far the logits of the row's position move when the "
                       "column's word is replaced. Above the diagonal the largest is {1:.2g} with the causal "
                       "mask (left) and {2:.2f} without it (right).",
                       run.prompt.size(), with_mask, without)},
          {note.ja() + "語は語彙の次の語に変えた。枠：最大の漏れ。",
           note.en() + " Each word is replaced by the next of the vocabulary. Framed: the largest leak."},
          {reaction_map(run, "reaction", {"因果マスクあり", "Causal mask"}, run.reaction, scale),
           reaction_map(run, "reaction_without_mask", {"マスクなし", "No mask"}, run.reaction_without_mask,
                        scale)},
          0,
          scale,
          {13.0, 6.5},
          true};
}

// --- The weights

Panel weights_map(const DecoderRun& run, std::size_t layer, std::size_t head, const ColourScale& scale) {
  const std::size_t tokens = run.prompt.size();
  const Tensor<double>& weights = run.pass.layers[layer].attention.attention.weights;
  const double* first = weights.data() + head * tokens * tokens;
  return {{fmt::format("層 {}、ヘッド {}", layer, head), fmt::format("Layer {}, head {}", layer, head)},
          HeatMap{fmt::format("weights[{},{}]", layer, head),
                  {tokens, tokens, {first, first + tokens * tokens}},
                  short_texts(run.history),
                  short_texts(run.history),
                  {"クエリ", "Query"},
                  {"キー", "Key"},
                  scale}};
}

constexpr std::size_t most_heads = 4;  // of a layer; more panels would be too small to read

Text heads_left_out(const DecoderRun& run) {
  if (run.size.heads <= most_heads) return Text::same("");
  return {fmt::format("各層 {} 個のうち最初の {} 個のヘッドだけを示す。", run.size.heads, most_heads),
          fmt::format(" The first {} of {} heads of each layer.", most_heads, run.size.heads)};
}

Figure weights_figure(const DecoderRun& run) {
  const ColourScale scale{Palette::blues, 0.0, 1.0, {"注意度", "Weight"}};
  const std::size_t layers = run.model.layers.size();
  const std::size_t heads = std::min(run.size.heads, most_heads);
  std::vector<Panel> panels;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (std::size_t head = 0; head < heads; ++head) panels.push_back(weights_map(run, layer, head, scale));
  }
  const Text note = untrained(run);
  const Text left_out = heads_left_out(run);
  const double width = heads <= 2 ? 10.0 : 3.2 * static_cast<double>(heads) + 2.0;
  const double cell = (width - 2.0) / static_cast<double>(heads);
  return {
      "weights",
      {"どの層のどのヘッドも、自分と前の語だけを見る",
       "In every layer and head a word reads only itself and the past"},
      {fmt::format(
           "{} 層 × {} ヘッドの注意度のヒートマップ。行はクエリ、列はキーで、対角線より右上はすべて 0。",
           layers, heads),
       fmt::format("Heat maps of the weights of {} layers with {} heads; rows are queries, columns are keys, "
                   "and everything above the diagonal is 0.",
                   layers, heads)},
      {note.ja() + "各行の和は 1。" + left_out.ja(), note.en() + " Every row sums to 1." + left_out.en()},
      std::move(panels),
      heads,
      scale,
      {width, std::max(6.0, cell * static_cast<double>(layers) + 2.0)},
      true};
}

}  // namespace

std::vector<Figure> decoder_figures(const DecoderRun& run) {
  return {next_word_figure(run), stream_figure(run), leak_figure(run), weights_figure(run)};
}

}  // namespace attnlab
