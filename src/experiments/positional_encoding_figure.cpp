// The article's figure of `positional`: every position as a row of sines and cosines.
#include <fmt/format.h>

#include "experiments/positional/positional.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
Figure positional_encoding_figure(const PositionalRun& run) {
  const HeatMap map{"encoding",
                    to_matrix(run.encoding),
                    {},
                    {},
                    {"位置", "Position"},
                    {"次元", "Dimension"},
                    {Palette::rdbu, -1.0, 1.0, Text::same("")},
                    no_numbers,
                    false};
  const double closest = run.closest.distance;
  return {"encoding",
          {fmt::format("どの位置も違う模様：最も近い 2 つでも距離 {:.3g}", closest),
           fmt::format("Every position has its own pattern: the closest two are {:.3g} apart", closest)},
          {fmt::format(
               "位置エンコーディングのヒートマップ。行は位置 0～{}、列は次元 0～{}、値は −1～1。左の列ほど"
               "細かく振動し、右の列はほとんど変わらない。",
               run.settings.positions - 1, run.settings.width - 1),
           fmt::format(
               "Heat map of the positional encoding: rows are positions 0 to {}, columns dimensions 0 to {}, "
               "values from -1 to 1. Columns on the left oscillate fast, those on the right hardly change.",
               run.settings.positions - 1, run.settings.width - 1)},
          size_and_base(run.settings),
          {{Text::same(""), map}},
          1,
          {},
          {10.0, 6.25}};
}

}  // namespace attnlab
