#include "plotting/backends/cairo_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attnlab {
namespace {

constexpr int unit = 256;  // Cairo's coordinates are whole numbers of 1/256 of a pixel

/// From where to where a side of the box reaches, as far as it lies on the image.
struct Side {
  int begin;
  int end;
  int first() const { return begin / unit; }
  int last() const { return (end - 1) / unit; }
  /// How much of a pixel it covers, of 256.
  int covers(int pixel) const { return std::min(end, (pixel + 1) * unit) - std::max(begin, pixel * unit); }
};

Side side_of(double begin, double length, int pixels) {
  const auto units = [](double number) { return static_cast<int>(std::lrint(number * unit)); };
  const int from = units(begin);
  return {std::max(from, 0), std::min(from + units(length), pixels * unit)};
}

std::uint32_t pixel_of(const Colour& colour) {
  const auto byte = [](double channel) {
    return static_cast<std::uint32_t>(std::lround(channel * 65535.0)) >> 8U;
  };
  return byte(colour.red) << 16U | byte(colour.green) << 8U | byte(colour.blue);
}

/// The four bytes of a pixel with room between them.
inline std::uint64_t spread(std::uint32_t pixel) {
  return (pixel & 0xff00ffU) | std::uint64_t{(pixel >> 8U) & 0xff00ffU} << 32U;
}

/// Each of the four times a share of 255, rounded.
inline std::uint64_t times(std::uint64_t four, std::uint32_t share) {
  constexpr std::uint64_t bytes = 0x00ff00ff00ff00ffU;
  const std::uint64_t product = four * share + 0x007f007f007f007fU;
  return ((product + ((product >> 8U) & bytes)) >> 8U) & bytes;
}

inline std::uint32_t mixed(std::uint64_t ink, std::uint32_t paper, std::uint32_t share) {
  const std::uint64_t sum = times(ink, share) + times(spread(paper), 255U - share);
  return static_cast<std::uint32_t>(sum) | static_cast<std::uint32_t>(sum >> 24U);
}

}  // namespace

bool paint_box(cairo_t* context, const FilledBox& filled) {
  cairo_surface_t* image = cairo_get_target(context);
  if (filled.opacity < 1.0 || cairo_surface_get_type(image) != CAIRO_SURFACE_TYPE_IMAGE) return false;
  cairo_matrix_t page;
  cairo_get_matrix(context, &page);
  const Box& box = filled.box;
  const Side across =
      side_of(page.xx * box.x + page.x0, page.xx * box.width, cairo_image_surface_get_width(image));
  const Side down =
      side_of(page.yy * box.y + page.y0, page.yy * box.height, cairo_image_surface_get_height(image));
  if (across.begin >= across.end || down.begin >= down.end) return true;
  const std::uint32_t ink = pixel_of(filled.fill);
  const std::uint64_t spread_ink = spread(ink);
  cairo_surface_flush(image);
  unsigned char* rows = cairo_image_surface_get_data(image);
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(image);
  for (int y = down.first(); y <= down.last(); ++y) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): Cairo's pixels are numbers of 32 bits
    auto* pixels = reinterpret_cast<std::uint32_t*>(rows + y * stride);
    const int height = down.covers(y);
    const auto put = [&](int x, int width) {
      const int covered = width * height / unit;
      pixels[x] = covered == unit ? ink : mixed(spread_ink, pixels[x], static_cast<std::uint32_t>(covered));
    };
    put(across.first(), across.covers(across.first()));
    for (int x = across.first() + 1; x < across.last(); ++x) put(x, unit);
    if (across.last() > across.first()) put(across.last(), across.covers(across.last()));
  }
  cairo_surface_mark_dirty(image);
  return true;
}

}  // namespace attnlab
