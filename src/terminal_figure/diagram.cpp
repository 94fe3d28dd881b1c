// Diagrams: boxes joined by arrows where there is room, else a list of what leads where.
#include "core/terminal_width.hpp"
#include "terminal_figure/canvas.hpp"
#include "terminal_figure/panels.hpp"

namespace attnlab::terminal_figure {
namespace {

// --- Where the boxes stand on a grid of characters

/// Boxes of three lines, or bracketed words.
enum class BoxStyle { framed, bracketed };

struct NodeBox {
  long column = 0;
  long line = 0;
  long width = 0;
  long height = 0;

  long right() const { return column + width; }
  long bottom() const { return line + height; }
};

struct DiagramPlan {
  BoxStyle style = BoxStyle::framed;
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<NodeBox> boxes;
  std::vector<long> detours = {};  // of each edge: the column along which it runs, 0 for straight ones
};

/// Bare words that no arrow reaches are a remark beside something, and move where there is room.
bool is_remark(const Diagram& diagram, std::size_t node) {
  return !diagram.nodes[node].framed &&
         std::none_of(diagram.edges.begin(), diagram.edges.end(),
                      [node](const Edge& edge) { return edge.from == node || edge.to == node; });
}

constexpr std::size_t least_box_lines = 3;
constexpr std::size_t most_diagram_lines = 44;
constexpr std::size_t pleasant_lines = 26;  // beyond, boxes lose their frames

/// Columns or lines that a box takes.
NodeBox sized(const Node& node, BoxStyle style, const Setting& setting) {
  const auto words = static_cast<long>(display_width(setting.words(node.text)));
  return {0, 0, node.framed ? words + 4 : words, node.framed && style == BoxStyle::framed ? 3 : 1};
}

/// From the diagram's fractions to columns: the outermost boxes touch the edges, so that arrows get all room.
struct Stretch {
  double first = 0.0;    // fraction of the leftmost box
  double begin = 0.0;    // the column of its middle
  double columns = 0.0;  // per unit

  double middle(double fraction) const { return begin + (fraction - first) * columns; }
};

Stretch stretch_for(const Diagram& diagram, const DiagramPlan& plan, const Setting& setting) {
  std::vector<std::pair<double, double>> middles;  // fraction, and half the columns around it
  for (const Node& node : diagram.nodes) {
    middles.emplace_back(node.x, static_cast<double>(sized(node, plan.style, setting).width) / 2.0);
  }
  for (const Edge& edge : diagram.edges) {
    if (edge.detour) middles.emplace_back(edge.detour->at, 0.5);
  }
  const auto by_fraction = [](const auto& one, const auto& other) { return one.first < other.first; };
  const auto [left, right] = std::minmax_element(middles.begin(), middles.end(), by_fraction);
  const auto width = static_cast<double>(plan.width);
  if (right->first <= left->first) return {left->first, width / 2.0, 0.0};
  return {left->first, left->second, (width - left->second - right->second) / (right->first - left->first)};
}

NodeBox box_of(const Node& node, const DiagramPlan& plan, const Stretch& stretch, const Setting& setting) {
  NodeBox box = sized(node, plan.style, setting);
  const auto place = [](double middle, std::size_t room, long size) {
    const long begin = std::lround(middle - static_cast<double>(size) / 2.0);
    return std::clamp(begin, 0L, std::max(0L, static_cast<long>(room) - size));
  };
  box.column = place(stretch.middle(node.x), plan.width, box.width);
  box.line = place(node.y * static_cast<double>(plan.height), plan.height, box.height);
  return box;
}

/// Room between two boxes.
struct Clearance {
  long columns = 0;  // side by side
  long lines = 1;    // one above the other
};

/// Side by side there is room for an arrow and its label, and between joined boxes for an upright arrow.
Clearance clearance(const Diagram& diagram, std::size_t one, std::size_t other, const Setting& setting) {
  constexpr long arrow = 4;
  constexpr long upright_arrow = 2;
  std::size_t label = 0;
  bool joined = false;
  for (const Edge& edge : diagram.edges) {
    label = std::max(label, display_width(setting.words(edge.label)));
    joined = joined || (edge.from == one && edge.to == other) || (edge.from == other && edge.to == one);
  }
  return {arrow + static_cast<long>(label), joined ? upright_arrow : 1};
}

bool too_near(const NodeBox& one, const NodeBox& other, const Clearance& clear) {
  const bool share_lines = one.line < other.bottom() + clear.lines && other.line < one.bottom() + clear.lines;
  if (!share_lines) return false;
  const bool on_a_line = one.line < other.bottom() && other.line < one.bottom();
  const long columns = on_a_line ? clear.columns : 1;
  return one.column < other.right() + columns && other.column < one.right() + columns;
}

std::optional<DiagramPlan> plan_with(const Diagram& diagram, DiagramPlan plan, const Setting& setting) {
  const Stretch stretch = stretch_for(diagram, plan, setting);
  for (std::size_t node = 0; node < diagram.nodes.size(); ++node) {
    plan.boxes.push_back(box_of(diagram.nodes[node], plan, stretch, setting));
    if (is_remark(diagram, node)) continue;
    const NodeBox& box = plan.boxes.back();
    if (box.right() > static_cast<long>(plan.width)) return std::nullopt;
    for (std::size_t i = 0; i + 1 < plan.boxes.size(); ++i) {
      if (is_remark(diagram, i)) continue;
      if (too_near(plan.boxes[i], box, clearance(diagram, i, node, setting))) return std::nullopt;
    }
  }
  for (const Edge& edge : diagram.edges) {
    plan.detours.push_back(edge.detour ? std::lround(stretch.middle(edge.detour->at) - 0.5) : 0);
    if (!edge.detour) continue;
    for (const std::size_t end : {edge.from, edge.to}) {  // no room for a head
      const NodeBox& box = plan.boxes[end];
      if (plan.detours.back() >= box.column - 1 && plan.detours.back() <= box.right()) return std::nullopt;
    }
  }
  return plan;
}

/// The fewest lines on which no two boxes come too near; nothing when they do on any.
std::optional<DiagramPlan> plan_for(const Diagram& diagram, std::size_t width, const Setting& setting) {
  if (diagram.nodes.empty()) return std::nullopt;
  for (std::size_t height = least_box_lines; height <= pleasant_lines; ++height) {
    if (auto plan = plan_with(diagram, {BoxStyle::framed, width, height, {}, {}}, setting)) return plan;
  }
  for (std::size_t height = least_box_lines; height <= most_diagram_lines; ++height) {
    if (auto plan = plan_with(diagram, {BoxStyle::bracketed, width, height, {}, {}}, setting)) return plan;
  }
  return std::nullopt;
}

// --- Drawing

class Painter {
 public:
  Painter(const Diagram& diagram, const DiagramPlan& plan, const Setting& setting)
      : diagram_(diagram),
        plan_(plan),
        setting_(setting),
        dots_(plan.width, plan.height),
        letters_(plan.width, plan.height) {}

  Picture painted() {
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      if (!is_remark(diagram_, i)) draw_node(diagram_.nodes[i], plan_.boxes[i]);
    }
    for (const Edge& edge : diagram_.edges) {
      if (edge.detour) draw_detour(edge);
      if (!edge.detour) draw_edge(edge);
    }
    for (const Edge& edge : diagram_.edges) draw_head(edge);
    for (const Edge& edge : diagram_.edges) draw_label(edge);
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      if (is_remark(diagram_, i)) draw_remark(i);
      draw_note(i);
    }
    dots_.lay_under(letters_, {0, 0});
    return letters_;
  }

  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Ends {
    Spot tail;
    Spot tip;
    Direction way;  // the side of the box that the tip meets
  };

  static Spot spot(long column, long line) {
    return {static_cast<std::size_t>(std::max(0L, column)), static_cast<std::size_t>(std::max(0L, line))};
  }

  /// The middles of two boxes, one above the other; of the narrower one twice where it lies over the wider,
  /// so that the arrow stands upright.
  static std::pair<long, long> upright_columns(const NodeBox& from, const NodeBox& to) {
    const long from_middle = from.column + from.width / 2;
    const long to_middle = to.column + to.width / 2;
    const bool from_is_narrow = from.width < to.width;
    const NodeBox& wide = from_is_narrow ? to : from;
    const long middle = from_is_narrow ? from_middle : to_middle;
    if (middle < wide.column || middle >= wide.right()) return {from_middle, to_middle};
    return {middle, middle};
  }

  /// An edge leaves in the middle of the side that faces the other box, and ends likewise.
  Ends ends_of(const Edge& edge) const {
    if (edge.detour) return detour_of(edge).into_box;
    const NodeBox& from = plan_.boxes[edge.from];
    const NodeBox& to = plan_.boxes[edge.to];
    const long from_line = from.line + from.height / 2;
    const long to_line = to.line + to.height / 2;
    if (from.right() < to.column)
      return {spot(from.right(), from_line), spot(to.column - 1, to_line), {1.0, 0.0}};
    if (to.right() < from.column)
      return {spot(from.column - 1, from_line), spot(to.right(), to_line), {-1.0, 0.0}};
    const auto [from_column, to_column] = upright_columns(from, to);
    if (from.line < to.line)
      return {spot(from_column, from.bottom()), spot(to_column, to.line - 1), {0.0, -1.0}};
    return {spot(from_column, from.line - 1), spot(to_column, to.bottom()), {0.0, 1.0}};
  }

  /// Out of the upper or lower end of a box's side, along a column, and into the middle of another's side.
  struct Way {
    Spot corner;    // where it turns into the column
    Ends into_box;  // from where it turns again
  };

  Way detour_of(const Edge& edge) const {
    const NodeBox& from = plan_.boxes[edge.from];
    const NodeBox& to = plan_.boxes[edge.to];
    const long column = plan_.detours[static_cast<std::size_t>(&edge - diagram_.edges.data())];
    const bool left = column < to.column;  // of the box it goes to
    const long leaves = to.line < from.line ? from.line : from.bottom() - 1;
    const long arrives = to.line + to.height / 2;
    return {
        spot(column, leaves),
        {spot(column, arrives), spot(left ? to.column - 1 : to.right(), arrives), {left ? 1.0 : -1.0, 0.0}}};
  }

  void draw_level(std::size_t line, std::size_t one, std::size_t other, const char* sign) {
    const auto [first, last] = std::minmax(one, other);
    for (std::size_t i = first; i <= last; ++i) letters_.write({i, line}, sign, line_look());
  }

  void draw_upright(std::size_t column, std::size_t one, std::size_t other, const char* sign) {
    const auto [first, last] = std::minmax(one, other);
    for (std::size_t i = first; i <= last; ++i) letters_.write({column, i}, sign, line_look());
  }

  void draw_detour(const Edge& edge) {
    const Way way = detour_of(edge);
    const NodeBox& from = plan_.boxes[edge.from];
    const std::size_t column = way.corner.column;
    const bool leaves_left = static_cast<long>(column) < from.column;
    const bool arrives_left = way.into_box.way.right > 0.0;
    const bool rises = way.into_box.tail.line < way.corner.line;
    const auto side = static_cast<std::size_t>(std::max(0L, leaves_left ? from.column - 1 : from.right()));
    const auto [first, last] = std::minmax(way.corner.line, way.into_box.tail.line);
    draw_level(way.corner.line, column, side, "─");
    draw_level(way.into_box.tail.line, column, way.into_box.tip.column, "─");
    draw_upright(column, first, last, "│");
    letters_.write({column, first}, (rises ? arrives_left : leaves_left) ? "┌" : "┐", line_look());
    letters_.write({column, last}, (rises ? leaves_left : arrives_left) ? "└" : "┘", line_look());
  }

  Look line_look() const { return {setting_.style.series.front(), {}, Emphasis::none}; }

  Fraction middle_of(const Spot& spot) const {
    return {(static_cast<double>(spot.column) + 0.5) / static_cast<double>(plan_.width),
            1.0 - (static_cast<double>(spot.line) + 0.5) / static_cast<double>(plan_.height)};
  }

  /// Straight lines as box drawings, the others in Braille.
  void draw_edge(const Edge& edge) {
    const Ends ends = ends_of(edge);
    const bool heavy = edge.weight >= 0.5;
    if (ends.tail.line == ends.tip.line && ends.way.up == 0.0)
      return draw_level(ends.tail.line, ends.tail.column, ends.tip.column, heavy ? "━" : "─");
    if (ends.tail.column == ends.tip.column && ends.way.right == 0.0)
      return draw_upright(ends.tail.column, ends.tail.line, ends.tip.line, heavy ? "┃" : "│");
    dots_.draw_line({middle_of(ends.tail), middle_of(ends.tip)}, solid, line_look());
    if (!heavy) return;
    const double dot = 0.25 / static_cast<double>(plan_.height);
    const Fraction tail = middle_of(ends.tail);
    const Fraction tip = middle_of(ends.tip);
    dots_.draw_line({{tail.x, tail.y + dot}, {tip.x, tip.y + dot}}, solid, line_look());
  }

  void draw_head(const Edge& edge) {
    const Ends ends = ends_of(edge);
    const char* head = ends.way.right > 0.0   ? "▶"
                       : ends.way.right < 0.0 ? "◀"
                       : ends.way.up > 0.0    ? "▲"
                                              : "▼";
    letters_.write(ends.tip, head, line_look());
  }

  void draw_label(const Edge& edge) {
    const std::string& words = setting_.words(edge.label);
    if (words.empty()) return;
    if (place_words(words, wish_for_label(edge), {}, dots_, letters_) == Placed::yes) return;
    left_out_.push_back(fmt::format("{} → {}: {}", words_of(edge.from), words_of(edge.to), words));
  }

  /// Beside the edge, nearer to its tip; beside the middle of a detour's column.
  Wish wish_for_label(const Edge& edge) const {
    if (edge.detour) {
      const Way way = detour_of(edge);
      const Spot middle{way.corner.column, (way.corner.line + way.into_box.tail.line) / 2};
      return {middle, {1.0, 0.0}, Standing::beside};
    }
    const Ends ends = ends_of(edge);
    const auto part = [](std::size_t from, std::size_t to) {
      return static_cast<std::size_t>(
          std::lround(0.4 * static_cast<double>(from) + 0.6 * static_cast<double>(to)));
    };
    const Spot mark{part(ends.tail.column, ends.tip.column), part(ends.tail.line, ends.tip.line)};
    return {mark, ends.way.right == 0.0 ? Direction{1.0, 0.0} : Direction{0.0, 1.0}, Standing::beside};
  }

  static Spot middle_of(const NodeBox& box) {
    return spot(box.column + box.width / 2, box.line + box.height / 2);
  }

  void draw_remark(std::size_t node) {
    const std::string& words = words_of(node);
    const Wish wish{middle_of(plan_.boxes[node]), {}, Standing::upon};
    if (place_words(words, wish, {}, dots_, letters_) == Placed::no) left_out_.push_back(words);
  }

  const std::string& words_of(std::size_t node) const { return setting_.words(diagram_.nodes[node].text); }

  /// On the line below the box, or near it.
  void draw_note(std::size_t node) {
    const std::string& words = setting_.words(diagram_.nodes[node].note);
    if (words.empty()) return;
    const NodeBox& box = plan_.boxes[node];
    const Wish wish{spot(box.column + box.width / 2, box.bottom()), {}, Standing::upon};
    if (place_words(words, wish, faint, dots_, letters_) == Placed::yes) return;
    left_out_.push_back(words_of(node) + ": " + words);
  }

  void draw_node(const Node& node, const NodeBox& box) {
    const Spot corner = spot(box.column, box.line);
    const auto width = static_cast<std::size_t>(box.width);
    Look look;
    if (setting_.in_colour() && node.value && diagram_.scale) {
      look.paper =
          shown_colour(colour_of(*diagram_.scale, *node.value, setting_.style.theme), setting_.colours);
      look.letter = black_or_white_on(*look.paper);
    }
    const std::string& words = setting_.words(node.text);
    if (!node.framed) {
      letters_.write(corner, words, look);
    } else if (plan_.style == BoxStyle::bracketed) {
      letters_.write(corner, "[ " + words + " ]", look);
    } else {
      std::string rule;
      for (std::size_t i = 0; i + 2 < width; ++i) rule += "─";
      letters_.write(corner, "┌" + rule + "┐", look);
      letters_.write({corner.column, corner.line + 1}, "│ " + words + " │", look);
      letters_.write({corner.column, corner.line + 2}, "└" + rule + "┘", look);
    }
  }

  const Diagram& diagram_;
  const DiagramPlan& plan_;
  const Setting& setting_;
  DotCanvas dots_;
  Picture letters_;
  std::vector<std::string> left_out_;
};

/// A box's text and its note.
std::string words_of(const Node& node, const Setting& setting) {
  const std::string& note = setting.words(node.note);
  return setting.words(node.text) + (note.empty() ? "" : " " + note);
}

/// "a → b  0.53", line by line.
Picture listed(const Diagram& diagram, std::size_t width, const Setting& setting) {
  std::vector<Picture> lines;
  for (const Edge& edge : diagram.edges) {
    const std::string& label = setting.words(edge.label);
    const std::string line = words_of(diagram.nodes[edge.from], setting) + " → " +
                             words_of(diagram.nodes[edge.to], setting) + (label.empty() ? "" : "  " + label);
    lines.push_back(paragraph(line, width));
  }
  for (std::size_t node = 0; node < diagram.nodes.size(); ++node) {
    if (is_remark(diagram, node)) lines.push_back(paragraph(words_of(diagram.nodes[node], setting), width));
  }
  return stacked(lines);
}

}  // namespace

std::size_t comfortable_width(const Diagram& diagram, std::size_t full, const Setting& setting) {
  constexpr std::size_t least = 24;
  for (std::size_t width = least; width < full; width += 2) {
    if (plan_for(diagram, width, setting)) return width;
  }
  return full;
}

Picture draw(const Diagram& diagram, std::size_t width, ColourBar bar, const Setting& setting) {
  constexpr std::size_t widest_diagram = 90;
  const std::optional<DiagramPlan> plan = plan_for(diagram, std::min(width, widest_diagram), setting);
  if (!plan) return listed(diagram, width, setting);
  Painter painter(diagram, *plan, setting);
  std::vector<Picture> parts{painter.painted()};
  for (const std::string& words : painter.left_out()) parts.push_back(paragraph(words, width));
  if (diagram.scale && bar == ColourBar::here) {
    parts.push_back(colour_line(*diagram.scale, Coloured::cells, WithoutColour::numbers, width, setting));
  }
  return stacked(parts);
}

}  // namespace attnlab::terminal_figure
