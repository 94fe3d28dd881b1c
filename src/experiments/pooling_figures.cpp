// The figures of `pooling`: three schemes, bank moved by its sentence, what "it" means, and two heads.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "experiments/framework/colour_range.hpp"
#include "experiments/pooling/pooling.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

const Text by_hand{"単語のベクトルは説明用に手で作ったもの。", "Word vectors made by hand, for teaching."};

// --- The three schemes

bool is_symmetric(double asymmetry) {
  return asymmetry < 1e-9;
}

std::string size_text(double difference) {
  if (is_symmetric(difference)) return "0";
  return fmt::format(difference < 0.005 ? "{:.0e}" : "{:.2f}", difference);
}

Panel scheme_panel(const PoolingRun& run, const std::string& id, const Text& title,
                   const Tensor<double>& values, const ColourScale& scale) {
  const bool small = run.labels.size() <= 6;
  const std::vector<ShortText> labels =
      run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  return {title, HeatMap{id,
                         to_matrix(values),
                         labels,
                         labels,
                         {"クエリ", "Query"},
                         {"キー", "Key"},
                         scale,
                         small ? 1 : no_numbers}};
}

/// Scores or weights of the three schemes, on one scale; `titles` stand above the panels.
std::vector<Panel> scheme_panels(const PoolingRun& run, const std::string& quantity,
                                 Tensor<double> Scheme::*values, const std::vector<Text>& titles,
                                 const ColourScale& scale) {
  return {scheme_panel(run, quantity + "_1", titles.at(0), run.first.*values, scale),
          scheme_panel(run, quantity + "_2", titles.at(1), run.second.*values, scale),
          scheme_panel(run, quantity + "_qkv", titles.at(2), run.qkv.*values, scale)};
}

/// "XXᵀ: symmetric", "QKᵀ: differs by 14.29"
Text symmetry_title(const Text& name, double asymmetry) {
  if (is_symmetric(asymmetry)) return {name.ja() + "：対称", name.en() + ": symmetric"};
  const std::string gap = size_text(asymmetry);
  return {name.ja() + "：差 " + gap, name.en() + ": differs by " + gap};
}

Text drawn_caption(const PoolingRun& run) {
  const Text words = run.labels_are_words ? Text{"語はラベルだけで、入力は乱数です。",
                                                 " The words are only labels; the input is random."}
                                          : Text::same("");
  return {fmt::format("トークン {} 個、{} 次元、乱数の種 {}。差：転置した行列との差の最大値。{}",
                      run.x.shape()[0], run.x.shape()[1], run.seed, words.ja()),
          fmt::format("{} tokens of width {}, seed {}. Differences: the largest from the transpose.{}",
                      run.x.shape()[0], run.x.shape()[1], run.seed, words.en())};
}

Text schemes_title(const PoolingRun& run) {
  if (is_symmetric(run.qkv.score_asymmetry)) {  // with vectors of one number
    return {"スコアの行列は、この入力ではどの方式でも対称",
            "The scores of this input are symmetric in every scheme"};
  }
  return {"スコアの行列は、案 1 と案 2 では対称、QKV では非対称",
          "The scores of schemes 1 and 2 are symmetric, those of QKV are not"};
}

Text weights_title(const PoolingRun& run) {
  for (const Scheme* scheme : {&run.first, &run.second, &run.qkv}) {
    if (is_symmetric(scheme->weight_asymmetry)) {  // each token reads itself alone
      return {"softmax の後の注意度は、対称とは限らない", "After softmax the weights need not be symmetric"};
    }
  }
  return {"softmax の後の注意度は、どの方式でも非対称",
          "After softmax the weights are symmetric in no scheme"};
}

Figure schemes_figure(const PoolingRun& run) {
  Tensor<double> all = Tensor<double>::from_shape({3, run.first.scores.size()});
  std::size_t next = 0;
  for (const Scheme* scheme : {&run.first, &run.second, &run.qkv}) {
    for (const double score : scheme->scores) all.flat(next++) = score;
  }
  ColourScale scale = signed_scale(all);
  scale.label = {"スコア", "Score"};
  const std::string qkv = size_text(run.qkv.score_asymmetry);
  return {
      "schemes",
      schemes_title(run),
      {fmt::format("スコア XXᵀ、XUUᵀXᵀ、QKᵀ のヒートマップ。前の 2 つは対称、QKᵀ は転置との差が最大 {}。",
                   qkv),
       fmt::format("Heat maps of the scores XXᵀ, XUUᵀXᵀ and QKᵀ. The first two are symmetric, QKᵀ differs "
                   "from its transpose by up to {}.",
                   qkv)},
      drawn_caption(run),
      scheme_panels(run, "scores", &Scheme::scores,
                    {symmetry_title(Text::same("XXᵀ"), run.first.score_asymmetry),
                     symmetry_title(Text::same("XUUᵀXᵀ"), run.second.score_asymmetry),
                     symmetry_title(Text::same("QKᵀ"), run.qkv.score_asymmetry)},
                    scale),
      3,
      scale,
      {15.0, 6.0},
      true};
}

Figure weights_figure(const PoolingRun& run) {
  const ColourScale blues{Palette::blues, 0.0, 1.0, {"注意度", "Weight"}};
  const std::string first = size_text(run.first.weight_asymmetry);
  const std::string second = size_text(run.second.weight_asymmetry);
  return {
      "weights",
      weights_title(run),
      {fmt::format(
           "3 つの方式の注意度のヒートマップ。各行の和は 1。転置との差は最大で、案 1 は {}、案 2 は {}、"
           "QKV は {}。",
           first, second, size_text(run.qkv.weight_asymmetry)),
       fmt::format("Heat maps of the weights in three schemes; every row sums to 1. The largest difference "
                   "from the transpose is {} in scheme 1, {} in scheme 2, {} with QKV.",
                   first, second, size_text(run.qkv.weight_asymmetry))},
      drawn_caption(run),
      scheme_panels(run, "weights", &Scheme::weights,
                    {symmetry_title({"案 1", "Scheme 1"}, run.first.weight_asymmetry),
                     symmetry_title({"案 2", "Scheme 2"}, run.second.weight_asymmetry),
                     symmetry_title(Text::same("QKV"), run.qkv.weight_asymmetry)},
                    blues),
      3,
      blues,
      {15.0, 6.0},
      true};
}

// --- bank, moved by its sentence

Callout named(const std::string& id, const Tensor<double>& at, const Text& text) {
  return {id, at.flat(0), at.flat(1), text};
}

Points dot(const std::string& id, const Tensor<double>& at, Ink ink) {
  return {id, {at.flat(0)}, {at.flat(1)}, ink, Text::same("")};
}

/// An arrow that ends just before the point drawn at `to`: the shaft, one barb, and back over the tip the
/// other.
Curve path(const std::string& id, const Tensor<double>& from, const Tensor<double>& to, Ink ink) {
  constexpr double gap = 0.06;
  constexpr double barb = 0.12;
  const double length = std::hypot(to.flat(0) - from.flat(0), to.flat(1) - from.flat(1));
  const double x = (to.flat(0) - from.flat(0)) / length;  // the direction
  const double y = (to.flat(1) - from.flat(1)) / length;
  const double tip_x = to.flat(0) - gap * x;
  const double tip_y = to.flat(1) - gap * y;
  return {id,
          {from.flat(0), tip_x, tip_x - barb * (x + 0.5 * y), tip_x, tip_x - barb * (x - 0.5 * y)},
          {from.flat(1), tip_y, tip_y - barb * (y - 0.5 * x), tip_y, tip_y - barb * (y + 0.5 * x)},
          ink,
          Text::same("")};
}

Figure bank_figure(const SentenceReadings& read) {
  const Tensor<double> river = word_vector("bank", "river");
  const Tensor<double> money = word_vector("bank", "money");
  const Tensor<double> before = word_vector("bank", "bank");
  const Chart chart{
      {{"水", "water"}, Axis::Scale::linear, Interval{-0.2, 3.6}, {}},
      {{"お金", "money"}, Axis::Scale::linear, Interval{-0.4, 3.3}, {}},
      {path("bank.river.path", before, read.river.output, series_ink(0)),
       path("bank.money.path", before, read.money.output, series_ink(1)), dot("river", river, muted_ink),
       dot("money", money, muted_ink), dot("bank", before, foreground_ink),
       dot("bank.river", read.river.output, series_ink(0)),
       dot("bank.money", read.money.output, series_ink(1)), named("river.name", river, Text::same("river")),
       named("money.name", money, Text::same("money")),
       named("bank.name", before, {"bank（文脈なし）", "bank, no context"}),
       named("bank.river.name", read.river.output, {"bank（川の文）", "bank by the river"}),
       named("bank.money.name", read.money.output, {"bank（お金の文）", "bank with the cash"})},
      true};
  return {
      "bank",
      {"同じ bank が、文脈によって river か money へ近づく",
       "Context moves bank towards river or towards money"},
      {fmt::format("平面上の単語ベクトル。Word2Vec では bank は ({:.1f}, {:.1f}) の 1 "
                   "点。アテンションの後は、川の文では "
                   "({:.2f}, {:.2f}) で river に近づき、お金の文では ({:.2f}, {:.2f}) で money に近づく。",
                   before(0), before(1), read.river.output(0, 0), read.river.output(0, 1),
                   read.money.output(0, 0), read.money.output(0, 1)),
       fmt::format("Words in a plane. Word2Vec has one bank at ({:.1f}, {:.1f}). After attention it is at "
                   "({:.2f}, {:.2f}), nearer river, in one sentence and at ({:.2f}, {:.2f}), nearer money, "
                   "in the other.",
                   before(0), before(1), read.river.output(0, 0), read.river.output(0, 1),
                   read.money.output(0, 0), read.money.output(0, 1))},
      {"川の文：“I swam across the river to get to the other bank”、お金の文：“I walked across the road to "
       "get "
       "cash from the bank”。方式は案 1。" +
           by_hand.ja(),
       "\"I swam across the river to get to the other bank\"; \"I walked across the road to get cash from "
       "the bank\". Scheme 1. " +
           by_hand.en()},
      {{Text::same(""), chart}},
      1,
      {},
      {9.0, 8.5}};
}

// --- What one word reads, as rows of weights

/// A reading, and the word that the title speaks of, if any.
struct MarkedReading {
  const Reading& reading;
  std::string word;
};

/// Rows are readings of one sentence, columns its words.
Panel reading_panel(const std::string& id, const Text& title, const std::vector<MarkedReading>& readings,
                    std::vector<ShortText> rows, const ColourScale& scale) {
  const std::vector<std::string>& words = readings.front().reading.words;
  Matrix weights{readings.size(), words.size(), {}};
  std::vector<bool> marked;
  for (const auto& [reading, word] : readings) {
    weights.values.insert(weights.values.end(), reading.weights.begin(), reading.weights.end());
    for (const std::string& other : words) marked.push_back(other == word);
  }
  HeatMap map{id, weights, std::move(rows), short_texts(words), Text::same(""), Text::same(""), scale, 2};
  map.marked = std::move(marked);
  return {title, std::move(map)};
}

Figure animal_figure(const SentenceReadings& read) {
  const ColourScale scale{Palette::blues, 0.0, 0.4, {"注意度", "Weight"}};
  const std::vector<ShortText> layers{Text{"1 層目", "Layer 1"}, Text{"2 層目", "Layer 2"}};
  const double animal = weight_on(read.tired_2, "animal");
  const double street = weight_on(read.wide_2, "street");
  return {"animal",
          {fmt::format("it の指すもの：tired なら animal {:.2f}、wide なら street {:.2f}", animal, street),
           fmt::format("\"it\" reads animal ({:.2f}) if tired, street ({:.2f}) if wide", animal, street)},
          {fmt::format(
               "文ごとのヒートマップ 2 枚。行は 1 層目と 2 層目、列は単語、値は it の注意度。1 層目では "
               "animal と street は等しい。2 層目では tired の文で animal {:.2f}・street {:.2f}、wide の文"
               "で animal {:.2f}・street {:.2f}。",
               animal, weight_on(read.tired_2, "street"), weight_on(read.wide_2, "animal"), street),
           fmt::format("A heat map for each sentence: rows are layers 1 and 2, columns are words, values are "
                       "the weights of \"it\". In layer 1 animal and street are equal. In layer 2: animal "
                       "{:.2f}, street {:.2f} with tired; animal {:.2f}, street {:.2f} with wide.",
                       animal, weight_on(read.tired_2, "street"), weight_on(read.wide_2, "animal"), street)},
          {"1 層目で it が tired や wide を読み、2 層目で差がつく。" + by_hand.ja(),
           "In layer 1 it reads tired or wide; layer 2 tells them apart. " + by_hand.en()},
          {reading_panel("tired", Text::same("… because it was too tired"),
                         {{read.tired, ""}, {read.tired_2, "animal"}}, layers, scale),
           reading_panel("wide", Text::same("… because it was too wide"),
                         {{read.wide, ""}, {read.wide_2, "street"}}, layers, scale)},
          1,
          scale,
          {14.0, 8.0}};
}

Figure brush_figure(const SentenceReadings& read) {
  const ColourScale scale{Palette::blues, 0.0, 1.0, {"注意度", "Weight"}};
  const double painted = weight_on(read.head_1, "painted");
  const double woman = weight_on(read.head_2, "woman");
  return {
      "brush",
      {fmt::format("brush の 2 つの読み：painted に {:.2f}、woman に {:.2f}", painted, woman),
       fmt::format("Two heads read brush in two ways: painted {:.2f}, woman {:.2f}", painted, woman)},
      {fmt::format(
           "ヒートマップ。行は 2 つのヘッド、列は文の単語、値は brush の注意度。ヘッド 1 は painted に "
           "{:.2f}（筆で描いた）、ヘッド 2 は woman に {:.2f}（筆を持つ女性）。",
           painted, woman),
       fmt::format("A heat map: rows are two heads, columns the words, values the weights of \"brush\". "
                   "Head 1 gives {:.2f} to painted (painted with a brush), head 2 {:.2f} to woman (a woman "
                   "with a brush).",
                   painted, woman)},
      {"ヘッド 1 は第 1 座標（描く）、ヘッド 2 は第 2 座標（人）だけを見る。" + by_hand.ja(),
       "Head 1 reads only the first coordinate (painting), head 2 the second (person). " + by_hand.en()},
      {reading_panel("brush", Text::same(""), {{read.head_1, "painted"}, {read.head_2, "woman"}},
                     {Text{"ヘッド 1", "Head 1"}, Text{"ヘッド 2", "Head 2"}}, scale)},
      1,
      {},
      {14.0, 5.0}};
}

}  // namespace

std::vector<Figure> pooling_figures(const PoolingRun& run) {
  return {schemes_figure(run), weights_figure(run), bank_figure(run.sentences), animal_figure(run.sentences),
          brush_figure(run.sentences)};
}

}  // namespace attnlab
