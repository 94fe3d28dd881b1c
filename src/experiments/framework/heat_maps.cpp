#include "experiments/framework/heat_maps.hpp"

#include "core/constants.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {

Interval extremes(const Tensor<double>& values) {
  Interval range{infinity, -infinity};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range.low > range.high ? Interval{0.0, 1.0} : range;
}

Interval data_range(const Tensor<double>& values) {
  const Interval range = extremes(values);
  if (range.low == range.high) return {range.low - 0.5, range.high + 0.5};
  return range;
}

ColourScale signed_scale(const Tensor<double>& values) {
  const Interval range = data_range(values);
  const double reach = std::max(std::abs(range.low), std::abs(range.high));
  return {Palette::rdbu, -reach, reach, Text::same("")};
}

Text range_text(const Interval& range) {
  return text("{:.3g}～{:.3g}", "{:.3g} to {:.3g}", range.low, range.high);
}

Text head_of_layer(std::size_t layer, std::size_t head) {
  return Text::same(fmt::format("L{} H{}", layer, head));
}

Text note_on_heads_of_layers() { return {"L は層、H はヘッド。", " L: layer, H: head."}; }

Text note_on_hidden(const Figure& figure) {
  bool has_stroke = false;
  bool has_frame = false;
  bool may_hatch_signs = false;  // narrowly, in print
  for (const Panel& panel : figure.panels) {
    const auto* map = std::get_if<HeatMap>(&panel.content);
    if (map == nullptr) continue;
    may_hatch_signs |= map->scale.low < 0.0;
    for (std::size_t i = 0; i < map->hidden.size(); ++i) {
      const double weight = map->values.values[i];
      has_stroke |= map->hidden[i] && weight == 0.0;
      has_frame |= map->hidden[i] && weight != 0.0 && !std::isnan(weight);
    }
  }
  const Text stroke =
      may_hatch_signs
          ? Text{"間隔の広い斜線：マスクしたキー（注意度 0）。", " Wide hatching: masked keys, weight 0."}
          : Text{"斜線：マスクしたキー（注意度 0）。", " Hatched: masked keys, weight 0."};
  return text("{}{}", "{}{}", has_stroke ? stroke : Text::none(),
              has_frame ? Text{"枠：マスクしたのに漏れた注意度。", " Framed: weight leaked to masked keys."}
                        : Text::none());
}

MatrixTerm coloured_term(std::string id, std::string_view name, const Tensor<double>& values,
                         const ColourScale& scale) {
  MatrixTerm term = matrix_term(std::move(id), formula::read(name), values, scale);
  term.shape += scale.low == -scale.high ? fmt::format(" ±{:.2g}", scale.high)
                                         : fmt::format(" {:.2g}–{:.2g}", scale.low, scale.high);
  return term;
}

MatrixTerm signed_term(std::string id, std::string_view name, const Tensor<double>& values) {
  return coloured_term(std::move(id), name, values, signed_scale(values));
}

OperatorTerm scaling_between(const std::string& scale) {
  if (scale == "none") return between("=");
  if (scale == "default") return between("/ \\sqrt{d} =");
  return {formula::row({formula::sym("×"), formula::sym(scale), formula::sym("=")})};
}

std::size_t columns_of_maps(std::size_t maps) {
  if (maps <= 4) return maps;
  const auto square = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(maps))));
  const std::size_t most = std::max<std::size_t>(5, square + 2);
  for (std::size_t columns = square; columns <= most; ++columns) {
    if (maps % columns == 0) return columns;
  }
  return square;
}

PageSize page_for_maps(std::size_t maps) {
  if (maps == 1) return {9.0, 8.0};
  const std::size_t columns = columns_of_maps(maps);
  const std::size_t rows = (maps + columns - 1) / columns;
  // Letters grow with the page: the more rows, the more of it their titles and gaps take.
  const double titles = columns > 5 ? 0.45 * static_cast<double>(rows) : 0.0;
  const double width = columns <= 2 ? 5.0 * static_cast<double>(columns) + 3.0 : 16.0;
  return {width, width / static_cast<double>(columns) * static_cast<double>(rows) + 1.5 + titles};
}

}  // namespace attnlab
