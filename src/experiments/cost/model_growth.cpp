// How the time of a model grows with its layers, and with heads that share its width: what arithmetic takes
// at least, and what was measured.
#include "attention/transformer_layer.hpp"
#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

constexpr std::size_t tokens = 256;
constexpr std::size_t width = 256;
constexpr std::size_t hidden = 4 * width;
constexpr std::size_t heads_of_layer = 4;
const std::vector<std::size_t> layer_counts{1, 2, 3, 4, 6, 8, 12};
const std::vector<std::size_t> head_counts{1, 2, 4, 8, 16, 32, 64};

/// Small enough that nothing grows from layer to layer.
Tensor<double> numbers(const std::vector<std::size_t>& shape) {
  return any_numbers(shape, 1.0 / std::sqrt(static_cast<double>(width)));
}

MultiHeadWeights<double> attention_weights(std::size_t heads) {
  const std::vector<std::size_t> projection{heads, width, width / heads};
  return {numbers(projection), numbers(projection), numbers(projection), numbers({width, width})};
}

TransformerLayer<double> layer_weights() {
  TransformerLayer<double> layer;
  layer.attention = attention_weights(heads_of_layer);
  layer.mlp = {{numbers({hidden, width}), std::nullopt}, {numbers({width, hidden}), std::nullopt}};
  layer.placement = NormPlacement::pre;
  return layer;
}

/// Of a product (m, k) times (k, n): multiplications and additions.
double product(std::size_t m, std::size_t k, std::size_t n) {
  return static_cast<double>(m * n) * static_cast<double>(2 * k - 1);
}

/// Four projections, and every head's own attention.
double attention_operations(std::size_t heads) {
  const std::uint64_t each = cost_methods()[1].operations.at(tokens, {width / heads, 1, 1});
  return 4.0 * product(tokens, width, width) + static_cast<double>(heads) * static_cast<double>(each);
}

/// Of one layer, without its norms, biases and additions: the least.
double layer_operations() {
  return attention_operations(heads_of_layer) + product(tokens, width, hidden) +
         product(tokens, hidden, width);
}

Chart growth_chart(const ModelGrowth& growth, const std::string& id, const Text& counted) {
  const std::vector<double> counts(growth.counts.begin(), growth.counts.end());
  const auto in_milliseconds = [](std::vector<double> seconds) {
    for (double& value : seconds) value *= 1e3;
    return seconds;
  };
  const std::vector<double> milliseconds = in_milliseconds(growth.seconds);
  const std::vector<double> least = in_milliseconds(growth.least);
  const double longest = *std::max_element(milliseconds.begin(), milliseconds.end());
  Axis x{counted};
  if (id == "heads") x.scale = Axis::Scale::log10;
  Chart chart{std::move(x), Axis{{"ミリ秒", "Milliseconds"}}.within(0.0, 1.1 * longest)};
  chart.layers.emplace_back(
      Curve{id + ".seconds", counts, milliseconds, series_ink(0), {"測定", "measured"}});
  chart.layers.emplace_back(Points{id + ".points", counts, milliseconds, series_ink(0)});
  chart.layers.emplace_back(Curve{
      id + ".least", counts, least, muted_ink, {"行列積の速さなら", "at a matrix product's speed"}, true});
  return chart;
}

Text caption_of(const CostRun& run, const Text& model) {
  return text(
      "この機械での測定、3 回のうち最短。1 スレッド、float64、{} トークン、次元 {}{}。破線：演算の回数を、大きな行列積の速さ（毎秒 {:.2g} G 演算）で割った時間。",
      "Measured on this machine, best of three: one thread, float64, {} tokens, width {}{}. Dashed: its operations at the speed of a large matrix product ({:.2g} G operations/s).",
      tokens, width, model, run.roofline.peak / 1e9);
}

}  // namespace

ModelGrowth measure_layers(double peak, const Context& context) {
  const TransformerLayer<double> layer = layer_weights();
  const Tensor<double> x = numbers({tokens, width});
  ModelGrowth growth{layer_counts, {}, {}};
  for (const std::size_t layers : growth.counts) {
    const auto work = [&] {
      Tensor<double> stream = x;
      for (std::size_t i = 0; i < layers; ++i) stream = transformer_layer(layer, stream).output;
      return stream(tokens - 1, width - 1);
    };
    growth.seconds.push_back(best_seconds(work, 1, context));
    growth.least.push_back(static_cast<double>(layers) * layer_operations() / peak);
  }
  return growth;
}

ModelGrowth measure_heads(double peak, const Context& context) {
  const Tensor<double> x = numbers({tokens, width});
  ModelGrowth growth{head_counts, {}, {}};
  for (const std::size_t heads : growth.counts) {
    const MultiHeadWeights<double> weights = attention_weights(heads);
    const auto work = [&] { return multi_head_attention(weights, x, x, x).output(tokens - 1, width - 1); };
    growth.seconds.push_back(best_seconds(work, 1, context));
    growth.least.push_back(attention_operations(heads) / peak);
  }
  return growth;
}

Figure layers_figure(const CostRun& run) {
  return Figure{"layers", text("{} 層の時間は 1 層の {:.1f} 倍", "{} layers take {:.1f} times as long as one",
                               run.by_layers.counts.back(), run.by_layers.last_to_first())}
      .described(text(
          "層の数に対する計算時間の折れ線と、演算の回数から決まる最短の時間。{} 層では {}、1 層では {}。",
          "Time against the number of layers, and the minimum that its operations require: {} layers take {}, one takes {}.",
          run.by_layers.counts.back(), second_text(run.by_layers.seconds.back()),
          second_text(run.by_layers.seconds.front())))
      .captioned(caption_of(run, text("、各層は {} ヘッドのアテンションと次元 {} の MLP",
                                      ", each layer {} heads and an MLP of {}", heads_of_layer, hidden)))
      .panel(growth_chart(run.by_layers, "layers", {"層の数", "Layers"}));
}

Figure heads_figure(const CostRun& run) {
  constexpr double bytes_of_weights = bytes_per_number * tokens * tokens;  // of one head
  const std::size_t most = run.by_heads.counts.back();
  return Figure{"heads", text("{} ヘッドの時間は 1 ヘッドの {:.1f} 倍：行列積の掛け算の回数は同じ",
                              "{} heads take {:.1f} times as long as one, with equally many multiplications",
                              run.by_heads.counts.back(), run.by_heads.last_to_first())}
      .described(text(
          "幅を分け合うヘッドの数に対するマルチヘッドアテンションの時間の折れ線と、演算の回数から決まる最短の時間。{} ヘッドでは {}、1 ヘッドでは {}。",
          "Time of multi-head attention against the number of heads that share its width, and the minimum that its operations require: {} heads take {}, one takes {}.",
          run.by_heads.counts.back(), second_text(run.by_heads.seconds.back()),
          second_text(run.by_heads.seconds.front())))
      .captioned(caption_of(
          run,
          text(
              "（ヘッドで等分、射影を含む）。注意度の配列は 1 ヘッドで {0}、{2} ヘッドで {1}",
              ", shared by the heads, projections included; the array of weights takes {0} for one head, {1} for {2}",
              byte_text(bytes_of_weights), byte_text(static_cast<double>(most) * bytes_of_weights), most)))
      .panel(growth_chart(run.by_heads, "heads", {"ヘッドの数", "Heads"}));
}

}  // namespace attnlab
