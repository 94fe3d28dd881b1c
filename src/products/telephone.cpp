#include "products/telephone.hpp"

#include "page/picture.hpp"
#include "plotting/layout/layout.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

/// 360 pixels wide, and no letters of less than 12.
const Preset& telephone() {
  static const Preset preset{"telephone",
                             {"携帯電話の画面の幅", "the width of a telephone"},
                             {5.0, 4.8},
                             {17.0, 14.5, 13.5, 12.5, 12.0, 12.0, 5.0, 1.3},
                             Wording::left_to_text};
  return preset;
}

bool is_map_without_numbers(const Panel& panel) {
  const auto* map = std::get_if<HeatMap>(&panel.content);
  return map != nullptr && map->decimals == no_numbers;
}

bool is_map(const Panel& panel) { return std::holds_alternative<HeatMap>(panel.content); }

bool is_equation(const Panel& panel) { return std::holds_alternative<MatrixEquation>(panel.content); }

template <class IsSuch>
bool all_panels(const Figure& figure, IsSuch is_such) {
  return std::all_of(figure.panels.begin(), figure.panels.end(), is_such);
}

/// Charts and maps stand below each other, many maps without numbers in pairs; nothing where there is a
/// single chart, or a panel of another kind.
std::optional<std::size_t> columns_on_telephone(const Figure& figure) {
  constexpr std::size_t many = 4;
  const bool can_stand_alone = all_panels(figure, [](const Panel& panel) {
    return std::holds_alternative<Chart>(panel.content) || is_map(panel);
  });
  if (!can_stand_alone || (figure.panels.size() < 2 && !all_panels(figure, is_map))) return std::nullopt;
  return figure.panels.size() >= many && all_panels(figure, is_map_without_numbers) ? 2 : 1;
}

/// What a panel needs of the page's height, in inches.
double height_on_telephone(const Panel& panel, std::size_t columns) {
  constexpr double chart_height = 3.2;
  constexpr double maps_width = 3.6;  // what names and colour bar leave
  constexpr double least_row = 0.36;
  constexpr double title = 0.5;
  constexpr double names = 0.5;
  const auto* map = std::get_if<HeatMap>(&panel.content);
  if (map == nullptr) return chart_height;
  const double width = maps_width / static_cast<double>(columns);
  const double row = std::max(least_row, width / static_cast<double>(map->values.columns));
  return title + std::min(width, row * static_cast<double>(map->values.rows)) +
         (map->column_labels.empty() ? 0.0 : names);
}

double height_on_telephone(const Figure& figure) {
  double height = 1.0;  // for what all panels have together
  for (std::size_t first = 0; first < figure.panels.size(); first += figure.columns) {
    height += height_on_telephone(figure.panels[first], figure.columns);
  }
  return height;
}

/// On its own page; nothing where there is no room.
std::optional<DisplayList> laid_out(const Figure& figure, const Look& look) {
  LayoutOptions options = layout_options(look, figure.page);
  options.page = figure.page;
  try {
    return lay_out(figure, options).list;
  } catch (const NoSpace&) {
    return std::nullopt;
  }
}

/// What the smallest matrix covers, in square points; 0 where there is no room.
double smallest_matrix(const Figure& figure, const Look& look) {
  const std::optional<DisplayList> list = laid_out(figure, look);
  std::map<std::string, double> areas;
  for (const Item& item : list.value_or(DisplayList{}).items) {
    const auto* cell = std::get_if<FilledBox>(&item.shape);
    const auto* raster = std::get_if<Raster>(&item.shape);
    if (cell == nullptr && raster == nullptr) continue;
    const Box& box = cell != nullptr ? cell->box : raster->box;
    areas[item.id.substr(0, item.id.find('['))] += box.width * box.height;
  }
  const auto smaller = [](const auto& one, const auto& other) { return one.second < other.second; };
  return areas.empty() ? 0.0 : std::min_element(areas.begin(), areas.end(), smaller)->second;
}

/// The lowest page on which no matrix is much smaller than on any other.
double height_for_equations(Figure figure, const Look& look) {
  constexpr double step = 1.2;
  constexpr double tallest = 12.0;
  constexpr double almost = 0.9;
  std::map<double, double> areas;  // by height
  double largest = 0.0;
  for (figure.page.height = step * 2.0; figure.page.height <= tallest; figure.page.height += step) {
    const double area = smallest_matrix(figure, look);
    areas[figure.page.height] = area;
    largest = std::max(largest, area);
  }
  for (const auto& [height, area] : areas) {
    if (area > 0.0 && area >= almost * largest) return height;
  }
  return telephone().page.height;
}

/// That page; where exponents have to be shown larger it is narrower by as much.
PageSize page_for_equations(Figure figure, const Look& look) {
  figure.page.height = height_for_equations(figure, look);
  const std::optional<DisplayList> list = laid_out(figure, look);
  const double needed = list ? least_width(*list) : 0.0;
  if (needed <= telephone_width) return figure.page;
  figure.page.width *= telephone_width / needed;
  figure.page.height = height_for_equations(figure, look);
  return figure.page;
}

/// The space nearest to the middle, or the end.
std::size_t middle_space(const std::string& words) {
  std::size_t nearest = words.size();
  const auto from_middle = [&](std::size_t at) { return std::max(at, words.size() - at); };
  for (std::size_t at = words.find(' '); at != std::string::npos; at = words.find(' ', at + 1))
    if (from_middle(at) < from_middle(nearest)) nearest = at;
  return nearest;
}

std::size_t equals_sign(const std::string& words) { return std::min(words.find(" = "), words.size()); }

/// Two lines, the second of them empty where there is no space at which to break.
std::pair<Text, Text> broken_at(std::size_t (*place)(const std::string&), const Text& words) {
  const auto first = [&](const std::string& all) { return all.substr(0, place(all)); };
  const auto second = [&](const std::string& all) {
    return all.substr(std::min(place(all) + 1, all.size()));
  };
  return {{first(words.ja()), first(words.en())}, {second(words.ja()), second(words.en())}};
}

/// Of a box what follows an equals sign stands below it, bare words stand in two lines; those beside a stack
/// of boxes step aside.
void break_words(Diagram& diagram) {
  constexpr double half_line = 0.024;  // of the panel's height
  bool is_stack = false;
  for (Edge& edge : diagram.edges) {
    if (!edge.detour) continue;
    is_stack = true;
    edge.detour->at *= 0.85;
  }
  for (std::size_t i = 0, count = diagram.nodes.size(); i < count; ++i) {
    Node& node = diagram.nodes[i];
    if (node.framed) {
      if (is_stack) node.x += 0.06;
      if (node.note.en().empty()) std::tie(node.text, node.note) = broken_at(equals_sign, node.text);
      continue;
    }
    if (is_stack) node.x = node.x < 0.5 ? 0.75 * node.x : 0.3 + 0.7 * node.x;
    Node below = node;
    below.id += ".below";
    std::tie(node.text, below.text) = broken_at(middle_space, node.text);
    if (below.text.en().empty()) continue;
    node.y -= half_line;
    below.y += half_line;
    diagram.nodes.push_back(std::move(below));
  }
}

/// A table of boxes, whose first column names its rows, as two: of its first columns, and of its last.
std::vector<Panel> halves_of(const Panel& panel) {
  constexpr double names = 0.1;  // of the panel's width
  constexpr double first = 0.28;
  constexpr double last = 0.92;
  const auto& table = std::get<Diagram>(panel.content);
  std::set<double> places;
  for (const Node& node : table.nodes) places.insert(node.x);
  const std::size_t columns = places.size() / 2;  // of each
  std::vector<Panel> halves(2, panel);
  for (std::size_t half = 0; half < halves.size(); ++half) {
    auto& part = std::get<Diagram>(halves[half].content);
    part.nodes.clear();
    for (Node node : table.nodes) {
      const auto rank = static_cast<std::size_t>(std::distance(places.begin(), places.find(node.x)));
      if (rank > 0 && (rank - 1) / columns != half) continue;
      const double step = (last - first) / static_cast<double>(std::max<std::size_t>(columns, 2) - 1);
      node.x = rank == 0 ? names : first + step * static_cast<double>((rank - 1) % columns);
      part.nodes.push_back(std::move(node));
    }
  }
  return halves;
}

/// A diagram that has no room even so: it is broken into lines, or, where nothing is connected, in halves.
void break_diagrams(Figure& figure) {
  auto* diagram = figure.panels.size() == 1 ? std::get_if<Diagram>(&figure.panels.front().content) : nullptr;
  if (diagram != nullptr && diagram->edges.empty() && diagram->nodes.size() > 1) {
    figure.panels = halves_of(figure.panels.front());
    figure.columns = 1;
    figure.page.height *= 2.0;
    return;
  }
  figure.page.height *= 1.2;
  for (Panel& panel : figure.panels)
    if (auto* one = std::get_if<Diagram>(&panel.content)) break_words(*one);
}

/// The widest label beside an arrow, in points, whatever its digits are.
double widest_label(const Arrows& arrows) {
  double width = 0.0;
  for (const Arrow& arrow : arrows.arrows) {
    for (const Language language : {Language::ja, Language::en}) {
      std::string label = arrow.label.in(language);
      std::replace_if(
          label.begin(), label.end(), [](char c) { return c >= '0' && c <= '9'; }, '0');
      width = std::max(width, text_width(label, telephone().measures.tick));
    }
  }
  return width;
}

/// Labels beside tips stand left and right of what is shown, whose x axis grows by as much, and its y axis by
/// a line above and below; where every arrow writes its value there is no colour bar.
void give_labels_space(Chart& chart) {
  constexpr double beside_bar = 200.0;  // of the page's width, in points
  constexpr double without_bar = 290.0;
  constexpr double gap = 8.0;
  double data = without_bar;
  double label = 0.0;
  for (Layer& layer : chart.layers) {
    auto* arrows = std::get_if<Arrows>(&layer);
    if (arrows == nullptr) continue;
    label = std::max(label, widest_label(*arrows) + gap);
    const bool all_labelled = std::none_of(arrows->arrows.begin(), arrows->arrows.end(),
                                           [](const Arrow& arrow) { return arrow.label.en().empty(); });
    if (arrows->scale && all_labelled) arrows->key = Arrows::Key::labels;
    if (arrows->scale && !all_labelled) data = beside_bar;
  }
  if (!chart.x.limits || label == 0.0 || 2.0 * label > 0.6 * data) return;
  double shown = 0.0;  // to either side of the middle
  const double middle = (chart.x.limits->low + chart.x.limits->high) / 2.0;
  const auto take = [&](double x) { shown = std::max(shown, std::abs(x - middle)); };
  for (const Layer& layer : chart.layers) {
    if (const auto* circle = std::get_if<Circle>(&layer)) take(circle->radius);
    if (const auto* arrows = std::get_if<Arrows>(&layer))
      for (const Arrow& arrow : arrows->arrows) take(arrow.x);
  }
  const double half = shown * data / (data - 2.0 * label);
  if (half > middle - chart.x.limits->low) chart.x.limits = {middle - half, middle + half};
  if (!chart.y.limits) return;
  const double line = 1.5 * telephone().measures.tick * 2.0 * half / data;
  chart.y.limits = {chart.y.limits->low - line, chart.y.limits->high + line};
}

}  // namespace

Look on_telephone(Look look) {
  look.preset = telephone();
  look.page.reset();
  return look;
}

Look in_window(Look look, double width) {
  constexpr double height = 0.62;  // of the width
  look = on_telephone(std::move(look));
  look.preset->page = {width / points_per_inch, height * width / points_per_inch};
  return look;
}

Figure arranged_on_telephone(Figure figure, const Look& look) {
  for (Panel& panel : figure.panels) {
    auto* chart = std::get_if<Chart>(&panel.content);
    if (chart != nullptr && chart->equal_units && !figure.shared_scale) give_labels_space(*chart);
  }
  figure.page = telephone().page;
  if (const std::optional<std::size_t> columns = columns_on_telephone(figure)) {
    figure.columns = *columns;
    figure.page.height = height_on_telephone(figure);
  }
  if (all_panels(figure, is_equation)) figure.page = page_for_equations(figure, on_telephone(look));
  if (!laid_out(figure, on_telephone(look))) break_diagrams(figure);
  return figure;
}

}  // namespace attnlab
