// The grids of a figure, with the names of their rows and columns.
#include "page/answers.hpp"

namespace attnlab {
namespace {

/// "Query the", "Query 3", "3": what the axis counts and which one it is.
Text position(const Text& title, const std::vector<ShortText>& labels, std::size_t index) {
  const auto in = [&](Language language) {
    const std::string which = index < labels.size() ? labels[index].in(language) : std::to_string(index);
    const std::string& what = title.in(language);
    return what.empty() ? which : what + " " + which;
  };
  return {in(Language::ja), in(Language::en)};
}

std::vector<Text> positions(const Text& title, const std::vector<ShortText>& labels, std::size_t count) {
  std::vector<Text> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(position(title, labels, i));
  return names;
}

/// Of an axis of a map, whose cells may stand for several positions each: "Query 6–8".
std::vector<Text> positions(const Text& title, const std::vector<ShortText>& labels, std::size_t count,
                            const std::optional<Numbering>& numbering) {
  if (!numbering || !labels.empty()) return positions(title, labels, count);
  std::vector<ShortText> spans;
  const std::size_t length = numbering->end - numbering->begin;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin_of = [&](std::size_t cell) { return (cell * length + count - 1) / count; };
    const std::size_t first = numbering->begin + begin_of(i);
    const std::size_t last = numbering->begin + begin_of(i + 1) - 1;
    spans.emplace_back(first == last ? std::to_string(first) : fmt::format("{}–{}", first, last));
  }
  return positions(title, spans, count);
}

class Collector {
 public:
  explicit Collector(std::vector<MarkGrid>& grids) : grids_(grids) {}

  void operator()(const HeatMap& map) const {
    if (map.fill != CellFill::coloured) return;
    add({map.id, map.values.rows, map.values.columns, map.values.values,
         positions(map.row_title, map.row_labels, map.values.rows, map.row_numbers),
         positions(map.column_title, map.column_labels, map.values.columns, map.column_numbers)});
  }

  void operator()(const MatrixEquation& equation) const {
    for (const auto& term : equation.terms) {
      const auto* matrix = std::get_if<MatrixTerm>(&term);
      if (matrix == nullptr || matrix->fill != CellFill::coloured) continue;
      add({matrix->id, matrix->values.rows, matrix->values.columns, matrix->values.values, {}, {}});
    }
  }

  void operator()(const Chart& chart) const {
    for (const Layer& layer : chart.layers) {
      if (const auto* bars = std::get_if<Bars>(&layer)) {
        add_row(bars->id, bars->values, positions(chart.x.label, chart.x.categories, bars->values.size()));
      } else if (const auto* points = std::get_if<Points>(&layer)) {
        add_row(points->id, points->y, abscissae(chart.x.label, points->x));
      } else if (const auto* arrows = std::get_if<Arrows>(&layer)) {
        add_arrows(*arrows);
      }
    }
  }

  void operator()(const Diagram& /*diagram*/) const {}

 private:
  void add(MarkGrid grid) const {
    if (!grid.values.empty()) grids_.push_back(std::move(grid));
  }

  void add_row(const std::string& id, const std::vector<double>& values, std::vector<Text> names) const {
    add({id, 1, values.size(), values, {}, std::move(names), true});
  }

  void add_arrows(const Arrows& arrows) const {
    std::vector<double> values;
    for (const Arrow& arrow : arrows.arrows) {
      if (!arrow.value) return;
      values.push_back(*arrow.value);
    }
    add_row(arrows.id, values, {});
  }

  static std::vector<Text> abscissae(const Text& label, const std::vector<double>& x) {
    std::vector<Text> names;
    for (const double value : x) {
      const ShortText place(fmt::format("{}{:.4g}", value < 0.0 ? "−" : "", std::abs(value)));
      names.push_back(position(label, {place}, 0));
    }
    return names;
  }

  std::vector<MarkGrid>& grids_;
};

}  // namespace

std::vector<MarkGrid> grids_of(const Figure& figure) {
  std::vector<MarkGrid> grids;
  for (const Panel& panel : figure.panels) std::visit(Collector(grids), panel.content);
  return grids;
}

}  // namespace attnlab
