// The whole Transformer as a diagram: this run's encoder, and the decoder that reads what it found.
#include "core/counted.hpp"
#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

/// "アテンション (6, 6)"; letters stand where this run has no number.
Text with_shape(const Text& words, const std::string& rows, const std::string& columns) {
  return text("{} ({}, {})", "{} ({}, {})", words, rows, columns);
}

/// The sizes of the encoder's arrays, as words.
struct EncoderSizes {
  std::string tokens;
  std::string width;
  std::string hidden;
  std::size_t heads = 0;

  explicit EncoderSizes(const EncoderRun& run)
      : tokens(std::to_string(run.x.shape()[0])),
        width(std::to_string(run.x.shape()[1])),
        hidden(std::to_string(run.drawn.w_1.shape()[1])),
        heads(run.drawn.attention.query.shape()[0]) {}
};

const Text embedding_box{"埋め込み", "Embedding"};
const Text positions_box{"位置", "Position"};

Diagram transformer_diagram(const EncoderRun& run) {
  const EncoderSizes sizes(run);
  const std::string words_so_far = "m";
  // The decoder stands half a step higher: its second sub-layer is level with the end of a post-norm encoder.
  constexpr double raised = 0.5;
  constexpr double lowest = 0.96;
  const double step = 0.92 / (raised + steps_of_stack(3, run.placement) + 2.0);
  const Text repeated = text("×N、{} ヘッド", "×N, {}", counted(sizes.heads, "head"));

  Diagram diagram;
  constexpr double side = 0.138;
  StackDiagram encoder(diagram, "encoder", {0.366, 0.299, side, lowest, step}, run.placement);
  encoder.add(embedding_box);
  encoder.add_constant(with_shape(positions_box, sizes.tokens, sizes.width));
  const std::size_t attention =
      encoder.add_sublayer(with_shape({"アテンション", "Attention"}, sizes.tokens, sizes.tokens));
  encoder.add_sublayer(with_shape(Text::same("MLP"), sizes.tokens, sizes.hidden));
  const std::size_t found = encoder.close_layers(attention, repeated);
  diagram.nodes.push_back(
      {"encoder.name", {"エンコーダー", "Encoder"}, side, diagram.nodes[found].y - 0.7 * step});
  diagram.nodes.back().framed = false;

  StackDiagram decoder(diagram, "decoder", {0.903, 0.84, 0.632, lowest - raised * step, step}, run.placement);
  decoder.add(embedding_box);
  decoder.add_constant(with_shape(positions_box, words_so_far, sizes.width));
  const std::size_t causal =
      decoder.add_sublayer(with_shape({"因果アテンション", "Causal attention"}, words_so_far, words_so_far));
  const std::size_t cross =
      decoder.add_sublayer(with_shape({"交差アテンション", "Cross-attention"}, words_so_far, sizes.tokens));
  decoder.add_sublayer(with_shape(Text::same("MLP"), words_so_far, sizes.hidden));
  decoder.close_layers(causal, repeated);
  decoder.add(with_shape({"線形", "Linear"}, words_so_far, "V"));
  decoder.add_remark({"デコーダー", "Decoder"});
  decoder.add(Text::same("softmax"));

  diagram.edges.push_back({found, cross, plain_arrow});
  if (!run.is_post()) diagram.edges.back().detour = Detour{Detour::Direction::vertical, 0.415};
  return diagram;
}

}  // namespace

Figure encoder_architecture_figure(const EncoderRun& run) {
  const EncoderSizes sizes(run);
  return Figure{"architecture",
                {"エンコーダーを読むのは交差アテンションだけ", "Only cross-attention reads the encoder"}}
      .described(text(
          "Transformer 全体のブロック図。左はエンコーダー：埋め込みに位置を足し、アテンションと MLP の層を N 回くり返す。右はデコーダー：埋め込みに位置を足し、因果アテンション、交差アテンション、MLP の層を N 回くり返し、線形変換と softmax で終わる。エンコーダーの終わりから交差アテンションへ矢印が入る。入力は {} 語、D は {}。",
          "Block diagram of the whole Transformer. Left, the encoder: positions are added to the embedding, then N layers of attention and MLP. Right, the decoder: positions are added to the embedding, then N layers of causal attention, cross-attention and MLP, a linear map and softmax. An arrow leads from the encoder's end to cross-attention. {} words of width {} enter.",
          sizes.tokens, sizes.width))
      .captioned(
          {"この実行はエンコーダーの 1 層。m：ここまでの出力の語数、V：語彙の語数、LN：レイヤ正規化。アテンションの ( )：注意度の形（クエリ, キー）。",
           "This run: one layer of the encoder. m: words so far, V: vocabulary, LN: layer norm. After attention: shape of its weights (queries, keys)."})
      .panel(transformer_diagram(run))
      .on_page(12.0, 9.0);
}

}  // namespace attnlab
