// The figure of the leak: finite masks against the size of the scores, and the climb at the tie close up.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

std::vector<double> values_of(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

std::vector<double> row_of(const Tensor<double>& tensor, std::size_t row) {
  const std::size_t columns = tensor.shape().back();
  const double* first = tensor.data() + row * columns;
  return {first, first + columns};
}

Panel sweep_panel(const LeakSweep& sweep) {
  Chart chart{
      {{"スコアの倍率", "Scores multiplied by"}, Axis::Scale::log10, {}, {}},
      {{"隠れたキーへの漏れ", "Weight on hidden keys"}, Axis::Scale::linear, Interval{-0.06, 1.12}, {}},
      {}};
  for (std::size_t h = 0; h < sweep.hidden_value.size(); ++h) {
    const double hidden = sweep.hidden_value(h);
    chart.layers.emplace_back(Curve{fmt::format("leak[{}]", h), values_of(sweep.magnitude),
                                    row_of(sweep.leak, h), series_ink(h), Text::same(hidden_name(hidden)),
                                    std::isinf(hidden)});
  }
  return {{"スコアが大きいと漏れる", "Large scores leak"}, chart};
}

Panel tie_panel(const LeakSweep& sweep) {
  return {
      {"漏れ始めの拡大（−10⁵）", "Close up, −10⁵"},
      Chart{{{"隠れたスコアの超過 − |M|", "Excess of the hidden score − |M|"}, Axis::Scale::linear, {}, {}},
            {{"隠れたキーへの漏れ", "Weight on hidden keys"}, Axis::Scale::linear, Interval{-0.06, 1.12}, {}},
            {Rule{"tie", Rule::Direction::vertical, 0.0, Text::same(""), muted_ink},
             Curve{"leak_beyond", values_of(sweep.beyond), values_of(sweep.leak_beyond), series_ink(2),
                   Text::same("")},
             Callout{"half", 0.0, 0.5, {"同点：半分が漏れる", "a tie: half leaks"}}}}};
}

}  // namespace

Figure masks_leak_figure(const LeakSweep& sweep, const MasksSettings& settings) {
  const std::string tie = magnitude_text(sweep.tie(2));
  return {
      "leak",
      {fmt::format("−10⁵ のマスクはスコアが {} 倍になると漏れ、−∞ は漏れない", tie),
       fmt::format("−10⁵ leaks once scores grow {}-fold; −∞ never does", tie)},
      {fmt::format(
           "1 枚目：スコアの倍率（対数軸）に対する、最も漏れる行で隠れたキーに落ちる注意度の曲線。−65504 は "
           "{} 倍、−10⁵ は {} 倍、−10⁹ は {} 倍で半分が漏れ、その先ではすべて漏れる。−∞ は常に 0。"
           "2 枚目：−10⁵ の境目の拡大で、S 字の曲線。",
           magnitude_text(sweep.tie(3)), tie, magnitude_text(sweep.tie(1))),
       fmt::format("First: the weight on hidden keys in the row that leaks most, against the factor on all "
                   "scores (log axis): half leaks at {} for −65504, at {} for −10⁵ and at {} for −10⁹, "
                   "beyond that everything; −∞ stays at 0. Second: the S-shaped climb of −10⁵ close up.",
                   magnitude_text(sweep.tie(3)), tie, magnitude_text(sweep.tie(1)))},
      {fmt::format("{}マスク：{}、行 {}。隠れたスコアの超過は倍率 1 で {:.3g}。",
                   inputs_caption(settings).ja(), sweep.mask_title.ja(), sweep.row, sweep.gap),
       fmt::format("{} Mask: {}, row {}; its hidden score exceeds the readable ones by {:.3g} times the "
                   "factor.",
                   inputs_caption(settings).en(), sweep.mask_title.en(), sweep.row, sweep.gap)},
      {sweep_panel(sweep), tie_panel(sweep)},
      0,
      {},
      {14.0, 6.5}};
}

}  // namespace attnlab
