// The words of `filters`: what each kind of weights knows of the signal, in numbers.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/filters_parts.hpp"
#include "experiments/report_body.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

double percent(double share) {
  return 100.0 * share;
}

Table comparison(const FiltersRun& run) {
  const std::size_t radius = run.settings.window / 2;
  Table table{{{"", ""},
               {fmt::format("±{} より遠くの重み", radius), fmt::format("weight beyond ±{}", radius)},
               {"入力による変化", "change on other input"},
               {"正弦波からの距離", "distance from sine"}},
              {}};
  const auto add = [&](Text name, const Tensor<double>& weights, const Tensor<double>& found,
                       const Tensor<double>& other, const Tensor<double>& output) {
    table.rows.push_back({std::move(name), fmt::format("{:.1f}%", percent(far_weight(run, weights))),
                          fmt::format("{:.2g}", largest_difference(found, other)),
                          fmt::format("{:.3f}", distance_from_clean(run, output))});
  };
  const Tensor<double>& attention = run.main.attention.weights;
  add({"移動平均", "moving average"}, run.moving_average_weights, run.main.moving_average_found,
      run.other.moving_average_found, run.moving_average_output);
  add({"EMA", "EMA"}, run.ema_weights, run.main.ema_found, run.other.ema_found, run.ema_output);
  add({"アテンション", "attention"}, attention, attention, run.other.attention.weights, run.attention_output);
  return table;
}

void add_explanation(std::vector<Block>& blocks, const FiltersRun& run) {
  const double noisy = distance_from_clean(run, run.main.signal);
  add_text(
      blocks,
      fmt::format("どれも「重みの行列 × 信号」で、各行の和は 1 です。「入力による変化」は、正弦波を 2 周期"
                  "から 3 周期に替えたときの重みの変化の最大値、「距離」は二乗平均平方根です（平滑化前は "
                  "{:.3f}）。",
                  noisy),
      fmt::format("Each is a matrix of weights times the signal, every row summing to 1. \"Change\": the "
                  "largest change of a weight when the sine has three periods instead of two. "
                  "\"Distance\": root mean square; {:.3f} before smoothing.",
                  noisy));
}

Paragraph choices(const FiltersRun& run) {
  const std::size_t width = run.settings.window;
  return {
      Role::note,
      {fmt::format(
           "移動平均は中央に置いた幅 {0} の窓で、端では信号のある所だけを平均します。EMA は y_0 = x_0 から"
           "始めるので、最初の標本に残りの重みが集まります。アテンションのクエリとキーは前後を含む {0} "
           "個の標本（端では端の値を繰り返す）、バリューは標本そのものです。値 1 個では、傾きのような"
           "形を比べられません。学習した重み行列はありません。",
           width),
       fmt::format("The moving average is centred, {0} wide, and at the ends averages what there is. The EMA "
                   "starts from y_0 = x_0, so the first sample keeps the remaining weight. Attention's query "
                   "and key are the {0} samples around each place (the end sample repeated beyond the ends), "
                   "its value is the sample: one number alone could not compare shapes such as slopes. "
                   "Nothing is learned.",
                   width)}};
}

Paragraph to_say(const FiltersRun& run) {
  const double change = largest_difference(run.main.attention.weights, run.other.attention.weights);
  return {
      Role::say,
      {fmt::format(
           "フィルタの重みは、信号を見る前に決まっています。アテンションの重みは信号から計算されます。"
           "信号を替えると、フィルタの重みはそのままで、アテンションの重みは最大 {:.2g} 変わります。",
           change),
       fmt::format("A filter's weights are decided before it sees the signal. Attention computes its weights "
                   "from the signal: change the signal, and the filters' weights stay while attention's "
                   "change by up to {:.2g}.",
                   change)}};
}

Paragraph misunderstanding(const FiltersRun& run) {
  const double fixed = distance_from_clean(run, run.moving_average_output);
  const double attention = distance_from_clean(run, run.attention_output);
  const Text verdict =
      attention < fixed
          ? Text{"この信号では移動平均より近いのですが、いつもそうとは限りません",
                 "here it comes closer, but it need not"}
          : Text{"この信号では移動平均のほうが近くなります", "here the moving average is closer"};
  return {
      Role::misunderstanding,
      {fmt::format("アテンションは「よりよい平滑化フィルタ」ではありません。元の正弦波からの距離は {:.3f}、"
                   "移動平均は {:.3f} で、{}。違いは、どこを見るかを入力が決めることです。",
                   attention, fixed, verdict.ja()),
       fmt::format("Attention is not a better smoother: its distance from the sine is {:.3f}, the moving "
                   "average's {:.3f}; {}. What is new is that the input decides where to look.",
                   attention, fixed, verdict.en())}};
}

Array first_row(const Tensor<double>& weights, std::size_t row, std::size_t count) {
  const double* begin = weights.data() + row * weights.shape()[1];
  return {{count}, {"samples_in"}, {begin, begin + count}, DType::float64};
}

}  // namespace

std::vector<Block> filters_body(const FiltersRun& run) {
  using formula::sym;
  constexpr std::size_t shown = 8;
  std::vector<Block> blocks;
  add_heading(blocks, "固定フィルタとアテンション", "Fixed filters and attention");
  blocks.emplace_back(Equation{formula::row({sym("y"), sym(" = "), sym("W"), sym("x")})});
  add_explanation(blocks, run);
  blocks.emplace_back(comparison(run));
  const auto add = [&](Text label, const Tensor<double>& weights) {
    blocks.emplace_back(Values{std::move(label), first_row(weights, shown - 1, shown)});
  };
  add({"行 7 の先頭、移動平均", "row 7, first weights, moving average"}, run.moving_average_weights);
  add({"行 7 の先頭、EMA", "row 7, first weights, EMA"}, run.ema_weights);
  add({"行 7 の先頭、アテンション", "row 7, first weights, attention"}, run.main.attention.weights);
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(misunderstanding(run));
  blocks.emplace_back(choices(run));
  return blocks;
}

}  // namespace attnlab
