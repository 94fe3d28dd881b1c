// GPT as a diagram: the stream of words through its layers to the next word, and how many weights each part
// has.
#include "core/counted.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

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

}  // namespace

Figure decoder_architecture_figure(const DecoderRun& run) {
  const WeightCounts& counts = run.counts;
  const double share = 100.0 * static_cast<double>(counts.in_layers()) / static_cast<double>(counts.all());
  const std::size_t words = run.prompt.size();
  return Figure{"architecture",
                text("GPT は因果アテンションと MLP を積むだけ：この小さな例では重みの {:.0f}% が層の中",
                     "GPT stacks causal attention and MLPs: here {:.0f}% of the weights", share)}
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

}  // namespace attnlab
