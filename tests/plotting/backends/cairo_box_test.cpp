// Boxes against those that Cairo itself fills.
#include "plotting/backends/cairo_box.hpp"

#include <doctest/doctest.h>

#include <random>

#include "plotting/backends/cairo_painter.hpp"

namespace {

using attnlab::Box;
using attnlab::CairoContext;
using attnlab::CairoSurface;
using attnlab::Colour;
using attnlab::FilledBox;

constexpr int side = 40;

/// An image under a strip of a page: moved up, and two pixels to the point.
struct Strip {
  CairoSurface image{cairo_image_surface_create(CAIRO_FORMAT_RGB24, side, side)};
  CairoContext context{cairo_create(image.get())};

  explicit Strip(const Colour& paper) {
    cairo_set_source_rgb(context.get(), paper.red, paper.green, paper.blue);
    cairo_paint(context.get());
    cairo_translate(context.get(), 0.0, -7.0);
    cairo_scale(context.get(), 2.0, 2.0);
  }

  void fill_by_cairo(const FilledBox& filled) {
    cairo_set_source_rgb(context.get(), filled.fill.red, filled.fill.green, filled.fill.blue);
    cairo_rectangle(context.get(), filled.box.x, filled.box.y, filled.box.width, filled.box.height);
    cairo_fill(context.get());
  }

  const unsigned char* bytes() {
    cairo_surface_flush(image.get());
    return cairo_image_surface_get_data(image.get());
  }
};

}  // namespace

TEST_CASE("a box is what Cairo fills, on its edges, across those of the image, and over another box") {
  std::mt19937 random(0);
  const auto number = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  const auto colour = [&] { return Colour{number(0.0, 1.0), number(0.0, 1.0), number(0.0, 1.0)}; };
  int largest = 0;
  int painted = 0;
  for (int round = 0; round < 500; ++round) {
    const Colour paper = colour();
    Strip ours(paper);
    Strip theirs(paper);
    for (int i = 0; i < 3; ++i) {
      const Box box{number(-3.0, 20.0), number(-3.0, 24.0), number(0.0, 9.0), number(0.0, 9.0)};
      const FilledBox filled{box, colour()};
      CHECK(attnlab::paint_box(ours.context.get(), filled));
      theirs.fill_by_cairo(filled);
    }
    const unsigned char* own = ours.bytes();
    const unsigned char* other = theirs.bytes();
    for (int i = 0; i < side * side * 4; ++i) {
      if (i % 4 == 3) continue;  // the byte that no colour uses
      largest = std::max(largest, std::abs(int{own[i]} - int{other[i]}));
      painted += std::abs(own[i] - own[i % 4]) > 0 ? 1 : 0;
    }
  }
  CHECK(largest == 0);
  CHECK(painted > 100000);  // not on images of one colour
}

TEST_CASE("what is not opaque, and what is no image, is left to Cairo") {
  Strip strip({1.0, 1.0, 1.0});
  CHECK_FALSE(attnlab::paint_box(strip.context.get(), {{1.0, 5.0, 4.0, 4.0}, {}, 0.5}));
  const CairoSurface recording(cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nullptr));
  const CairoContext context(cairo_create(recording.get()));
  CHECK_FALSE(attnlab::paint_box(context.get(), {{1.0, 5.0, 4.0, 4.0}, {}}));
}
