#include "plotting/pixels.hpp"

#include <cmath>
#include <cstring>

#include "plotting/backends/cairo_painter.hpp"

namespace attnlab {

Pixels paint_pixels(const Page& page, double dpi) {
  constexpr double points_per_inch = 72.0;
  constexpr std::uint32_t colour_bits = 0xFFFFFF;  // Cairo leaves the upper byte undefined
  const double scale = dpi / points_per_inch;
  const int width = static_cast<int>(std::lround(page.list.width * scale));
  const int height = static_cast<int>(std::lround(page.list.height * scale));
  const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  require_success(cairo_surface_status(surface.get()));
  const CairoContext context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  paint(page.list, context.get());
  cairo_surface_flush(surface.get());

  Pixels pixels{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  pixels.values.resize(pixels.width * pixels.height);
  const unsigned char* rows = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  for (std::size_t row = 0; row < pixels.height; ++row) {
    std::memcpy(&pixels.values[row * pixels.width], rows + row * stride,
                pixels.width * sizeof(std::uint32_t));
  }
  for (std::uint32_t& value : pixels.values) value &= colour_bits;
  return pixels;
}

}  // namespace attnlab
