// What a page holds, item by item in points (1/72 inch) from the upper left corner. Backends only paint it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attnlab {

struct Colour {  // sRGB, 0..1
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
};

struct Position {
  double x = 0.0;
  double y = 0.0;
};

struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

struct FilledBox {
  Box box;
  Colour fill;
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
};

struct Disc {
  Position centre;
  double radius = 0.0;
  std::optional<Colour> fill;
  std::optional<Colour> stroke;
  double width = 1.0;
};

/// Pixels stretched over a box without smoothing: a heat map with too many cells for boxes.
struct Raster {
  Box box;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Colour> pixels;
};

enum class Weight { regular, bold };

/// Which point of a text's baseline keeps its place when the text is set in another font.
enum class AlignX { left, centre, right };

/// The stroke that makes a halo, half of it outside the letters, as a share of the text's size.
constexpr double halo_width = 0.28;

/// One text. It is set with its logical upper left corner at the origin of a frame that stands at `position`
/// and is turned by `angle` degrees (clockwise positive, as y points down). `ink` is in that frame.
struct Label {
  Position position;
  double angle = 0.0;
  std::string markup;  // Pango markup, already escaped
  double size = 0.0;   // points
  Weight weight = Weight::regular;
  Colour colour;
  Colour background;  // what it stands on, for contrast
  Box ink;
  std::optional<Colour> halo;  // a rim around the letters, where lines pass behind them
  AlignX align = AlignX::left;
};

using Shape = std::variant<FilledBox, Path, Disc, Raster, Label>;

/// `id` is stable ("weights[2,5]", "title"): hover, animation and tests refer to it.
struct Item {
  std::string id;
  Shape shape;
};

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

}  // namespace attnlab
