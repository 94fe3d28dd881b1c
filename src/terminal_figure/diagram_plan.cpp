#include "terminal_figure/diagram_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/terminal_width.hpp"

namespace attnlab::terminal_figure {
namespace {

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
  }
  return plan;
}

}  // namespace

bool is_remark(const Diagram& diagram, std::size_t node) {
  return !diagram.nodes[node].framed &&
         std::none_of(diagram.edges.begin(), diagram.edges.end(),
                      [node](const Edge& edge) { return edge.from == node || edge.to == node; });
}

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

}  // namespace attnlab::terminal_figure
