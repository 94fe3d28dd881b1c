#include "plotting/diagram_arrangement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "plotting/layout/panel_layout.hpp"

namespace attnlab {

double note_size(const DiagramFrame& frame, const Style& style) {
  return std::min(frame.text, style.tick);
}

std::string words_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame) {
  const std::string& note = node.note.in(sheet.language());
  const std::string& text = node.text.in(sheet.language());
  return note.empty() || frame.notes != NotePlace::inside ? text : text + " " + note;
}

Box box_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const Box& area = frame.area;
  const TextExtent extent = measure(escape(words_of(node, sheet, frame)), frame.text, Weight::regular);
  const double rim = style.body * frame.text / style.panel_title;
  const double width = extent.width + (node.framed ? rim * 1.3 : 0.0);
  const double height = extent.height + (node.framed ? rim * 0.3 : 0.0);
  return {area.x + area.width * node.x - width / 2.0, area.y + area.height * node.y - height / 2.0, width,
          height};
}

namespace {

// The box and the note below it.
Box place_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame) {
  const Box box = box_of(node, sheet, frame);
  const std::string& note = node.note.in(sheet.language());
  if (note.empty() || frame.notes != NotePlace::below) return box;
  const TextExtent extent = measure(escape(note), note_size(frame, sheet.style()), Weight::regular);
  const double width = std::max(box.width, extent.width);
  return {box.x + (box.width - width) / 2.0, box.y, width, box.height + extent.height};
}

// A quarter turn clockwise: from below becomes from the left.
Diagram laid_down(Diagram diagram) {
  for (Node& node : diagram.nodes)
    node = {node.id, node.text, 1.0 - node.y, node.x, node.value, node.framed, node.note};
  for (Edge& edge : diagram.edges) {
    if (!edge.detour) continue;
    const bool upright = edge.detour->direction == Detour::Direction::vertical;
    edge.detour = upright ? Detour{Detour::Direction::horizontal, edge.detour->at}
                          : Detour{Detour::Direction::vertical, 1.0 - edge.detour->at};
  }
  diagram.flow = Flow::rightwards;
  return diagram;
}

// Columns of boxes equally far apart, the first and the last at the sides of the panel.
Diagram with_even_columns(Diagram diagram, const Sheet& sheet, const DiagramFrame& frame) {
  std::map<double, double> columns;  // from x to the width of the widest box
  for (const Node& node : diagram.nodes) {
    double& width = columns[node.x];
    width = std::max(width, place_of(node, sheet, frame).width);
  }
  double clear = frame.area.width;
  for (const auto& [x, width] : columns) clear -= width;
  const double gap = clear / std::max(1.0, static_cast<double>(columns.size()) - 1.0);
  double left = 0.0;
  std::map<double, double> moved;
  for (const auto& [x, width] : columns) {
    moved[x] = (left + width / 2.0) / frame.area.width;
    left += width + gap;
  }
  for (Node& node : diagram.nodes) node.x = moved[node.x];
  return diagram;
}

bool touch_any(const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  const double clear = 0.5 * sheet.style().line;
  for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Box one = place_of(diagram.nodes[i], sheet, frame);
      one = {one.x - clear, one.y - clear, one.width + 2.0 * clear, one.height + 2.0 * clear};
      const Box other = place_of(diagram.nodes[j], sheet, frame);
      if (overlap(corners_of(one), corners_of(other)) > 0.0) return true;
    }
  }
  return false;
}

}  // namespace

Position centre(const Box& box) {
  return {box.x + box.width / 2.0, box.y + box.height / 2.0};
}

std::pair<Position, Position> ends_of(const Box& start, const Box& end, double gap) {
  const Position from = centre(start);
  const Position to = centre(end);
  if (start.x + start.width < end.x) return {{start.x + start.width + gap, from.y}, {end.x - gap, to.y}};
  if (end.x + end.width < start.x) return {{start.x - gap, from.y}, {end.x + end.width + gap, to.y}};
  if (start.y < end.y) return {{from.x, start.y + start.height + gap}, {to.x, end.y - gap}};
  return {{from.x, start.y - gap}, {to.x, end.y + end.height + gap}};
}

namespace {

// How much longer an edge is than its arrow head needs, and an upright one its label: a level one may have it
// below the boxes.
double spare_length(const Edge& edge, const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const auto [tail, tip] = ends_of(box_of(diagram.nodes[edge.from], sheet, frame),
                                   box_of(diagram.nodes[edge.to], sheet, frame), style.gap * 0.6);
  const TextExtent label = measure(escape(edge.label.in(sheet.language())), style.tick, Weight::regular);
  const double needed = std::max(style.body, tail.y == tip.y ? 0.0 : 1.4 * label.ink.height);
  return std::hypot(tip.x - tail.x, tip.y - tail.y) - needed;
}

Arrangement arranged_in(Diagram diagram, const Sheet& sheet, const DiagramFrame& frame) {
  if (diagram.flow == Flow::rightwards) diagram = with_even_columns(std::move(diagram), sheet, frame);
  double spare = touch_any(diagram, sheet, frame) ? -frame.area.width : frame.area.width;
  for (const Edge& edge : diagram.edges) {
    if (!edge.detour) spare = std::min(spare, spare_length(edge, diagram, sheet, frame));
  }
  return {std::move(diagram), frame, spare};
}

}  // namespace

Arrangement arrange(const Diagram& diagram, const Sheet& sheet, const Box& area) {
  constexpr int steps = 6;
  const Style& style = sheet.style();
  std::vector<Diagram> forms{diagram};
  if (diagram.flow == Flow::upwards) forms.push_back(laid_down(diagram));
  Arrangement best{
      diagram, {area, style.smallest, NotePlace::left_out}, -std::numeric_limits<double>::infinity()};
  for (const NotePlace last : {NotePlace::inside, NotePlace::left_out}) {
    for (int i = 0; i <= steps && best.spare < 0.0; ++i) {
      const double text = style.panel_title + (style.smallest - style.panel_title) * i / steps;
      for (const NotePlace notes : {NotePlace::below, last}) {
        if (best.spare >= 0.0) break;
        for (const Diagram& form : forms) {
          Arrangement other = arranged_in(form, sheet, {area, text, notes});
          if (other.spare > best.spare) best = std::move(other);
        }
      }
    }
  }
  return best;
}

}  // namespace attnlab
