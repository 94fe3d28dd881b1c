// The figures of `pooling`: three schemes, bank moved by its sentence, what "it" means, and two heads.
#include <xtensor/xbuilder.hpp>

#include "experiments/framework/plane.hpp"
#include "experiments/pooling/pooling.hpp"

namespace attnlab {
namespace {

const Text by_hand{"単語のベクトルは説明用に手で作ったもの。", "Word vectors made by hand, for teaching."};
const Text framed_by_hand{"枠：題にある注意度。単語のベクトルは説明用に手で作ったもの。",
                          "Framed: the weights in the title. Word vectors made by hand, for teaching."};

// --- The three schemes

bool is_symmetric(double asymmetry) { return asymmetry < 1e-9; }

std::string size_text(double difference) {
  if (is_symmetric(difference)) return "0";
  return fmt::format(difference < 0.005 ? "{:.0e}" : "{:.2f}", difference);
}

/// One of the three schemes: its symmetry above its map, "XXᵀ: symmetric", "QKᵀ: differs by 14.29".
Panel scheme_panel(const PoolingRun& run, const std::string& id, const Text& name,
                   const Tensor<double>& values, double asymmetry, const ColourScale& scale) {
  const std::vector<ShortText> labels =
      run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  return {is_symmetric(asymmetry) ? text("{}：対称", "{}: symmetric", name)
                                  : text("{}：差 {}", "{}: differs by {}", name, size_text(asymmetry)),
          HeatMap{id, to_matrix(values)}
              .rows({"クエリ", "Query"}, labels)
              .columns({"キー", "Key"}, labels)
              .coloured(scale)
              .with_numbers(1)};
}

Text drawn_caption(const PoolingRun& run) {
  return text("トークン {} 個、{} 次元、{}。差：転置した行列との差の最大値。{}",
              "{} tokens of width {}, {}. Differences: the largest from the transpose.{}", run.x.shape()[0],
              run.x.shape()[1], beginning_of(run),
              note_on_labels(run.labels_are_words && !run.tape.any_read()));
}

Text schemes_title(const PoolingRun& run) {
  if (is_symmetric(run.qkv.score_asymmetry)) {  // with vectors of one number
    return {"スコアの行列は、この入力ではどの方式でも対称",
            "The scores of this input are symmetric in all schemes"};
  }
  return {"スコアの行列は、案 1 と案 2 では対称、QKV では非対称",
          "Scores are symmetric in schemes 1 and 2 but not with QKV"};
}

Text weights_title(const PoolingRun& run) {
  for (const Scheme* scheme : run.schemes()) {
    if (is_symmetric(scheme->weight_asymmetry)) {  // each token reads itself alone
      return {"softmax の後の注意度は、対称とは限らない", "After softmax, the weights need not be symmetric"};
    }
  }
  return {"softmax の後の注意度は、どの方式でも非対称",
          "After softmax, the weights are symmetric in no scheme"};
}

Figure schemes_figure(const PoolingRun& run) {
  ColourScale scale =
      signed_scale(xt::concatenate(xt::xtuple(run.first.scores, run.second.scores, run.qkv.scores)));
  scale.label = {"スコア", "Score"};
  const auto panel = [&](const char* id, const char* name, const Scheme& scheme) {
    return scheme_panel(run, id, Text::same(name), scheme.scores, scheme.score_asymmetry, scale);
  };
  return Figure{"schemes", schemes_title(run)}
      .described(text(
          "スコア XXᵀ、XUUᵀXᵀ、QKᵀ のヒートマップ。前の 2 つは対称、QKᵀ は転置との差が最大 {}。",
          "Heat maps of the scores XXᵀ, XUUᵀXᵀ and QKᵀ. The first two are symmetric, QKᵀ differs from its transpose by up to {}.",
          size_text(run.qkv.score_asymmetry)))
      .captioned(drawn_caption(run))
      .panel(panel("scores_1", "XXᵀ", run.first))
      .panel(panel("scores_2", "XUUᵀXᵀ", run.second))
      .panel(panel("scores_qkv", "QKᵀ", run.qkv))
      .in_columns(3)
      .sharing_scale(scale)
      .sharing_axes()
      .on_page(15.0, 6.0);
}

Figure weights_figure(const PoolingRun& run) {
  const auto panel = [&](const char* id, const Text& name, const Scheme& scheme) {
    return scheme_panel(run, id, name, scheme.weights, scheme.weight_asymmetry, weight_colours());
  };
  return Figure{"weights", weights_title(run)}
      .described(text(
          "3 つの方式の注意度のヒートマップ。各行の和は 1。転置との差は最大で、案 1 は {}、案 2 は {}、QKV は {}。",
          "Heat maps of the weights in three schemes; every row sums to 1. The largest difference from the transpose is {} in scheme 1, {} in scheme 2, {} with QKV.",
          size_text(run.first.weight_asymmetry), size_text(run.second.weight_asymmetry),
          size_text(run.qkv.weight_asymmetry)))
      .captioned(drawn_caption(run))
      .panel(panel("weights_1", {"案 1", "Scheme 1"}, run.first))
      .panel(panel("weights_2", {"案 2", "Scheme 2"}, run.second))
      .panel(panel("weights_qkv", Text::same("QKV"), run.qkv))
      .in_columns(3)
      .sharing_scale(weight_colours())
      .sharing_axes()
      .on_page(15.0, 6.0);
}

// --- bank, moved by its sentence

Callout named(const std::string& id, const Tensor<double>& at, const Text& name) {
  return {id, at.flat(0), at.flat(1), name};
}

Points dot(const std::string& id, const Tensor<double>& at, Ink ink) {
  return {id, {at.flat(0)}, {at.flat(1)}, ink};
}

/// An arrow that ends just before the point drawn at `to`: the shaft, one barb, and back over the tip the
/// other.
Curve path(const std::string& id, const Tensor<double>& from, const Tensor<double>& to, Ink ink) {
  constexpr double gap = 0.06;
  constexpr double barb = 0.12;
  const PlanePoint begin{from.flat(0), from.flat(1)};
  const PlanePoint end{to.flat(0), to.flat(1)};
  const PlanePoint along = (end - begin) / std::abs(end - begin);
  const PlanePoint tip = end - gap * along;
  return line_through(id,
                      {begin, tip, tip - barb * (along * PlanePoint{1.0, -0.5}), tip,
                       tip - barb * (along * PlanePoint{1.0, 0.5})},
                      ink);
}

Figure bank_figure(const SentenceReadings& read) {
  const Tensor<double> river = word_vector("bank", "river");
  const Tensor<double> money = word_vector("bank", "money");
  const Tensor<double> before = word_vector("bank", "bank");
  const Tensor<double>& by_river = read.river.output;
  const Tensor<double>& by_money = read.money.output;
  Chart plane{Axis{{"水", "water"}}.within(-0.2, 3.6), Axis{{"お金", "money"}}.within(-0.4, 3.3)};
  plane.equal_units = true;
  plane.layers = {path("bank.river.path", before, by_river, series_ink(0)),
                  path("bank.money.path", before, by_money, series_ink(1)),
                  dot("river", river, muted_ink),
                  dot("money", money, muted_ink),
                  dot("bank", before, foreground_ink),
                  dot("bank.river", by_river, series_ink(0)),
                  dot("bank.money", by_money, series_ink(1)),
                  named("river.name", river, Text::same("river")),
                  named("money.name", money, Text::same("money")),
                  named("bank.name", before, {"bank（文脈なし）", "bank, no context"}),
                  named("bank.river.name", by_river, {"bank（川の文）", "bank by the river"}),
                  named("bank.money.name", by_money, {"bank（お金の文）", "bank with the cash"})};
  return Figure{"bank",
                {"同じ bank が、文脈によって river か money へ近づく",
                 "Context moves bank towards river or towards money"}}
      .described(text(
          "平面上の単語ベクトル。Word2Vec では bank は ({:.1f}, {:.1f}) の 1 点。アテンションの後は、川の文では ({:.2f}, {:.2f}) で river に近づき、お金の文では ({:.2f}, {:.2f}) で money に近づく。",
          "Words in a plane. Word2Vec has one bank at ({:.1f}, {:.1f}). After attention it is at ({:.2f}, {:.2f}), nearer river, in one sentence and at ({:.2f}, {:.2f}), nearer money, in the other.",
          before(0), before(1), by_river(0, 0), by_river(0, 1), by_money(0, 0), by_money(0, 1)))
      .captioned(text(
          "川の文：“I swam across the river to get to the other bank”、お金の文：“I walked across the road to get cash from the bank”。方式は案 1。{}",
          "“I swam across the river to get to the other bank”; “I walked across the road to get cash from the bank”. Scheme 1. {}",
          by_hand))
      .panel(plane)
      .on_page(9.0, 8.5);
}

// --- What one word reads, as rows of weights

/// A reading, and the words that the title speaks of, if any.
struct MarkedReading {
  const Reading& reading;
  std::set<std::string> marked;
};

/// Rows are readings of one sentence, columns its words.
HeatMap readings_map(const std::string& id, const std::vector<MarkedReading>& readings,
                     std::vector<ShortText> rows, const ColourScale& scale) {
  const std::vector<std::string>& words = readings.front().reading.words;
  Matrix weights{readings.size(), words.size(), {}};
  std::vector<bool> marked;
  for (const auto& [reading, names] : readings) {
    weights.values.insert(weights.values.end(), reading.weights.begin(), reading.weights.end());
    for (const std::string& word : words) marked.push_back(names.count(word) > 0);
  }
  return HeatMap{id, std::move(weights)}
      .rows(Text::none(), std::move(rows))
      .columns(Text::none(), short_texts(words))
      .coloured(scale)
      .with_numbers(2)
      .marking(std::move(marked));
}

Figure animal_figure(const SentenceReadings& read) {
  const ColourScale scale = weight_colours();
  const std::vector<ShortText> layers{Text{"層 0", "Layer 0"}, Text{"層 1", "Layer 1"}};
  const double animal = weight_on(read.tired_1, "animal");
  const double street = weight_on(read.wide_1, "street");
  return Figure{"animal",
                text("it の指すもの：tired なら animal {:.2f}、wide なら street {:.2f}",
                     "“it” picks animal ({:.2f}) if tired, street ({:.2f}) if wide", animal, street)}
      .described(text(
          "文ごとのヒートマップ 2 枚。行は層 0 と層 1、列は単語、値は it の注意度。層 0 では animal と street は等しい。層 1 では tired の文で animal {:.2f}・street {:.2f}、wide の文で animal {:.2f}・street {:.2f}。",
          "A heat map for each sentence: rows are layers 0 and 1, columns are words, values are the weights of “it”. In layer 0 animal and street are equal. In layer 1: animal {:.2f}, street {:.2f} with tired; animal {:.2f}, street {:.2f} with wide.",
          animal, weight_on(read.tired_1, "street"), weight_on(read.wide_1, "animal"), street))
      .captioned(text("層 0 で it が tired や wide を参照し、層 1 で差がつく。{}",
                      "In layer 0, it attends to tired or wide; layer 1 separates the two sentences. {}",
                      framed_by_hand))
      .panel(Text::same("… because it was too tired"),
             readings_map("tired", {{read.tired_0, {}}, {read.tired_1, {"animal"}}}, layers, scale))
      .panel(Text::same("… because it was too wide"),
             readings_map("wide", {{read.wide_0, {}}, {read.wide_1, {"street"}}}, layers, scale))
      .in_columns(1)
      .sharing_scale(scale)
      .on_page(14.0, 8.0);
}

const std::vector<ShortText> two_heads{Text{"ヘッド 0", "Head 0"}, Text{"ヘッド 1", "Head 1"}};

Figure brush_figure(const SentenceReadings& read) {
  const double painted = weight_on(read.head_0, "painted");
  const double woman = weight_on(read.head_1, "woman");
  return Figure{"brush", text("brush の 2 つの見方：painted に {:.2f}、woman に {:.2f}",
                              "Two heads, two views of brush: painted {:.2f}, woman {:.2f}", painted, woman)}
      .described(text(
          "ヒートマップ。行は 2 つのヘッド、列は文の単語、値は brush の注意度。ヘッド 0 は painted に {:.2f}（筆で描いた）、ヘッド 1 は woman に {:.2f}（筆を持つ女性）。",
          "A heat map: rows are two heads, columns the words, values the weights of “brush”. Head 0 gives {:.2f} to painted (painted with a brush), head 1 {:.2f} to woman (a woman with a brush).",
          painted, woman))
      .captioned(text("ヘッド 0 は座標 0（描く）、ヘッド 1 は座標 1（人）だけを使う。{}",
                      "Head 0 uses only coordinate 0 (painting), head 1 only coordinate 1 (person). {}",
                      framed_by_hand))
      .panel(readings_map("brush", {{read.head_0, {"painted"}}, {read.head_1, {"woman"}}}, two_heads,
                          weight_colours()))
      .on_page(14.0, 5.0);
}

/// Textbook, 2.2.4: words are related in more than one way, so there is more than one head.
Figure neko_figure(const SentenceReadings& read) {
  const double whose = weight_on(read.neko_0, "吾輩") + weight_on(read.neko_0, "猫");
  const double none = weight_on(read.neko_1, "ない");
  HeatMap map = readings_map("neko", {{read.neko_0, {"吾輩", "猫"}}, {read.neko_1, {"ない"}}}, two_heads,
                             weight_colours());
  std::vector<ShortText> columns;
  columns.reserve(read.neko_0.words.size());
  for (const std::string& word : read.neko_0.words) columns.emplace_back(neko_word(word));
  return Figure{"neko", text("「名前」の 2 つの見方：「吾輩」と「猫」に {:.2f}、「ない」に {:.2f}",
                             "Two heads, two views of name: I and cat {:.2f}, none {:.2f}", whose, none)}
      .described(text(
          "ヒートマップ。行は 2 つのヘッド、列は「吾輩は猫である。名前はまだない」の単語、値は「名前」の注意度。ヘッド 0 は「吾輩」と「猫」に合わせて {:.2f}（誰の、何の名前か）、ヘッド 1 は「ない」に {:.2f}（名前がどうなのか）。",
          "A heat map: rows are two heads, columns the words of “I am a cat; as yet I have no name” in the Japanese order, values the weights of “name”. Head 0 gives {:.2f} to I and cat (whose name it is, and of what), head 1 {:.2f} to none (what is said of it).",
          whose, none))
      .captioned(text(
          "ヘッド 0 は座標 0（主題）、ヘッド 1 は座標 1（名前がどうなのか）だけを使う。{}",
          "吾輩は猫である。名前はまだない, word for word. Head 0 uses only coordinate 0 (the subject), head 1 only coordinate 1 (what is said of it). {}",
          framed_by_hand))
      .panel(std::move(map).columns(Text::none(), std::move(columns)))
      .on_page(14.0, 5.0);
}

}  // namespace

std::vector<Figure> figures(const PoolingRun& run) {
  return {schemes_figure(run),          weights_figure(run),
          word2vec_figure(run),         bank_figure(run.sentences),
          animal_figure(run.sentences), brush_figure(run.sentences),
          neko_figure(run.sentences),   span_figure(run)};
}

}  // namespace attnlab
