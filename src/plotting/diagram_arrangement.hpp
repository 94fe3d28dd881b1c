// How a diagram fits its place: the size of its words, where its notes stand, upright or laid down.
#pragma once

#include <string>
#include <utility>

#include "plotting/figure/figure.hpp"
#include "plotting/layout/geometry.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {

enum class NotePlace { below, inside, left_out };

/// Where a diagram is drawn, how large its words are, and where its notes stand.
struct DiagramFrame {
  Box area;
  double text = 0.0;
  NotePlace notes = NotePlace::below;
};

/// A diagram, perhaps laid down and spaced, where it will be drawn.
struct Arrangement {
  Diagram diagram;
  DiagramFrame frame;
  double spare =
      0.0;  // of the edge with the least room; negative where boxes overlap or arrows are too short
};

double note_size(const DiagramFrame& frame, const Style& style);

/// What stands in the box.
std::string words_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame);

Box box_of(const Node& node, const Sheet& sheet, const DiagramFrame& frame);

Position centre(const Box& box);

/// An edge leaves in the middle of the side that faces the other box, and ends likewise.
std::pair<Position, Position> ends_of(const Box& start, const Box& end, double gap);

/// The largest words with which no box runs into another and every arrow has room, from the style's size down
/// to its smallest; upright or laid down, whichever leaves more room.
Arrangement arrange(const Diagram& diagram, const Sheet& sheet, const Box& area);

}  // namespace attnlab
