#include "plotting/figure/annotate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

constexpr int shown_digits = 2;
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

/// The callouts that the marks need, none where another stands already.
class Callouts {
 public:
  explicit Callouts(const Chart& chart) {
    for (const Layer& layer : chart.layers) {
      if (const auto* callout = std::get_if<Callout>(&layer)) taken_.emplace_back(callout->x, callout->y);
    }
  }

  void operator()(const Points& points) {
    if (points.y.size() > most_points) return;
    for (std::size_t i = 0; i < points.y.size(); ++i) add(points.id, i, points.x[i], points.y[i]);
  }
  void operator()(const Curve& curve) {
    if (curve.name.en().empty()) return;  // a guide
    for (std::size_t i = curve.y.size(); i-- > 0;) {
      if (add(curve.id, i, curve.x[i], curve.y[i])) return;
    }
  }
  template <class Other>
  void operator()(const Other&) {}

  std::vector<Callout> take() { return std::move(made_); }

 private:
  /// Says whether there is a point to speak of.
  bool add(const std::string& id, std::size_t index, double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return false;
    const auto place = std::make_pair(x, y);
    if (std::find(taken_.begin(), taken_.end(), place) == taken_.end()) {
      made_.push_back({id + ".value[" + std::to_string(index) + "]", x, y,
                       Text::same(short_number_text(y, y == 0.0 ? 1.0 : std::abs(y)))});
      taken_.push_back(place);
    }
    return true;
  }

  std::vector<std::pair<double, double>> taken_;
  std::vector<Callout> made_;
};

void annotate(HeatMap& map, Text& title) {
  if (map.fill == CellFill::coloured && map.decimals == no_numbers) map.decimals = shown_digits;
  title = with_shape(title, map.values);
}

void annotate(Chart& chart, Text&) {
  Callouts callouts(chart);
  for (Layer& layer : chart.layers) {
    if (auto* bars = std::get_if<Bars>(&layer); bars != nullptr && bars->decimals == no_numbers)
      bars->decimals = shown_digits;
    std::visit(callouts, layer);
  }
  std::vector<Callout> values = callouts.take();
  for (Callout& made : values) chart.layers.emplace_back(std::move(made));
}

void annotate(MatrixEquation& equation, Text&) {
  for (auto& term : equation.terms) {
    auto* matrix = std::get_if<MatrixTerm>(&term);
    if (matrix == nullptr) continue;
    if (matrix->fill == CellFill::coloured && matrix->decimals == no_numbers) matrix->decimals = shown_digits;
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
