// The figures of `positional` in order, and what several of them share.
#include <fmt/format.h>

#include <utility>

#include "experiments/positional/positional.hpp"

namespace attnlab {

Axis linear_axis(Text label) {
  return {std::move(label), Axis::Scale::linear, {}, {}};
}

Text size_and_base(const PositionalSettings& settings) {
  return {fmt::format("位置 {} 個、{} 次元、底 {:g}。", settings.positions, settings.width, settings.base),
          fmt::format("{} positions, {} dimensions, base {:g}.", settings.positions, settings.width,
                      settings.base)};
}

std::vector<Figure> positional_figures(const PositionalRun& run) {
  return {positional_encoding_figure(run), positional_waves_figure(run),    positional_similarity_figure(run),
          positional_rotation_figure(run), positional_relative_figure(run), positional_rotary_figure(run)};
}

}  // namespace attnlab
