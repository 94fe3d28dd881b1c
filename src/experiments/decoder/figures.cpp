// The figures of `decoder`: the next word, what each sub-layer adds, what the mask hides, and the weights.
#include "core/counted.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

/// As many digits as a cell of the default page holds, of numbers up to `most`.
int digits_for(std::size_t columns, double most) {
  if (columns > 9) return no_numbers;
  return most < 10.0 ? 2 : most < 100.0 ? 1 : 0;
}

std::vector<ShortText> word_texts(const std::vector<std::string>& words) {
  std::vector<ShortText> texts;
  texts.reserve(words.size());
  for (const std::string& word : words) texts.emplace_back(word_text(word));
  return texts;
}

/// Every caption begins with it.
Text untrained(const DecoderRun& run, const Text& more) {
  if (run.tape.any_read()) return text("{}。{}", "{}.{}", run.tape.described(), more);
  return text("重みは学習していない乱数（種 {}）。{}", "Random, untrained weights (seed {}).{}",
              run.tape.seed(), more);
}

// --- The next word

Chart next_word_bars(const DecoderRun& run, std::size_t best) {
  Bars bars = Bars{"next", values_of(run.pass.probabilities, run.last()), series_ink(0)}.with_numbers(2);
  bars.marked = best;
  bars.shows = {"probabilities", run.last()};
  const double highest = bars.values[best];
  return {Axis{{"次の語", "Next word"}}.named(word_texts(run.vocabulary)),
          Axis{{"確率", "Probability"}}.within(0.0, 1.2 * highest),
          {std::move(bars)}};
}

Text what_is_shown(const DecoderRun& run) {
  if (run.tape.comes_from_model()) {
    return text("最後の位置で最も確からしい {} 語。", " The {} most likely words at the last position.",
                run.vocabulary.size());
  }
  if (run.tape.any_read()) return Text::none();
  return {"確率に意味はまだない。", " The probabilities carry no meaning yet."};
}

Figure next_word_figure(const DecoderRun& run) {
  const std::size_t best = ranking(run, run.last()).front();
  const double percentage = 100.0 * run.pass.probabilities(run.last(), best);
  return Figure{"next-token",
                run.tape.any_read()
                    ? text("「{}」の次は？ 「{}」が {:.0f}%", "After “{}” the next word is “{}” ({:.0f}%)",
                           word_text(run.history.back()), word_text(run.vocabulary[best]), percentage)
                    : text("「{}」の次は？ 学習前は「{}」が {:.0f}%",
                           "After “{0}” an untrained decoder predicts “{1}” ({2:.0f}%)",
                           word_text(run.history.back()), word_text(run.vocabulary[best]), percentage)}
      .described(text(
          "最後の位置での次の語の確率の棒グラフ（{} 語、最大は「{}」の {:.3f}）。",
          "Bar chart of the next word's probabilities at the last position ({} words, the largest is {} with {:.3f}).",
          run.vocabulary.size(), word_text(run.vocabulary[best]), percentage / 100.0))
      .captioned(untrained(run, what_is_shown(run)))
      .panel(next_word_bars(run, best))
      .on_page(10.0, 5.6);
}

Figure every_position_figure(const DecoderRun& run) {
  return Figure{"every-position",
                {"すべての位置で、次の語を同時に予測する", "Every position predicts its next word at once"}}
      .described(
          {"位置ごとの、次の語の確率のヒートマップ。行はそこまでの最後の語、列は次の語で、各行の和は 1。",
           "Heat map of the next word's probabilities: rows are the last word so far, columns the next one; each row sums to 1."})
      .captioned(untrained(run, what_is_shown(run)))
      .panel(HeatMap{"probabilities", to_matrix(run.pass.probabilities)}
                 .rows({"最後の語", "Last word"}, word_texts(run.history))
                 .columns({"次の語", "Next word"}, word_texts(run.vocabulary))
                 .coloured({Palette::blues, 0.0, largest(run.pass.probabilities), {"確率", "Probability"}})
                 .with_numbers(digits_for(run.vocabulary.size(), 1.0)))
      .on_page(10.0, 6.0);
}

// --- The residual stream

/// A line a token: the length of its stream before, and after every sub-layer. Of many tokens the last alone
/// is named: it is the one that the next word is read from.
Chart stream_chart(const DecoderRun& run, std::vector<ShortText> names) {
  constexpr std::size_t most_named = 6;
  const std::size_t tokens = run.prompt.size();
  const auto last = static_cast<double>(names.size()) - 1.0;
  const double longest = largest(run.stream_length);
  Chart chart{Axis{Text::none()}.within(-0.3, last + 0.3).named(std::move(names)),
              Axis{{"長さ", "Length"}}.within(0.0, longest > 0.0 ? 1.1 * longest : 1.0)};
  for (std::size_t token = 0; token < tokens; ++token) {
    const bool is_named = tokens <= most_named || token + 1 == tokens;
    Curve line{fmt::format("stream_length.token[{}]", token),
               {},
               {},
               is_named ? series_ink(tokens <= most_named ? token : 0) : muted_ink};
    if (is_named) line.name = word_text(run.history[token]);
    for (std::size_t step = 0; step < run.stream_length.shape()[0]; ++step) {
      line.x.push_back(static_cast<double>(step));
      line.y.push_back(run.stream_length(step, token));
    }
    chart.layers.emplace_back(std::move(line));
  }
  return chart;
}

Figure stream_figure(const DecoderRun& run) {
  const std::size_t sublayers = run.added_length.shape()[0];
  const double first = row_mean(run.stream_length)(0);
  const double last = row_mean(run.stream_length)(sublayers);
  std::vector<ShortText> names{Text("入力", "Input")};
  for (std::size_t i = 0; i < sublayers; ++i) names.emplace_back(text("＋{}", "+ {}", sublayer_name(i)));
  return Figure{"stream", text("{} 個のサブレイヤが残差ストリームに足していく：長さ {:.1f} → {:.1f}",
                               "{} sub-layers add to the residual stream: length {:.1f} → {:.1f}", sublayers,
                               first, last)}
      .described(text(
          "トークンごとに 1 本の折れ線。横軸は入力と各サブレイヤ、縦軸はそこまでに足した残差ストリームの長さ。平均は最初 {:.2f}、最後 {:.2f}。",
          "A line for each token: the length of its residual stream at first and after every sub-layer. The mean is {:.2f} at first and {:.2f} at the end.",
          first, last))
      .captioned(untrained(run, {"折れ線：トークン。番号は層。", " Lines: tokens. Numbers: layers."}))
      .panel(stream_chart(run, std::move(names)))
      .on_page(11.0, 6.0);
}

// --- The mask

/// Where what leaks most is seen; nowhere when nothing leaks.
std::vector<bool> largest_leak(const Tensor<double>& reaction) {
  std::vector<bool> marked(reaction.size(), false);
  const double most = leak(reaction);
  const std::size_t words = reaction.shape()[0];
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = i + 1; j < words; ++j) {
      marked[i * words + j] = most > 0.0 && reaction(i, j) == most;
    }
  }
  return marked;
}

HeatMap reaction_map(const DecoderRun& run, const std::string& id, const Tensor<double>& values,
                     const ColourScale& scale) {
  return HeatMap{id, to_matrix(values)}
      .rows({"出力の位置", "Output at"}, word_texts(run.history))
      .columns({"変えた語", "Changed word"}, word_texts(run.history))
      .coloured(scale)
      .with_numbers(digits_for(run.prompt.size(), scale.high))
      .marking(largest_leak(values));
}

Figure leak_figure(const DecoderRun& run) {
  const double top = std::max(largest(run.reaction), largest(run.reaction_without_mask));
  const ColourScale scale{Palette::blues, 0.0, top, {"ロジットの変化", "Change of the logits"}};
  const double with_mask = leak(run.reaction);
  const double without = leak(run.reaction_without_mask);
  const Text title =
      run.prompt.size() == 1
          ? Text{"語が 1 つだけなら、漏れる後の語はない", "A single word has no later word that could leak"}
          : text("後の語を変えたときの前の出力の変化：因果マスクありで {:.2g}、なしで最大 {:.2f}",
                 "A later word changes earlier outputs by {:.2g}; without the mask, by up to {:.2f}",
                 with_mask, without);
  const Text framed = std::max(with_mask, without) > 0.0
                          ? Text{"枠：最大の漏れ。", " Framed: the largest leak."}
                          : Text::none();
  return Figure{"leak", title}
      .described(text(
          "{0} × {0} のヒートマップが 2 枚。列の語を別の語に変えたとき、行の位置のロジットが動く長さ。左の因果マスクありでは対角線より右上が最大 {1:.2g}、右のマスクなしでは最大 {2:.2f}。",
          "Two heat maps of {0} by {0}: how far the logits of the row's position move when the column's word is replaced. Above the diagonal the largest is {1:.2g} with the causal mask (left) and {2:.2f} without it (right).",
          run.prompt.size(), with_mask, without))
      .captioned(untrained(run, text("語は語彙の次の語に変えた。{}",
                                     " Each word is replaced by the next of the vocabulary.{}", framed)))
      .panel({"因果マスク", "Causal mask"}, reaction_map(run, "reaction", run.reaction, scale))
      .panel({"マスクなし", "No mask"},
             reaction_map(run, "reaction_without_mask", run.reaction_without_mask, scale))
      .sharing_scale(scale)
      .sharing_axes()
      .on_page(13.0, 6.5);
}

// --- The weights

Panel weights_panel(const DecoderRun& run, std::size_t layer, std::size_t head) {
  const std::size_t tokens = run.prompt.size();
  const double* first = &run.pass.layers[layer].attention.attention.weights(head, 0, 0);
  const Matrix weights{tokens, tokens, {first, first + tokens * tokens}};
  return {head_of_layer(layer, head), HeatMap{fmt::format("weights[{},{}]", layer, head), weights}
                                          .rows(Text::none(), word_texts(run.history))
                                          .columns(Text::none(), word_texts(run.history))
                                          .coloured(weight_colours())
                                          .showing({"weights", (layer * run.heads + head) * tokens})};
}

Figure weights_figure(const DecoderRun& run) {
  constexpr std::size_t most_heads = 4;  // of a layer, and layers; more panels would be too small to read
  const std::size_t layers = std::min(run.counts.layers, most_heads);
  const std::size_t heads = std::min(run.heads, most_heads);
  std::vector<Panel> panels;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (std::size_t head = 0; head < heads; ++head) panels.push_back(weights_panel(run, layer, head));
  }
  Text left_out = heads == run.heads
                      ? Text::none()
                      : text("各層 {} 個のうち最初の {} 個のヘッドだけを示す。",
                             " The first {1} of {0} heads of each layer.", run.heads, most_heads);
  if (layers < run.counts.layers)
    left_out = text("{}層は {} 個のうち最初の {} 個。", "{0} The first {2} of {1} layers.", left_out,
                    run.counts.layers, layers);
  const double width = heads <= 2 ? 10.0 : 3.2 * static_cast<double>(heads) + 2.0;
  const double cell = (width - 2.0) / static_cast<double>(heads);
  return Figure{"weights",
                {"どの層のどのヘッドも、自分と前の語だけを参照する",
                 "Every head attends only to the word itself and its past"}}
      .described(text(
          "{} 層 × {} ヘッドの注意度のヒートマップ。行はクエリ、列はキーで、対角線より右上はすべて 0。",
          "Heat maps of the weights of {} with {}; rows are queries, columns are keys, and everything above the diagonal is 0.",
          counted(layers, "layer"), counted(heads, "head")))
      .captioned(untrained(run, text("{}行はクエリ、列はキーで、各行の和は 1。{}",
                                     "{} Rows: queries, which sum to 1; columns: keys.{}",
                                     note_on_heads_of_layers(), left_out)))
      .all_panels(std::move(panels))
      .in_columns(heads)
      .sharing_scale(weight_colours())
      .sharing_axes()
      .on_page(width, std::max(6.0, cell * static_cast<double>(layers) + 2.0));
}

// --- GPT as a diagram: the stream of words to the next one, and how many weights each part has

Text shape_of(const std::vector<std::size_t>& shape) { return Text::same(shape_text(shape)); }

Diagram gpt_diagram(const DecoderRun& run) {
  const std::size_t words = run.prompt.size();
  const WeightCounts& counts = run.counts;
  const std::size_t layers = counts.layers;
  const auto count = [](std::size_t weights) { return text("重み {} 個", "{} weights", weights); };
  const auto count_in_layers = [&](std::size_t weights) {
    return layers == 1 ? count(weights) : text("重み {} × {} 個", "{} × {} weights", layers, weights);
  };

  constexpr double beside = 0.85;
  Diagram diagram;
  const double step = 0.92 / steps_of_stack(2, NormPlacement::pre);
  StackDiagram gpt(diagram, "gpt", {0.45, 0.2, 0.96, step}, NormPlacement::pre);
  const std::size_t embedding =
      gpt.add({"埋め込み＋位置", "Embed + position"}, shape_of({words, counts.width}), stream_ink);
  const std::size_t attention = gpt.add_sublayer({"因果アテンション", "Causal attention"},
                                                 shape_of({words, words}), Reads::queries_keys_values);
  const std::size_t mlp =
      gpt.add_sublayer(Text::same("MLP"), shape_of({words, counts.hidden}), Reads::stream);
  gpt.close_layers(attention);
  const std::size_t linear = gpt.add({"線形、softmax", "Linear, softmax"}, shape_of({words, counts.words}));
  gpt.add_beside(mlp, text("×{}、{} ヘッド", "×{}, {}", layers, counted(run.heads, "head")), 0.08);
  gpt.add_beside(embedding, count(counts.embedding), beside);
  gpt.add_beside(attention, count_in_layers(counts.attention), beside);
  gpt.add_beside(mlp, count_in_layers(counts.mlp), beside);
  gpt.add_beside(linear, count(counts.vocabulary), beside);
  return diagram;
}

Figure architecture_figure(const DecoderRun& run) {
  const WeightCounts& counts = run.counts;
  const double share = 100.0 * static_cast<double>(counts.in_layers()) / static_cast<double>(counts.all());
  const std::size_t words = run.prompt.size();
  return Figure{"architecture",
                text("GPT は因果アテンションと MLP の積み重ね（ここでは重みの {:.0f}%）",
                     "GPT is a stack of attention and MLP blocks ({:.0f}% of weights)", share)}
      .described(text(
          "GPT のブロック図。{} 語を埋め込み、位置を足し、因果アテンションと MLP の層を {} 回くり返し、LN、線形変換、softmax で終わる。交差アテンションはない。重みは埋め込み {} 個、1 層のアテンション {} 個、MLP {} 個、最後の線形変換 {} 個。",
          "Block diagram of GPT. {} words are embedded, positions are added; then {} layers of causal attention and MLP, LN, a linear map and softmax. There is no cross-attention. Weights: embedding {}, attention of one layer {}, MLP {}, the last linear map {}.",
          words, counts.layers, counts.embedding, counts.attention, counts.mlp, counts.vocabulary))
      .captioned(text(
          "アテンションの ( ) は 1 ヘッドの注意度の形（クエリ, キー）、MLP は隠れ層の形、ほかは出力の形。{} 行のそれぞれが、次の語の確率。",
          "After attention: the shape of a head's weights (queries, keys); after MLP: of its hidden layer; else of the output. Each of the {} rows predicts its next word.",
          words))
      .panel(lit(gpt_diagram(run), run.lit))
      .on_page(10.0, 8.0);
}

}  // namespace

std::vector<Figure> figures(const DecoderRun& run) {
  std::vector<Figure> all{next_word_figure(run), every_position_figure(run), stream_figure(run),
                          leak_figure(run), weights_figure(run)};
  if (run.is_gpt) all.push_back(architecture_figure(run));
  return all;
}

}  // namespace attnlab
