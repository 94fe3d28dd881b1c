// The columns of `positional` as waves: the lower the dimension, the faster.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/constants.hpp"
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_wave_positions = 100;  // beyond, the fastest wave is a solid band

/// The wavelength of a column, in positions: 2π base^(2i/d).
double wavelength(const PositionalSettings& settings, std::size_t column) {
  const double exponent = static_cast<double>(column - column % 2) / static_cast<double>(settings.width);
  return 2.0 * pi * std::pow(settings.base, exponent);
}

/// Sines from the fastest to the middle of the width: the rest is flat over a few dozen positions.
std::vector<std::size_t> wave_columns(std::size_t width) {
  std::vector<std::size_t> columns;
  for (const std::size_t part : {width, width / 8, width / 4, width / 2}) {
    const std::size_t column = part == width ? 0 : part - part % 2;
    if (columns.empty() || column > columns.back()) columns.push_back(column);
  }
  return columns;
}

Curve wave(const PositionalSettings& settings, std::size_t column, double last, Ink ink) {
  constexpr std::size_t samples = 801;
  Curve curve{fmt::format("wave[{}]", column),
              {},
              {},
              ink,
              {fmt::format("次元 {}", column), fmt::format("dim {}", column)}};
  for (std::size_t i = 0; i < samples; ++i) {
    const double position = last * static_cast<double>(i) / static_cast<double>(samples - 1);
    curve.x.push_back(position);
    curve.y.push_back(std::sin(2.0 * pi * position / wavelength(settings, column)));
  }
  return curve;
}

}  // namespace

Figure positional_waves_figure(const PositionalRun& run) {
  const PositionalSettings& settings = run.settings;
  const std::size_t last = std::min(settings.positions, most_wave_positions) - 1;
  Chart chart{linear_axis({"位置", "Position"}), linear_axis({"値", "Value"}), {}};
  std::size_t series = 0;
  for (const std::size_t column : wave_columns(settings.width)) {
    chart.layers.emplace_back(wave(settings, column, static_cast<double>(last), series_ink(series++)));
  }
  const double shortest = wavelength(settings, 0);
  const double longest = wavelength(settings, settings.width - 1);
  const Text title =
      longest > shortest
          ? Text{fmt::format("次元ごとに違う速さの波：波長 {:.1f}～{:.0f}", shortest, longest),
                 fmt::format("Every pair of dimensions is a wave: wavelengths {:.1f} to {:.0f}", shortest,
                             longest)}
          : Text{fmt::format("どの次元も波長 {:.1f} の波", shortest),
                 fmt::format("Every dimension is a wave of wavelength {:.1f}", shortest)};
  return {"waves",
          title,
          {fmt::format(
               "位置に対する正弦波の曲線。低い次元は速く、高い次元は遅く振動する。波長は位置 {:.1f} 個分から "
               "{:.0f} 個分まで。",
               shortest, longest),
           fmt::format(
               "Sine curves over the positions: low dimensions oscillate fast, high ones slowly. Wavelengths "
               "run from {:.1f} to {:.0f} positions.",
               shortest, longest)},
          size_and_base(settings),
          {{Text::same(""), chart}},
          1,
          {},
          {10.0, 6.25}};
}

}  // namespace attnlab
