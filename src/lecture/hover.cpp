#include "lecture/built_lecture.hpp"

#include "plotting/layout/display_list.hpp"

namespace attnlab {
namespace {

using Hovers = std::map<std::string, std::string>;

std::string number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.4g}", value); }

/// "Query は", "Query 3", "3": what the axis counts and which one it is.
std::string position(const Text& title, const std::vector<ShortText>& labels, std::size_t index,
                     Language language) {
  const std::string& what = title.in(language);
  const std::string which = index < labels.size() ? labels[index].in(language) : std::to_string(index);
  return what.empty() ? which : what + " " + which;
}

/// The hovers of one panel's content.
class Collector {
 public:
  Collector(Language language, Hovers& hovers) : language_(language), hovers_(hovers) {}

  void operator()(const HeatMap& map) const {
    for (std::size_t row = 0; row < map.values.rows; ++row) {
      for (std::size_t column = 0; column < map.values.columns; ++column) {
        hovers_[indexed(map.id, row, column)] =
            position(map.row_title, map.row_labels, row, language_) + ", " +
            position(map.column_title, map.column_labels, column, language_) + ": " +
            number(map.values.at(row, column));
      }
    }
  }
  void operator()(const MatrixEquation& equation) const {
    for (const auto& term : equation.terms) {
      const auto* matrix = std::get_if<MatrixTerm>(&term);
      if (matrix == nullptr) continue;
      for (std::size_t row = 0; row < matrix->values.rows; ++row) {
        for (std::size_t column = 0; column < matrix->values.columns; ++column) {
          hovers_[indexed(matrix->id, row, column)] =
              fmt::format("[{}, {}]: {}", row, column, number(matrix->values.at(row, column)));
        }
      }
    }
  }
  void operator()(const Chart& chart) const {
    for (const Layer& layer : chart.layers) {
      if (const auto* points = std::get_if<Points>(&layer)) add_points(*points);
      if (const auto* bars = std::get_if<Bars>(&layer)) add_bars(*bars, chart.x);
      if (const auto* arrows = std::get_if<Arrows>(&layer)) add_arrows(*arrows);
    }
  }
  void operator()(const Diagram& diagram) const {
    for (const Edge& edge : diagram.edges) {
      if (edge.weight > 0.0) {
        hovers_[diagram.nodes[edge.from].id + "->" + diagram.nodes[edge.to].id] = number(edge.weight);
      }
    }
  }

 private:
  void add_points(const Points& points) const {
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      hovers_[indexed(points.id, i)] = fmt::format("({}, {})", number(points.x[i]), number(points.y[i]));
    }
  }
  void add_bars(const Bars& bars, const Axis& axis) const {
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      hovers_[indexed(bars.id, i)] =
          position(axis.label, axis.categories, i, language_) + ": " + number(bars.values[i]);
    }
  }
  void add_arrows(const Arrows& arrows) const {
    for (std::size_t i = 0; i < arrows.arrows.size(); ++i) {
      const Arrow& arrow = arrows.arrows[i];
      std::string text = fmt::format("({}, {})", number(arrow.x), number(arrow.y));
      if (arrow.value) text += ": " + number(*arrow.value);
      hovers_[indexed(arrows.id, i)] = text;
    }
  }

  Language language_;
  Hovers& hovers_;
};

}  // namespace

Hovers hover_texts(const Figure& figure, Language language) {
  Hovers hovers;
  for (const Panel& panel : figure.panels) std::visit(Collector(language, hovers), panel.content);
  return hovers;
}

}  // namespace attnlab
