#include "plotting/pixels.hpp"

#include <cmath>

#include "plotting/cairo_painter.hpp"

namespace attnlab {

Pixels paint_pixels(const Page& page, double dpi) {
  constexpr double points_per_inch = 72.0;
  const double scale = dpi / points_per_inch;
  Pixels pixels{static_cast<int>(std::lround(page.list.width * scale)),
                static_cast<int>(std::lround(page.list.height * scale)),
                {}};
  const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels.width, pixels.height));
  require_success(cairo_surface_status(surface.get()));
  const CairoContext context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  paint(page.list, context.get());
  cairo_surface_flush(surface.get());

  const auto width = static_cast<std::size_t>(pixels.width);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  pixels.rgba.reserve(width * static_cast<std::size_t>(pixels.height) * 4);
  for (std::size_t row = 0; row < static_cast<std::size_t>(pixels.height); ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const unsigned char* from = data + row * stride + 4 * column;  // blue, green, red, unused
      pixels.rgba.insert(pixels.rgba.end(), {from[2], from[1], from[0], 255});
    }
  }
  return pixels;
}

}  // namespace attnlab
