// The numbers that `attnlab filters` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

// The article prints no numbers for its table: these come from its two filters written as loops and its
// attention, in NumPy (data/reference/make_filters_reference.py --rows).
Rows filters_rows() {
  const Text table{"固定重みフィルタと Self-Attention の表", "table of fixed filter and self-attention"};
  const auto row = [&](const char* quantity, std::vector<std::size_t> shape, std::size_t first,
                       std::vector<double> values) {
    return ExpectedValue{"filters",         {},   quantity, std::move(shape), first, std::move(values), exact,
                         Document::article, table};
  };
  const std::vector<std::size_t> samples{64};
  const std::vector<std::size_t> square{64, 64};
  constexpr std::size_t row_7 = std::size_t{7} * 64;
  return {
      row("signal", samples, 0,
          {0.5292157037902991, 0.31513748452629525, 0.6763048275968115, 1.2278381927800395}),
      row("moving_average_output", samples, 0,
          {0.5068860053044687, 0.6871240521733614, 0.8031740773849967, 0.8049881862948614}),
      row("ema_output", samples, 0,
          {0.5292157037902991, 0.4649922380110979, 0.5283860148868119, 0.7382216682547802}),
      row("attention_output", samples, 0,
          {0.5578438292839721, 0.6399440073043814, 0.7238574583268007, 0.7498404062511053}),
      row("moving_average_weights", square, row_7, {0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.2, 0.2, 0.2, 0.2}),
      row("moving_average_weights", square, 0, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}),
      row("ema_weights", square, row_7,
          {0.0823543, 0.0352947, 0.050421, 0.07203, 0.1029, 0.147, 0.21, 0.3, 0.0}),
      row("attention_weights", square, row_7,
          {0.017487373474340446, 0.024550718350169157, 0.032937703214499195, 0.0339957444829065,
           0.05157447024764458, 0.05181938982433784, 0.04217032079852051, 0.04918303225404839}),
      row("far_weight_attention", {}, 0, {0.8416855378109502}),
      row("far_weight_ema", {}, 0, {0.326921875}),
      row("distance_signal", {}, 0, {0.3181343342904091}),
      row("distance_moving_average", {}, 0, {0.18511212566392113}),
      row("distance_ema", {}, 0, {0.28531902973391926}),
      row("distance_attention", {}, 0, {0.19878675890292227}),
      row("largest_change_attention", {}, 0, {0.06873062846301556}),
  };
}

}  // namespace attnlab::expected
