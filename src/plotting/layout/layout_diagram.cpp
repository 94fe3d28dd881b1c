// Diagrams: boxes with words, and arrows between them whose width tells a weight.
#include "core/constants.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/shapes.hpp"

namespace attnlab {
namespace {

// --- How a diagram fits its place: the size of its words, where its notes stand, upright or laid down

enum class NotePlace { below, inside, left_out };

// Where a diagram is drawn, how large its words are, and where its notes stand.
struct DiagramFrame {
  Box area;
  double text = 0.0;
  NotePlace notes = NotePlace::below;
  double tinted_width = 0.0;  // of boxes with an ink
};

// A diagram, perhaps laid down and spaced, where it will be drawn.
struct Arrangement {
  Diagram diagram;
  DiagramFrame frame;
  double spare =
      0.0;  // of the edge with the least room; negative where boxes overlap or arrows are too short
};

double note_size(const DiagramFrame& frame, const Style& style) { return std::min(frame.text, style.tick); }

// What stands in the box.
std::string words_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame) {
  const std::string& note = node.note.in(sheet.language());
  const std::string& text = node.text.in(sheet.language());
  const bool is_inside = frame.notes == NotePlace::inside || (node.ink && frame.notes == NotePlace::below);
  return note.empty() || !is_inside ? text : text + " " + note;
}

Box box_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const Box& area = frame.area;
  const TextExtent extent = measure(escape(words_of(node, sheet, frame)), frame.text);
  const double rim = style.body * frame.text / style.panel_title;
  const double width =
      std::max(extent.width + (node.framed ? rim * 1.3 : 0.0), node.ink ? frame.tinted_width : 0.0);
  const double line = std::max(extent.height, line_height(frame.text));  // alike in every script
  const double height = line + (node.framed ? rim * 0.3 : 0.0);
  return {area.x + area.width * node.x - width / 2.0, area.y + area.height * node.y - height / 2.0, width,
          height};
}

// The box and the note below it.
Box place_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame) {
  const Box box = box_of(node, sheet, frame);
  const std::string& note = node.note.in(sheet.language());
  if (note.empty() || node.ink || frame.notes != NotePlace::below) return box;
  const TextExtent extent = measure(escape(note), note_size(frame, sheet.style()));
  const double width = std::max(box.width, extent.width);
  return {box.x + (box.width - width) / 2.0, box.y, width, box.height + extent.height};
}

// A quarter turn clockwise: from below becomes from the left.
Diagram laid_down(Diagram diagram) {
  for (Node& node : diagram.nodes) node.x = 1.0 - std::exchange(node.y, node.x);
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
      const Box one = place_of(diagram.nodes[i], sheet, frame).grown(clear);
      const Box other = place_of(diagram.nodes[j], sheet, frame);
      if (overlap(corners_of(one), corners_of(other)) > 0.0) return true;
    }
  }
  return false;
}

bool boxes_touch(const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  Diagram boxes;
  std::copy_if(diagram.nodes.begin(), diagram.nodes.end(), std::back_inserter(boxes.nodes),
               [](const Node& node) { return node.framed; });
  return touch_any(boxes, sheet, frame);
}

// An edge leaves in the middle of the side that faces the other box, and ends likewise.
std::pair<Position, Position> ends_of(const Box& start, const Box& end, double gap) {
  const Position from = start.centre();
  const Position to = end.centre();
  if (start.right() < end.x) return {{start.right() + gap, from.y}, {end.x - gap, to.y}};
  if (end.right() < start.x) return {{start.x - gap, from.y}, {end.right() + gap, to.y}};
  if (start.y < end.y) return {{from.x, start.bottom() + gap}, {to.x, end.y - gap}};
  return {{from.x, start.y - gap}, {to.x, end.bottom() + gap}};
}

// Out of the side of one box that faces the detour, along it, and into the side of the other that faces it.
// Both ends lie off the middle towards each other, so that two detours at one box do not meet.
std::vector<Position> way_around(const Detour& detour, const Box& start, const Box& end, const Box& area,
                                 double gap) {
  constexpr double off_middle = 0.22;  // of the box
  const bool upright = detour.direction == Detour::Direction::vertical;
  const auto turned = [upright](const Box& box) {  // a level detour is an upright one turned round
    return upright ? box : Box{box.y, box.x, box.height, box.width};
  };
  const Box one = turned(start);
  const Box other = turned(end);
  const Position from = one.centre();
  const Position to = other.centre();
  const double x = turned(area).x + turned(area).width * detour.at;
  const double out_of = x < from.x ? -1.0 : 1.0;
  const double into = x < to.x ? -1.0 : 1.0;
  const double towards = to.y < from.y ? -off_middle : off_middle;
  const double leaves = from.y + towards * one.height;
  const double arrives = to.y - towards * other.height;
  std::vector<Position> way{{from.x + out_of * (one.width / 2.0 + gap), leaves},
                            {x, leaves},
                            {x, arrives},
                            {to.x + into * (other.width / 2.0 + gap), arrives}};
  for (Position& corner : way) {
    if (!upright) std::swap(corner.x, corner.y);
  }
  return way;
}

// The corners of an edge's line, from its start to its tip.
std::vector<Position> way_of(const Edge& edge, const Diagram& diagram, const Sheet& sheet,
                             const DiagramFrame& frame) {
  const double gap = sheet.style().gap * 0.6;
  const Box start = box_of(diagram.nodes[edge.from], sheet, frame);
  const Box end = box_of(diagram.nodes[edge.to], sheet, frame);
  if (edge.detour) return way_around(*edge.detour, start, end, frame.area, gap);
  auto [tail, tip] = ends_of(start, end, gap);
  const bool is_level = tail.y == tip.y;
  for (Position* end_of_line : {&tail, &tip})
    (is_level ? end_of_line->y : end_of_line->x) += edge.aside * frame.area.width;
  return {tail, tip};
}

double width_of(const Edge& edge, const Style& style) {
  constexpr double thinnest = 0.5;  // in units of the style's line
  constexpr double widest_arrow = 6.0;
  return style.line * (thinnest + (widest_arrow - thinnest) * std::clamp(edge.weight, 0.0, 1.0));
}

double head_length(const Edge& edge, const Style& style) { return style.line * 4.0 + width_of(edge, style); }

// How much too short a detour's first leg or its last one is, as a negative length: a box may reach over it.
// Infinity where none is.
double spare_legs(const Edge& edge, const std::vector<Position>& way, const Diagram& diagram,
                  const Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const bool upright = edge.detour->direction == Detour::Direction::vertical;
  const auto leg = [&](std::size_t node, const Position& end, const Position& corner) {
    const Position centre = box_of(diagram.nodes[node], sheet, frame).centre();
    const double length = upright ? corner.x - end.x : corner.y - end.y;
    return (upright ? corner.x < centre.x : corner.y < centre.y) ? -length : length;
  };
  const double least =
      std::min(leg(edge.from, way[0], way[1]), leg(edge.to, way[3], way[2]) - head_length(edge, style));
  if (least < 0.0) return least;
  return infinity;  // longer ones are no easier to follow
}

// How much longer an edge is than its arrow head needs, and an upright one its label: a level one may have it
// below the boxes.
double spare_length(const Edge& edge, const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const std::vector<Position> way = way_of(edge, diagram, sheet, frame);
  if (edge.detour) return spare_legs(edge, way, diagram, sheet, frame);
  const Position& tail = way.front();
  const Position& tip = way.back();
  const TextExtent label = measure(escape(edge.label.in(sheet.language())), style.tick);
  const double needed = std::max(style.body, tail.y == tip.y ? 0.0 : 1.4 * label.ink.height);
  return distance(tail, tip) - needed;
}

// How far boxes and words reach beyond the sides of the panel, if they do.
double overhang(const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  constexpr double rounding = 0.5;  // points
  double most = -infinity;
  for (const Node& node : diagram.nodes) {
    const Box box = box_of(node, sheet, frame);
    most = std::max({most, frame.area.x - box.x, box.right() - frame.area.right()});
  }
  return most > rounding ? most : -infinity;
}

Arrangement arranged_in(Diagram diagram, const Sheet& sheet, DiagramFrame frame) {
  for (const Node& node : diagram.nodes)
    if (node.ink) frame.tinted_width = std::max(frame.tinted_width, box_of(node, sheet, frame).width);
  if (diagram.flow == Flow::rightwards) diagram = with_even_columns(std::move(diagram), sheet, frame);
  double spare = touch_any(diagram, sheet, frame) ? -frame.area.width : frame.area.width;
  spare = std::min(spare, -overhang(diagram, sheet, frame));
  for (const Edge& edge : diagram.edges) {
    spare = std::min(spare, spare_length(edge, diagram, sheet, frame));
  }
  return {std::move(diagram), frame, spare};
}

// The largest words with which no box runs into another and every arrow has room, from the style's size down
// to its smallest; upright or laid down, whichever leaves more room.
Arrangement arrange(const Diagram& diagram, const Sheet& sheet, const Box& area) {
  constexpr int steps = 6;
  const Style& style = sheet.style();
  std::vector<Diagram> forms{diagram};
  if (diagram.flow == Flow::upwards) forms.push_back(laid_down(diagram));
  Arrangement best{diagram, {area, style.smallest, NotePlace::left_out}, -infinity};
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

// --- Drawing

// Bare words give way to boxes.
bool has_space(const Node& words, const Diagram& diagram, const Sheet& sheet, const DiagramFrame& frame) {
  const Corners own = corners_of(box_of(words, sheet, frame));
  return std::none_of(diagram.nodes.begin(), diagram.nodes.end(), [&](const Node& node) {
    return node.framed && overlap(own, corners_of(box_of(node, sheet, frame))) > 0.0;
  });
}

void draw_edge(const Edge& edge, const Diagram& diagram, Sheet& sheet, const DiagramFrame& frame,
               const std::string& id) {
  const Style& style = sheet.style();
  const std::vector<Position> way = way_of(edge, diagram, sheet, frame);
  const Colour colour = style.colour(edge.ink.value_or(series_ink(0)));
  const double width = width_of(edge, style);
  for (std::size_t i = 1; i + 1 < way.size(); ++i) sheet.avoid(corners_of_line(way[i - 1], way[i], width));
  if (way.size() > 2) sheet.add(id + ".way", Path::line({way.begin(), way.end() - 1}, colour, width));
  add_arrow({way[way.size() - 2],
             way.back(),
             colour,
             width,
             head_length(edge, style),
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

/// Whether another one leads from and to the same boxes, beside it.
bool has_twin(const Edge& edge, const Diagram& diagram) {
  const auto is_equal = [&edge](const Edge& other) { return other.from == edge.from && other.to == edge.to; };
  return std::count_if(diagram.edges.begin(), diagram.edges.end(), is_equal) > 1;
}

/// Where several arrows stand side by side, each has its label on its left.
void draw_edge_label(const Edge& edge, const Diagram& diagram, Sheet& sheet, const DiagramFrame& frame,
                     const std::string& id) {
  if (edge.label.in(sheet.language()).empty()) return;
  const Style& style = sheet.style();
  const std::vector<Position> way = way_of(edge, diagram, sheet, frame);
  const Position tail = way[(way.size() - 1) / 2];  // of a straight edge or of a detour's middle part
  const Position tip = way[(way.size() - 1) / 2 + 1];
  const Words words = sheet.words(edge.label, style.tick);
  const Position middle =
      has_twin(edge, diagram) ? Position{sheet.width(), sheet.height()} : frame.area.centre();
  const std::vector<Placement> placements = beside_line(
      tail, tip, measure(words), {width_of(edge, style) / 2.0 + style.gap, 0.5 * style.body}, middle);
  if (!sheet.add_where_free(id + ".text", words, placements, frame.area)) {
    sheet.warn_of_labels_left_out();
  }
}

void draw_node(const Node& node, const Diagram& diagram, Sheet& sheet, const DiagramFrame& frame) {
  const Style& style = sheet.style();
  const Box box = box_of(node, sheet, frame);
  constexpr double paper = 0.72;  // in a tint
  const Colour fill = node.value && diagram.scale ? colour_of(*diagram.scale, *node.value, style.theme)
                      : node.ink                  ? mixed(style.colour(*node.ink), style.paper, paper)
                                                  : style.paper;
  if (node.framed) {
    Path rim = Path::frame(box, style.muted, style.line * 0.6);
    rim.fill = fill;
    sheet.add(node.id, rim);
  }
  sheet.occupy(corners_of(box));
  Words words = sheet.words(words_of(node, sheet, frame), frame.text);
  if (node.framed && node.value) {
    words.colour = black_or_white_on(fill);
    words.background = fill;
  }
  sheet.add_words(node.id + ".text", words, {box.centre(), AlignX::centre, AlignY::middle});
  if (frame.notes != NotePlace::below || node.ink || node.note.in(sheet.language()).empty()) return;
  Words note = sheet.words(node.note, note_size(frame, style));
  note.colour = style.muted;
  sheet.add_words(node.id + ".note", note, {{box.centre().x, box.bottom()}, AlignX::centre, AlignY::top});
}

// The middle part of a detour, as long as these boxes reach.
Box middle_part(const Detour& detour, const Box& boxes, const Box& area) {
  if (detour.direction == Detour::Direction::vertical)
    return {area.x + area.width * detour.at, boxes.y, 0.0, boxes.height};
  return {boxes.x, area.y + area.height * detour.at, boxes.width, 0.0};
}

// Around the boxes and the detours that lead to them, within the panel; arrows cross it.
void draw_enclosure(const Enclosure& enclosure, const Diagram& diagram, Sheet& sheet,
                    const DiagramFrame& frame) {
  const Style& style = sheet.style();
  Box around = box_of(diagram.nodes[enclosure.nodes.front()], sheet, frame);
  for (const std::size_t node : enclosure.nodes) {
    around = united(around, box_of(diagram.nodes[node], sheet, frame));
  }
  const Box boxes = around;
  for (const Edge& edge : diagram.edges) {
    const std::vector<std::size_t>& inside = enclosure.nodes;
    if (edge.detour && std::find(inside.begin(), inside.end(), edge.to) != inside.end())
      around = united(around, middle_part(*edge.detour, boxes, frame.area));
  }
  around = around.grown(0.6 * style.gap);
  const double left = std::max(around.x, frame.area.x);
  const double top = std::max(around.y, frame.area.y);
  const Box inside{left, top, std::min(around.right(), frame.area.right()) - left,
                   std::min(around.bottom(), frame.area.bottom()) - top};
  Path outline = Path::frame(inside, style.muted, style.line * 0.6);
  outline.dashes = dash_pattern(style);
  sheet.add(enclosure.id, outline);
}

}  // namespace

double ease(const Diagram& diagram, Sheet& sheet, const Extent& data) {
  const double enough = 5.0 * sheet.style().body;  // longer arrows are no easier to follow
  const Arrangement arrangement = arrange(diagram, sheet, {0.0, 0.0, data.width, data.height});
  return std::clamp(arrangement.spare, 0.0, enough) * arrangement.frame.text;
}

Box draw(const Diagram& diagram, Sheet& sheet, const Box& area, const std::string&, const Surroundings&) {
  const auto [drawn, frame, spare] = arrange(diagram, sheet, area);
  // Bare words give way where every box has its place.
  const bool is_tight =
      drawn.flow == Flow::placed ? boxes_touch(drawn, sheet, frame) : touch_any(drawn, sheet, frame);
  if (is_tight || overhang(drawn, sheet, frame) > 0.0) {
    throw NoSpace({"図の箱がページに収まりません", "the boxes of the diagram do not fit the page"},
                  {"--size でページを大きくしてください", "choose a larger --size"});
  }
  for (const Node& node : drawn.nodes) {
    if (frame.notes == NotePlace::left_out && !node.note.in(sheet.language()).empty())
      sheet.warn_of_labels_left_out();
    if (node.framed || has_space(node, drawn, sheet, frame))
      draw_node(node, drawn, sheet, frame);
    else
      sheet.warn_of_labels_left_out();
  }
  for (const Enclosure& enclosure : drawn.enclosures) draw_enclosure(enclosure, drawn, sheet, frame);
  const auto id_of = [&nodes = drawn.nodes](const Edge& edge) {
    const std::string label = edge.aside == 0.0 ? "" : "." + edge.label.en();
    return nodes[edge.from].id + "->" + nodes[edge.to].id + label;
  };
  for (const Edge& edge : drawn.edges) draw_edge(edge, drawn, sheet, frame, id_of(edge));
  for (const Edge& edge : drawn.edges) draw_edge_label(edge, drawn, sheet, frame, id_of(edge));
  return area;
}

}  // namespace attnlab
