// GPT as a diagram: the stream of words through its layers to the next word, and how many weights each part
// has.
#include "core/counted.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

Text with_shape_of(const Text& words, const std::vector<std::size_t>& shape) {
  return text("{} {}", "{} {}", words, shape_text(shape));
}

/// Bare words beside a box.
void add_beside(Diagram& diagram, std::size_t box, Text words) {
  constexpr double x = 0.875;
  const double y = diagram.nodes[box].y;
  diagram.nodes.push_back({diagram.nodes[box].id + ".weights", std::move(words), x, y});
  diagram.nodes.back().framed = false;
}

Diagram gpt_diagram(const DecoderRun& run) {
  const std::size_t words = run.prompt.size();
  const WeightCounts& counts = run.counts;
  const std::size_t layers = counts.layers;
  const auto count = [](std::size_t weights) { return text("重み {} 個", "{} weights", weights); };
  const auto count_in_layers = [&](std::size_t weights) {
    return layers == 1 ? count(weights) : text("重み {} × {} 個", "{} × {} weights", layers, weights);
  };

  Diagram diagram;
  const double step = 0.92 / (steps_of_stack(2, NormPlacement::pre) + 2.0);
  StackDiagram gpt(diagram, "gpt", {0.6, 0.51, 0.25, 0.96, step}, NormPlacement::pre);
  const std::size_t embedding = gpt.add(with_shape_of({"埋め込み", "Embedding"}, {words, counts.width}));
  gpt.add_constant(with_shape_of({"位置", "Position"}, {words, counts.width}));
  const std::size_t attention =
      gpt.add_sublayer(with_shape_of({"因果アテンション", "Causal attention"}, {words, words}));
  const std::size_t mlp = gpt.add_sublayer(with_shape_of(Text::same("MLP"), {words, counts.hidden}));
  gpt.close_layers(attention, text("×{}、{} ヘッド", "×{}, {}", layers, counted(run.heads, "head")));
  const std::size_t linear = gpt.add(with_shape_of({"線形", "Linear"}, {words, counts.words}));
  gpt.add(with_shape_of(Text::same("softmax"), {words, counts.words}));
  add_beside(diagram, embedding, count(counts.embedding));
  add_beside(diagram, attention, count_in_layers(counts.attention));
  add_beside(diagram, mlp, count_in_layers(counts.mlp));
  add_beside(diagram, linear, count(counts.vocabulary));
  return diagram;
}

}  // namespace

Figure decoder_architecture_figure(const DecoderRun& run) {
  const WeightCounts& counts = run.counts;
  const double share = 100.0 * static_cast<double>(counts.in_layers()) / static_cast<double>(counts.all());
  const std::size_t words = run.prompt.size();
  return Figure{"architecture",
                text("GPT は因果アテンションと MLP を積むだけ：この例では重みの {:.0f}% が層の中",
                     "GPT stacks causal attention and MLP: {:.0f}% of the weights here", share)}
      .described(text(
          "GPT のブロック図。{} 語を埋め込み、位置を足し、因果アテンションと MLP の層を {} 回くり返し、LN、線形変換、softmax で終わる。交差アテンションはない。重みは埋め込み {} 個、1 層のアテンション {} 個、MLP {} 個、最後の線形変換 {} 個。",
          "Block diagram of GPT. {} words are embedded, positions are added; then {} layers of causal attention and MLP, LN, a linear map and softmax. There is no cross-attention. Weights: embedding {}, attention of one layer {}, MLP {}, the last linear map {}.",
          words, counts.layers, counts.embedding, counts.attention, counts.mlp, counts.vocabulary))
      .captioned(text(
          "アテンションの ( ) は 1 ヘッドの注意度の形（クエリ, キー）、ほかは出力の形。{} 行のそれぞれが、次の語の確率。",
          "After attention: the shape of a head's weights (queries, keys); else of the output. Each of the {} rows predicts its next word.",
          words))
      .panel(gpt_diagram(run))
      .on_page(10.0, 8.0);
}

}  // namespace attnlab
