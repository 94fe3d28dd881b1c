// Where the boxes of a diagram stand on a grid of characters.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plotting/figure/figure.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

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
bool is_remark(const Diagram& diagram, std::size_t node);

/// The fewest lines on which no two boxes come too near; nothing when they do on any.
std::optional<DiagramPlan> plan_for(const Diagram& diagram, std::size_t width, const Setting& setting);

}  // namespace attnlab::terminal_figure
