// What a page holds, item by item in points (1/72 inch) from the upper left corner; backends only paint it.
// And boxes that may be turned, and whether they run into each other.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

constexpr double points_per_inch = 72.0;

struct Colour {  // sRGB, 0..1
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
};

struct Position {
  double x = 0.0;
  double y = 0.0;
};

double distance(const Position& one, const Position& other);

struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Position centre() const { return {x + width / 2.0, y + height / 2.0}; }
  Box grown(double margin) const {
    return {x - margin, y - margin, width + 2.0 * margin, height + 2.0 * margin};
  }
};

struct FilledBox {
  Box box;
  Colour fill;
  double opacity = 1.0;  // 0 lets all that is behind it through
};

/// A run of straight segments, or a polygon when closed. Either colour may be absent.
struct Path {
  std::vector<Position> points;
  bool closed = false;
  std::optional<Colour> fill;
  std::optional<Colour> stroke;
  double width = 1.0;
  std::vector<double> dashes;
  std::optional<Box> clip;
  double opacity = 1.0;  // of the stroke

  static Path line(std::vector<Position> points, const Colour& colour, double width,
                   std::vector<double> dashes = {}) {
    return {std::move(points), false, {}, colour, width, std::move(dashes), {}};
  }
  static Path area(std::vector<Position> corners, const Colour& fill) {
    return {std::move(corners), true, fill, {}, 0.0, {}, {}};
  }
  static Path frame(const Box& box, const Colour& colour, double width) {
    return {{{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}},
            true,
            {},
            colour,
            width,
            {},
            {}};
  }
};

struct Disc {
  Position centre;
  double radius = 0.0;
  std::optional<Colour> fill;
  std::optional<Colour> stroke;
  double width = 1.0;
};

/// Pixels stretched over a box without smoothing: a picture, or a heat map with too many cells for boxes.
struct Raster {
  Box box;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Colour> pixels;
  bool recurs = false;  // other items have the same pixels
};

enum class Weight { regular, bold };

/// Which point of a text's baseline keeps its place when the text is set in another font.
enum class AlignX { left, centre, right };

/// Where that point is, as a share of the text's width.
constexpr double share(AlignX align) {
  return align == AlignX::left ? 0.0 : align == AlignX::centre ? 0.5 : 1.0;
}

/// The stroke that makes a halo, half of it outside the letters, as a share of the text's size.
constexpr double halo_width = 0.28;

/// A text and how it is set, before it has a place.
struct Words {
  std::string markup;  // Pango markup, already escaped
  double size = 0.0;   // points
  Colour colour;
  Colour background;  // what it stands on, for contrast
  Weight weight = Weight::regular;
  std::optional<Colour> halo;  // a rim around the letters, where lines pass behind them
};

/// A text in its place. It is set with its logical upper left corner at the origin of a frame that stands at
/// `position` and is turned by `angle` degrees (clockwise positive, as y points down). `ink` is in that
/// frame.
struct Label : Words {
  Position position;
  double angle = 0.0;
  Box ink;
  AlignX align = AlignX::left;
};

using PageShape = std::variant<FilledBox, Path, Disc, Raster, Label>;

/// `id` is stable ("weights[2,5]", "title"): hover, animation and tests refer to it.
struct Item {
  std::string id;
  PageShape shape;
};
std::string indexed(const std::string& id, std::size_t index);
std::string indexed(const std::string& id, std::size_t row, std::size_t column);

struct DisplayList {
  double width = 0.0;
  double height = 0.0;
  Colour background;
  std::vector<Item> items;
};

/// What a file says about itself.
struct Metadata {
  std::string title;
  std::string description;  // alternative text
  std::string language;     // "ja" or "en"
  std::string command;      // "attnlab vectors --count 12"
};

/// A page ready to be painted.
struct Page {
  DisplayList list;
  Metadata metadata;
};

/// The four corners of a box, in order around it.
using Corners = std::array<Position, 4>;

Corners corners_of(const Box& box);

/// A straight line of some width as a turned box.
Corners corners_of_line(const Position& from, const Position& to, double width);

/// The corners of a label's ink on the page, its turn included.
Corners ink_corners(const Label& label);

/// How far two convex boxes reach into each other, in points: the smallest shift that would part them; 0 when
/// they are apart. By the separating axis theorem.
double overlap(const Corners& one, const Corners& other);

/// The upright box around the corners.
Box bounds_of(const Corners& corners);

/// The upright box around some points; without any, a box that nothing fits.
Box bounds_of(const std::vector<Position>& points);

/// The upright box around two.
Box united(const Box& one, const Box& other);

/// The upright box around all that an item paints, strokes and halos included.
Box bounds_of(const Item& item);

}  // namespace attnlab
