#include "plotting/annotate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "plotting/ticks.hpp"

namespace attnlab {
namespace {

constexpr int digits = 2;
constexpr std::size_t most_points = 12;

std::string shape_of(const Matrix& matrix) {
  return fmt::format("({}, {})", matrix.rows, matrix.columns);
}

Text with_shape(const Text& title, const Matrix& matrix) {
  const std::string shape = shape_of(matrix);
  if (title.en().find(shape) != std::string::npos) return title;
  if (title.en().empty()) return Text::same(shape);
  return {title.ja() + " " + shape, title.en() + " " + shape};
}

Callout callout(const std::string& id, std::size_t index, double x, double y) {
  return {id + ".value[" + std::to_string(index) + "]", x, y,
          Text::same(short_number_text(y, std::abs(y) > 0.0 ? std::abs(y) : 1.0))};
}

/// The callouts that the marks of one layer need.
class Callouts {
 public:
  std::vector<Callout> made;

  void operator()(const Points& points) {
    if (points.y.size() > most_points) return;
    for (std::size_t i = 0; i < points.y.size(); ++i) {
      if (std::isfinite(points.x[i]) && std::isfinite(points.y[i]))
        made.push_back(callout(points.id, i, points.x[i], points.y[i]));
    }
  }
  void operator()(const Curve& curve) {
    for (std::size_t i = curve.y.size(); i-- > 0;) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
      made.push_back(callout(curve.id, i, curve.x[i], curve.y[i]));
      return;
    }
  }
  template <class Other>
  void operator()(const Other&) {}
};

void annotate(HeatMap& map, Text& title) {
  if (map.fill == CellFill::coloured && map.decimals == no_numbers) map.decimals = digits;
  title = with_shape(title, map.values);
}

void annotate(Chart& chart, Text&) {
  Callouts callouts;
  for (Layer& layer : chart.layers) {
    if (auto* bars = std::get_if<Bars>(&layer); bars != nullptr && bars->decimals == no_numbers)
      bars->decimals = digits;
    std::visit(callouts, layer);
  }
  for (Callout& made : callouts.made) chart.layers.emplace_back(std::move(made));
}

void annotate(MatrixEquation& equation, Text&) {
  for (auto& term : equation.terms) {
    auto* matrix = std::get_if<MatrixTerm>(&term);
    if (matrix == nullptr) continue;
    if (matrix->fill == CellFill::coloured && matrix->decimals == no_numbers) matrix->decimals = digits;
    if (matrix->shape.empty()) matrix->shape = shape_of(matrix->values);
  }
}

void annotate(Diagram&, Text&) {}  // its words are its numbers

}  // namespace

Figure annotated(Figure figure) {
  for (Panel& panel : figure.panels) {
    std::visit([&panel](auto& content) { annotate(content, panel.title); }, panel.content);
  }
  return figure;
}

}  // namespace attnlab
