// The grids of a figure, with the names of their rows and columns.
#include "page/answers.hpp"
#include "plotting/layout/ticks.hpp"

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
    MarkGrid grid{map.id,
                  map.values.rows,
                  map.values.columns,
                  map.values.values,
                  positions(map.row_title, map.row_labels, map.values.rows, map.row_numbers),
                  positions(map.column_title, map.column_labels, map.values.columns, map.column_numbers)};
    grid.chooses = map.chooses;
    add(std::move(grid), map.shows);
  }

  void operator()(const MatrixEquation& equation) const {
    for (const auto& term : equation.terms) {
      const auto* matrix = std::get_if<MatrixTerm>(&term);
      if (matrix == nullptr || matrix->map.fill != CellFill::coloured) continue;
      const Matrix& values = matrix->map.values;
      add({matrix->map.id, values.rows, values.columns, values.values, {}, {}}, matrix->map.shows);
    }
  }

  void operator()(const Chart& chart) const {
    for (const Layer& layer : chart.layers) {
      if (const auto* bars = std::get_if<Bars>(&layer)) {
        const std::size_t count = bars->values.size();
        add({bars->id, 1, count, bars->values, {}, positions(chart.x.label, chart.x.categories, count), true},
            bars->shows);
      } else if (const auto* points = std::get_if<Points>(&layer)) {
        add(in_chart(*points, chart), points->shows);
      } else if (const auto* curve = std::get_if<Curve>(&layer)) {
        MarkGrid corners = in_chart(*curve, chart);
        corners.is_curve = true;
        add(std::move(corners), curve->shows);
      } else if (const auto* arrows = std::get_if<Arrows>(&layer)) {
        add_arrows(*arrows);
      }
    }
  }

  void operator()(const Diagram& diagram) const {
    if (diagram.nodes.empty()) return;
    MarkGrid grid{
        diagram.nodes.front().id + "...", 1, diagram.nodes.size() + diagram.edges.size(), {}, {}, {}, true};
    for (const Node& node : diagram.nodes) {
      grid.ids.push_back(node.id);
      grid.column_names.push_back(name_of(node));
    }
    for (const Edge& edge : diagram.edges) {
      const Node& from = diagram.nodes[edge.from];
      const Node& to = diagram.nodes[edge.to];
      grid.ids.push_back(from.id + "->" + to.id);
      grid.ends.push_back({edge.from, edge.to});
      grid.column_names.push_back(with_words(text("{} → {}", "{} → {}", from.text, to.text), edge.label));
    }
    add(std::move(grid));
  }

  void operator()(const Arcs& arcs) const {
    const std::vector<Text> queries = positions(arcs.query_title, arcs.queries, arcs.queries.size());
    const std::vector<Text> keys = positions(arcs.key_title, arcs.keys, arcs.keys.size());
    MarkGrid words{arcs.id + ".query", 1, queries.size(), {}, {}, queries, true};
    words.queries = true;
    add(std::move(words));
    for (std::size_t head = 0; head < arcs.heads.size(); ++head) {
      const ArcsOfHead& lines = arcs.heads[head];
      MarkGrid grid{indexed(arcs.id, head), queries.size(), keys.size(), lines.weights.values, queries, keys};
      grid.series = lines.name;
      grid.head = head;
      add(std::move(grid), lines.shows);
    }
  }

 private:
  void add(MarkGrid grid, const StageRows& shows = {}) const {
    grid.shows = {shows.stage.empty() ? grid.id : shows.stage, shows.row};
    if (grid.rows * grid.columns > 0) grids_.push_back(std::move(grid));
  }

  void add_arrows(const Arrows& arrows) const {
    MarkGrid grid{arrows.id, 1, arrows.arrows.size(), {}, {}, {}, true};
    for (const Arrow& arrow : arrows.arrows) {
      grid.x.push_back(arrow.x);
      grid.y.push_back(arrow.y);
      if (arrow.value) grid.values.push_back(*arrow.value);
      grid.column_names.push_back(arrow.label);
    }
    if (grid.values.size() < arrows.arrows.size()) grid.values.clear();
    add(std::move(grid), arrows.shows);
  }

  /// Of points and of a curve.
  template <class Marks>
  static MarkGrid in_chart(const Marks& marks, const Chart& chart) {
    MarkGrid grid{marks.id, 1, marks.y.size(), marks.y, {}, {}, true};
    grid.series = marks.name.en().empty() ? chart.y.label : marks.name;
    grid.x_title = chart.x.label;
    grid.x = marks.x;
    return grid;
  }

  /// "Softmax: 0.25", "Add (6, 16)".
  static Text name_of(const Node& node) {
    const Text name = with_words(node.text, node.note);
    return node.value ? text("{}: {}", "{}: {}", name, number_text(*node.value, 3)) : name;
  }

  static Text with_words(const Text& name, const Text& more) {
    const auto in = [&](Language language) {
      const std::string& words = more.in(language);
      return words.empty() ? name.in(language) : name.in(language) + " " + words;
    };
    return {in(Language::ja), in(Language::en)};
  }

  std::vector<MarkGrid>& grids_;
};

std::size_t place_of(const std::vector<std::string>& ids, const std::string& id) {
  return static_cast<std::size_t>(std::distance(ids.begin(), std::find(ids.begin(), ids.end(), id)));
}

/// The boxes and the arrows of a diagram over all frames, in the order in which they first appear.
struct DiagramMarks {
  std::vector<std::string> boxes;
  std::vector<std::string> arrows;

  void add(const MarkGrid& grid) {
    const std::size_t count = grid.ids.size() - grid.ends.size();
    for (std::size_t i = 0; i < grid.ids.size(); ++i) {
      std::vector<std::string>& known = i < count ? boxes : arrows;
      if (place_of(known, grid.ids[i]) == known.size()) known.push_back(grid.ids[i]);
    }
  }
};

/// The grid with all of them.
MarkGrid aligned(const MarkGrid& grid, const DiagramMarks& marks) {
  MarkGrid result = grid;
  result.ids = marks.boxes;
  result.ids.insert(result.ids.end(), marks.arrows.begin(), marks.arrows.end());
  result.columns = result.ids.size();
  result.column_names.assign(result.columns, Text::none());
  result.ends.assign(marks.arrows.size(), {});
  const auto place = [&](std::size_t mark) { return place_of(result.ids, grid.ids[mark]); };
  for (std::size_t i = 0; i < grid.ids.size(); ++i) result.column_names[place(i)] = grid.column_names[i];
  const std::size_t boxes = grid.ids.size() - grid.ends.size();
  for (std::size_t i = 0; i < grid.ends.size(); ++i) {
    for (const std::size_t end : grid.ends[i])
      result.ends[place(boxes + i) - marks.boxes.size()].push_back(place(end));
  }
  return result;
}

}  // namespace

std::string mark_id(const MarkGrid& grid, std::size_t row, std::size_t column) {
  if (!grid.ids.empty()) return grid.ids[column];
  return grid.in_a_row ? indexed(grid.id, column) : indexed(grid.id, row, column);
}

void align_diagrams(std::vector<AnsweringFrame>& frames) {
  std::map<std::string, DiagramMarks> diagrams;
  for (const AnsweringFrame& frame : frames) {
    for (const MarkGrid& grid : frame.grids) {
      if (!grid.ids.empty()) diagrams[grid.id].add(grid);
    }
  }
  for (AnsweringFrame& frame : frames) {
    for (MarkGrid& grid : frame.grids) {
      if (!grid.ids.empty()) grid = aligned(grid, diagrams[grid.id]);
    }
  }
}

std::vector<MarkGrid> grids_of(const Figure& figure) {
  std::vector<MarkGrid> grids;
  for (const std::vector<Panel>* panels : {&figure.panels, &figure.japanese_panels}) {
    for (const Panel& panel : *panels) std::visit(Collector(grids), panel.content);
  }
  return grids;
}

}  // namespace attnlab
