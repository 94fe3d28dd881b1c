// The whole Transformer as a diagram: this run's encoder, and the decoder that reads what it found.
#include "core/counted.hpp"
#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

/// "(6, 6)"; letters stand where this run has no number.
template <class Rows, class Columns>
Text shape_of(const Rows& rows, const Columns& columns) {
  return Text::same(fmt::format("({}, {})", rows, columns));
}

const Text embedding_box{"埋め込み＋位置", "Embed + position"};

Diagram transformer_diagram(const EncoderRun& run) {
  constexpr const char* words_so_far = "m";
  const std::size_t hidden = run.drawn.w_1.shape()[1];
  constexpr double lowest = 0.96;
  constexpr double beside_encoder = 0.04;
  constexpr double beside_decoder = 0.96;
  const double step = 0.92 / steps_of_stack(3, run.placement);
  const Text repeated = Text::same("×N");

  Diagram diagram;
  StackDiagram encoder(diagram, "encoder", {0.3, 0.1, lowest, step}, run.placement);
  encoder.add(embedding_box, shape_of(run.tokens, run.width), stream_ink);
  const std::size_t attention = encoder.add_sublayer(
      {"アテンション", "Attention"}, shape_of(run.tokens, run.tokens), Reads::queries_keys_values);
  const std::size_t mlp =
      encoder.add_sublayer(Text::same("MLP"), shape_of(run.tokens, hidden), Reads::stream);
  const std::size_t found = encoder.close_layers(attention);
  encoder.add_beside(mlp, repeated, beside_encoder);

  StackDiagram decoder(diagram, "decoder", {0.7, 0.9, lowest, step}, run.placement);
  decoder.add(embedding_box, shape_of(words_so_far, run.width), stream_ink);
  const std::size_t causal =
      decoder.add_sublayer({"因果アテンション", "Causal attention"}, shape_of(words_so_far, words_so_far),
                           Reads::queries_keys_values);
  const std::size_t cross = decoder.add_sublayer({"交差アテンション", "Cross-attention"},
                                                 shape_of(words_so_far, run.tokens), Reads::queries);
  decoder.add_sublayer(Text::same("MLP"), shape_of(words_so_far, hidden), Reads::stream);
  decoder.close_layers(causal);
  decoder.add_beside(cross, repeated, beside_decoder);
  const std::size_t end = decoder.add({"線形、softmax", "Linear, softmax"}, shape_of(words_so_far, "V"));

  encoder.add_beside(found, {"エンコーダー", "Encoder"}, 0.25, 1.0);
  decoder.add_beside(end, {"デコーダー", "Decoder"}, 0.42);
  encoder.add_beside(found, Text::same("K, V"), 0.475, 0.7);
  Edge read{found, cross, plain_arrow};
  read.detour = Detour{Detour::Direction::vertical, 0.5};
  read.ink = value_ink;
  diagram.edges.push_back(std::move(read));
  return diagram;
}

}  // namespace

Figure encoder_architecture_figure(const EncoderRun& run) {
  return Figure{
      "architecture",
      {"エンコーダーを参照するのは交差アテンションだけ", "Only cross-attention looks at the encoder"}}
      .described(text(
          "Transformer 全体のブロック図。左はエンコーダー：埋め込みに位置を足し、アテンションと MLP の層を N 回くり返す。右はデコーダー：埋め込みに位置を足し、因果アテンション、交差アテンション、MLP の層を N 回くり返し、線形変換と softmax で終わる。エンコーダーの終わりから交差アテンションへ矢印が入る。入力は {} 語、D は {}。",
          "Block diagram of the whole Transformer. Left, the encoder: positions are added to the embedding, then N layers of attention and MLP. Right, the decoder: positions are added to the embedding, then N layers of causal attention, cross-attention and MLP, a linear map and softmax. An arrow leads from the encoder's end to cross-attention. {} words of width {} enter.",
          run.tokens, run.width))
      .captioned(text(
          "この実行はエンコーダーの 1 層、{} ヘッド。m：ここまでの出力の語数、V：語彙の語数、LN：レイヤ正規化。アテンションの ( )：注意度の形（クエリ, キー）。",
          "This run: one layer of the encoder, {}. m: words so far, V: vocabulary, LN: layer norm. After attention: shape of its weights (queries, keys).",
          counted(run.drawn.attention.query.shape()[0], "head")))
      .panel(lit(transformer_diagram(run), run.lit))
      .on_page(12.0, 9.0);
}

}  // namespace attnlab
