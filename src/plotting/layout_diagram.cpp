// Diagrams: boxes with words, and arrows between them whose width tells a weight.
#include <algorithm>
#include <cmath>
#include <utility>

#include "plotting/arrow_shape.hpp"
#include "plotting/panel_layout.hpp"

namespace attnlab {
namespace {

constexpr double thinnest = 0.5;  // arrow widths, in units of the style's line
constexpr double widest_arrow = 6.0;

// Where a diagram is drawn, and how large its words are.
struct Frame {
  Box area;
  double text = 0.0;
};

Box box_of(const Node& node, const Sheet& sheet, const Frame& frame) {
  const Style& style = sheet.style();
  const Box& area = frame.area;
  const TextExtent extent = measure(escape(node.text.in(sheet.language())), frame.text, Weight::regular);
  const double rim = style.body * frame.text / style.panel_title;
  const double width = extent.width + (node.framed ? rim * 1.3 : 0.0);
  const double height = extent.height + (node.framed ? rim * 0.7 : 0.0);
  return {area.x + area.width * node.x - width / 2.0, area.y + area.height * node.y - height / 2.0, width,
          height};
}

bool overlap_any(const Diagram& diagram, const Sheet& sheet, const Frame& frame) {
  for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Box one = box_of(diagram.nodes[i], sheet, frame);
      const Box other = box_of(diagram.nodes[j], sheet, frame);
      if (overlap(corners_of(one), corners_of(other)) > 0.0) return true;
    }
  }
  return false;
}

// The largest words with which no box runs into another, from the style's size down to its smallest.
Frame frame_for(const Diagram& diagram, const Sheet& sheet, const Box& area) {
  constexpr int steps = 6;
  const Style& style = sheet.style();
  Frame frame{area, style.panel_title};
  for (int i = 1; i <= steps && overlap_any(diagram, sheet, frame); ++i) {
    frame.text = style.panel_title + (style.smallest - style.panel_title) * i / steps;
  }
  return frame;
}

Position centre(const Box& box) {
  return {box.x + box.width / 2.0, box.y + box.height / 2.0};
}

// An edge leaves in the middle of the side that faces the other box, and ends likewise.
std::pair<Position, Position> ends_of(const Box& start, const Box& end, double gap) {
  const Position from = centre(start);
  const Position to = centre(end);
  if (start.x + start.width < end.x) return {{start.x + start.width + gap, from.y}, {end.x - gap, to.y}};
  if (end.x + end.width < start.x) return {{start.x - gap, from.y}, {end.x + end.width + gap, to.y}};
  if (start.y < end.y) return {{from.x, start.y + start.height + gap}, {to.x, end.y - gap}};
  return {{from.x, start.y - gap}, {to.x, end.y + end.height + gap}};
}

// Bare words give way to boxes.
bool has_room(const Node& words, const Diagram& diagram, const Sheet& sheet, const Frame& frame) {
  const Corners own = corners_of(box_of(words, sheet, frame));
  return std::none_of(diagram.nodes.begin(), diagram.nodes.end(), [&](const Node& node) {
    return node.framed && overlap(own, corners_of(box_of(node, sheet, frame))) > 0.0;
  });
}

void warn_left_out(Sheet& sheet) {
  sheet.warn({"重なるラベルを省きました。--size でページを大きくしてください",
              "labels that would overlap are left out; give the page a larger --size"});
}

struct EdgeGeometry {
  Position tail;
  Position tip;
  Position along;  // unit vector
  double width = 0.0;
};

EdgeGeometry geometry_of(const Edge& edge, const Diagram& diagram, const Sheet& sheet, const Frame& frame) {
  const Style& style = sheet.style();
  const Box start = box_of(diagram.nodes[edge.from], sheet, frame);
  const Box end = box_of(diagram.nodes[edge.to], sheet, frame);
  const auto [tail, tip] = ends_of(start, end, style.gap * 0.6);
  const double length = std::max(1e-9, std::hypot(tip.x - tail.x, tip.y - tail.y));
  const double width =
      style.line * (thinnest + (widest_arrow - thinnest) * std::clamp(edge.weight, 0.0, 1.0));
  return {tail, tip, {(tip.x - tail.x) / length, (tip.y - tail.y) / length}, width};
}

void draw_edge(const Edge& edge, const Diagram& diagram, Sheet& sheet, const Frame& frame,
               const std::string& id) {
  const Style& style = sheet.style();
  const auto [tail, tip, along, width] = geometry_of(edge, diagram, sheet, frame);
  add_arrow(
      {tail, tip, style.series.front(), width, style.line * 4.0 + width, style.line * 1.4 + width * 0.6, {}},
      sheet, id);
}

void draw_edge_label(const Edge& edge, const Diagram& diagram, Sheet& sheet, const Frame& frame,
                     const std::string& id) {
  if (edge.label.in(sheet.language()).empty()) return;
  const Style& style = sheet.style();
  const auto [tail, tip, along, width] = geometry_of(edge, diagram, sheet, frame);
  const double offset = width / 2.0 + style.gap;
  std::vector<Placement> placements;
  for (const double part : {0.6, 0.7, 0.5, 0.8, 0.4}) {
    for (const double side : {1.0, -1.0}) {
      const Position at{tail.x + (tip.x - tail.x) * part - along.y * offset * side,
                        tail.y + (tip.y - tail.y) * part + along.x * offset * side};
      const bool to_the_right = -along.y * side > 0.0;
      const bool steep = std::abs(along.y) > 0.5;
      placements.push_back({at,
                            !steep         ? AlignX::centre
                            : to_the_right ? AlignX::left
                                           : AlignX::right,
                            steep                  ? AlignY::middle
                            : along.x * side > 0.0 ? AlignY::top
                                                   : AlignY::bottom});
    }
  }
  if (!sheet.add_where_free(id + ".text", sheet.words(edge.label, style.tick), placements, frame.area)) {
    warn_left_out(sheet);
  }
}

void draw_node(const Node& node, const Diagram& diagram, Sheet& sheet, const Frame& frame,
               const std::string& id) {
  const Style& style = sheet.style();
  const Box box = box_of(node, sheet, frame);
  const Colour fill =
      node.value && diagram.scale ? colour_of(*diagram.scale, *node.value, style.theme) : style.paper;
  if (node.framed) {
    const Corners corners = corners_of(box);
    sheet.add(id, Path{{corners.begin(), corners.end()}, true, fill, style.muted, style.line * 0.6, {}, {}});
  }
  sheet.occupy(corners_of(box));
  Words words = sheet.words(node.text, frame.text);
  if (node.framed && node.value) {
    words.colour = black_or_white_on(fill);
    words.background = fill;
  }
  sheet.add_words(id + ".text", words, {centre(box), AlignX::centre, AlignY::middle});
}

}  // namespace

double natural_aspect(const Diagram&) {
  return 0.0;
}

Insets insets_of(const Diagram&, Sheet&, const Extent&, const Surroundings&) {
  return {};
}

Box draw(const Diagram& diagram, Sheet& sheet, const Box& area, const std::string&, const Surroundings&) {
  const Frame frame = frame_for(diagram, sheet, area);
  for (const Node& node : diagram.nodes) {
    if (node.framed || has_room(node, diagram, sheet, frame))
      draw_node(node, diagram, sheet, frame, node.id);
    else
      warn_left_out(sheet);
  }
  const auto id_of = [&diagram](const Edge& edge) {
    return diagram.nodes[edge.from].id + "->" + diagram.nodes[edge.to].id;
  };
  for (const Edge& edge : diagram.edges) draw_edge(edge, diagram, sheet, frame, id_of(edge));
  for (const Edge& edge : diagram.edges) draw_edge_label(edge, diagram, sheet, frame, id_of(edge));
  return area;
}

}  // namespace attnlab
