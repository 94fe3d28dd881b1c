// A glyph's curves as short SVG path data.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// Writes path data in whole units, each point relative to the one before, and the curves of TrueType fonts
/// as the quadratic ones that they are.
class OutlinePath {
 public:
  void move_to(Position to);
  void line_to(Position to);
  void curve_to(Position first, Position second, Position to);
  void close();

  const std::string& data() const { return data_; }

 private:
  struct Point {
    long x = 0;
    long y = 0;
  };
  static Point rounded(Position at) { return {std::lround(at.x), std::lround(at.y)}; }
  void begin();
  void write(char command, const std::vector<long>& numbers);

  std::string data_;
  char last_ = 0;      // command
  Point at_;           // where the pen is
  Point start_;        // of the contour
  bool begun_ = true;  // the move to its start is written
  Position exact_;     // where the pen is, before rounding
};

}  // namespace attnlab
