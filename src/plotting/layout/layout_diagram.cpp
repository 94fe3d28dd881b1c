// Diagrams: boxes with words, and arrows between them whose width tells a weight.
#include <algorithm>
#include <cmath>
#include <utility>

#include "plotting/arrow_shape.hpp"
#include "plotting/diagram_arrangement.hpp"
#include "plotting/layout/panel_layout.hpp"

namespace attnlab {
namespace {

constexpr double thinnest = 0.5;  // arrow widths, in units of the style's line
constexpr double widest_arrow = 6.0;

// Bare words give way to boxes.
bool has_room(const Node& words, const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  const Corners own = corners_of(box_of(words, sheet, frame));
  return std::none_of(diagram.nodes.begin(), diagram.nodes.end(), [&](const Node& node) {
    return node.framed && overlap(own, corners_of(box_of(node, sheet, frame))) > 0.0;
  });
}

void warn_left_out(Sheet& sheet) {
  sheet.warn({"重なるラベルを省きました。--size でページを大きくしてください",
              "labels that would overlap are left out; give the page a larger --size"});
}

// Out of the side of one box that faces the detour, along it, and into the same side of the other. Both ends
// lie off the middle towards each other, so that two detours at one box do not meet.
std::vector<Position> way_around(const Detour& detour, const Box& start, const Box& end, const Box& area,
                                 double gap) {
  constexpr double off_middle = 0.22;  // of the box
  const Position from = centre(start);
  const Position to = centre(end);
  if (detour.direction == Detour::Direction::vertical) {
    const double x = area.x + area.width * detour.at;
    const double side = x < from.x ? -1.0 : 1.0;
    const double towards = to.y < from.y ? -off_middle : off_middle;
    const double leaves = from.y + towards * start.height;
    const double arrives = to.y - towards * end.height;
    return {{from.x + side * (start.width / 2.0 + gap), leaves},
            {x, leaves},
            {x, arrives},
            {to.x + side * (end.width / 2.0 + gap), arrives}};
  }
  const double y = area.y + area.height * detour.at;
  const double side = y < from.y ? -1.0 : 1.0;
  const double towards = to.x < from.x ? -off_middle : off_middle;
  const double leaves = from.x + towards * start.width;
  const double arrives = to.x - towards * end.width;
  return {{leaves, from.y + side * (start.height / 2.0 + gap)},
          {leaves, y},
          {arrives, y},
          {arrives, to.y + side * (end.height / 2.0 + gap)}};
}

// The corners of an edge's line, from its start to its tip.
std::vector<Position> way_of(const Edge& edge, const Diagram& diagram, const Sheet& sheet,
                             const DiagramFrame& frame) {
  const double gap = sheet.style().gap * 0.6;
  const Box start = box_of(diagram.nodes[edge.from], sheet, frame);
  const Box end = box_of(diagram.nodes[edge.to], sheet, frame);
  if (edge.detour) return way_around(*edge.detour, start, end, frame.area, gap);
  const auto [tail, tip] = ends_of(start, end, gap);
  return {tail, tip};
}

double width_of(const Edge& edge, const Style& style) {
  return style.line * (thinnest + (widest_arrow - thinnest) * std::clamp(edge.weight, 0.0, 1.0));
}

void draw_edge(const Edge& edge, const Diagram& diagram, Sheet& sheet, const DiagramFrame& frame,
               const std::string& id) {
  const Style& style = sheet.style();
  const std::vector<Position> way = way_of(edge, diagram, sheet, frame);
  const Colour& colour = style.series.front();
  const double width = width_of(edge, style);
  for (std::size_t i = 1; i + 1 < way.size(); ++i) sheet.avoid(corners_of_line(way[i - 1], way[i], width));
  if (way.size() > 2)
    sheet.add(id + ".way", Path{{way.begin(), way.end() - 1}, false, {}, colour, width, {}, {}});
  add_arrow({way[way.size() - 2],
             way.back(),
             colour,
             width,
             style.line * 4.0 + width,
             style.line * 1.4 + width * 0.6,
             {}},
            sheet, id);
}

// The side of a line that looks away from the middle of the panel: -1 above or left, 1 below or right.
double outer_side(const Position& at, double across, double down, bool steep, const Position& middle) {
  constexpr double leaning = 0.1;
  const double away = at.y < middle.y ? -1.0 : 1.0;
  if (!steep) return away;
  if (std::abs(across) < leaning * std::abs(down)) return at.x < middle.x ? -1.0 : 1.0;
  const bool left_is_above = across * down < 0.0;
  return left_is_above ? away : -away;
}

// From a line to the words beside it, and how much farther they may stand where there is no room.
struct Distances {
  double nearest = 0.0;
  double further = 0.0;
};

// Places for words beside a line, all of them clear of it: above and below a flat one, left and right of a
// steep one; first on the side that looks away from the middle of the panel.
std::vector<Placement> beside_line(const Position& tail, const Position& tip, const TextExtent& words,
                                   const Distances& distances, const Position& middle) {
  const double across = tip.x - tail.x;
  const double down = tip.y - tail.y;
  const double length = std::max(1e-9, std::hypot(across, down));
  const bool steep = std::abs(down) > 0.5 * length;
  const double clear =
      steep ? (distances.nearest * length + words.height / 2.0 * std::abs(across)) / std::abs(down)
            : (distances.nearest * length + words.width / 2.0 * std::abs(down)) / std::abs(across);
  std::vector<Placement> placements;
  const auto add = [&](double part, double distance) {
    const Position at{tail.x + across * part, tail.y + down * part};
    const double outwards = outer_side(at, across, down, steep, middle);
    for (const double side : {outwards, -outwards}) {
      if (steep) {
        placements.push_back(
            {{at.x + side * distance, at.y}, side < 0.0 ? AlignX::right : AlignX::left, AlignY::middle});
      } else {
        placements.push_back(
            {{at.x, at.y + side * distance}, AlignX::centre, side < 0.0 ? AlignY::bottom : AlignY::top});
      }
    }
  };
  for (const double part : {0.6, 0.7, 0.5, 0.8, 0.4}) add(part, clear);
  add(0.5, clear + distances.further);
  return placements;
}

void draw_edge_label(const Edge& edge, const Diagram& diagram, Sheet& sheet, const DiagramFrame& frame,
                     const std::string& id) {
  if (edge.label.in(sheet.language()).empty()) return;
  const Style& style = sheet.style();
  const std::vector<Position> way = way_of(edge, diagram, sheet, frame);
  const Position tail = way[(way.size() - 1) / 2];  // of a straight edge or of a detour's middle part
  const Position tip = way[(way.size() - 1) / 2 + 1];
  const Words words = sheet.words(edge.label, style.tick);
  const std::vector<Placement> placements =
      beside_line(tail, tip, measure(words.markup, words.size, words.weight),
                  {width_of(edge, style) / 2.0 + style.gap, 0.5 * style.body}, centre(frame.area));
  if (!sheet.add_where_free(id + ".text", words, placements, frame.area)) {
    warn_left_out(sheet);
  }
}

void draw_node(const Node& node, const Diagram& diagram, Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const Box box = box_of(node, sheet, frame);
  const Colour fill =
      node.value && diagram.scale ? colour_of(*diagram.scale, *node.value, style.theme) : style.paper;
  if (node.framed) {
    const Corners corners = corners_of(box);
    sheet.add(node.id,
              Path{{corners.begin(), corners.end()}, true, fill, style.muted, style.line * 0.6, {}, {}});
  }
  sheet.occupy(corners_of(box));
  Words words = sheet.words(words_of(node, sheet, frame), frame.text);
  if (node.framed && node.value) {
    words.colour = black_or_white_on(fill);
    words.background = fill;
  }
  sheet.add_words(node.id + ".text", words, {centre(box), AlignX::centre, AlignY::middle});
  if (frame.notes != NotePlace::below || node.note.in(sheet.language()).empty()) return;
  Words note = sheet.words(node.note, note_size(frame, style));
  note.colour = style.muted;
  sheet.add_words(node.id + ".note", note,
                  {{centre(box).x, box.y + box.height}, AlignX::centre, AlignY::top});
}

}  // namespace

double natural_aspect(const Diagram&) {
  return 0.0;
}

double ease(const Diagram& diagram, Sheet& sheet, const Extent& data) {
  const Arrangement arrangement = arrange(diagram, sheet, {0.0, 0.0, data.width, data.height});
  return std::max(0.0, arrangement.spare) * arrangement.frame.text;
}

Insets insets_of(const Diagram&, Sheet&, const Extent&, const Surroundings&) {
  return {};
}

Box draw(const Diagram& diagram, Sheet& sheet, const Box& area, const std::string&, const Surroundings&) {
  const auto [drawn, frame, spare] = arrange(diagram, sheet, area);
  for (const Node& node : drawn.nodes) {
    if (frame.notes == NotePlace::left_out && !node.note.in(sheet.language()).empty()) warn_left_out(sheet);
    if (node.framed || has_room(node, drawn, sheet, frame))
      draw_node(node, drawn, sheet, frame);
    else
      warn_left_out(sheet);
  }
  const auto id_of = [&nodes = drawn.nodes](const Edge& edge) {
    return nodes[edge.from].id + "->" + nodes[edge.to].id;
  };
  for (const Edge& edge : drawn.edges) draw_edge(edge, drawn, sheet, frame, id_of(edge));
  for (const Edge& edge : drawn.edges) draw_edge_label(edge, drawn, sheet, frame, id_of(edge));
  return area;
}

}  // namespace attnlab
