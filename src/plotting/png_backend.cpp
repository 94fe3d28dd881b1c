// PNG: Cairo's pixels through libpng at its fastest setting; Cairo's own writer is four times slower.
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <future>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "plotting/backends.hpp"
#include "plotting/cairo_painter.hpp"

namespace attnlab {
namespace {

constexpr double points_per_inch = 72.0;
constexpr double inches_per_metre = 1.0 / 0.0254;
constexpr int strip_rows = 216;

// libpng reports errors through longjmp; throwing from its callback is the documented C++ way out.
[[noreturn]] void fail(png_structp /*png*/, png_const_charp reason) {
  throw Error(ErrorKind::failed,
              {"PNG を作れません（" + std::string(reason) + "）",
               "cannot encode the PNG (" + std::string(reason) + ")"},
              {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

void append(png_structp png, png_bytep bytes, png_size_t count) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void no_flush(png_structp /*png*/) {}

class PngWriter {
 public:
  explicit PngWriter(std::string& bytes)
      : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr)) {
    if (png_ == nullptr) fail(nullptr, "out of memory");
    info_ = png_create_info_struct(png_);
    png_set_write_fn(png_, &bytes, append, no_flush);
  }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  PngWriter(PngWriter&&) = delete;
  PngWriter& operator=(PngWriter&&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }

  void begin(const Metadata& metadata, int width, int height, double dpi) {
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png_, 1);
    png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    const auto density = static_cast<png_uint_32>(std::lround(dpi * inches_per_metre));
    png_set_pHYs(png_, info_, density, density, PNG_RESOLUTION_METER);
    add_texts(metadata);
    png_write_info(png_, info_);
    png_set_filler(png_, 0, PNG_FILLER_AFTER);  // Cairo's pixels are B, G, R and an unused byte
    png_set_bgr(png_);
  }

  void write_rows(cairo_surface_t* image, int rows) {
    unsigned char* bytes = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (std::ptrdiff_t row = 0; row < rows; ++row) png_write_row(png_, bytes + row * stride);
  }

  void end() { png_write_end(png_, info_); }

 private:
  void add_texts(const Metadata& metadata) {
    std::array<std::string, 3> keys{"Title", "Description", "Software"};
    std::array<std::string, 3> values{metadata.title, metadata.description, metadata.command};
    std::string language = metadata.language;
    std::array<png_text, 3> texts{};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i].compression = PNG_ITXT_COMPRESSION_NONE;
      texts[i].key = keys[i].data();
      texts[i].text = values[i].data();
      texts[i].itxt_length = values[i].size();
      texts[i].lang = language.data();
    }
    png_set_text(png_, info_, texts.data(), static_cast<int>(texts.size()));
  }

  png_structp png_;
  png_infop info_ = nullptr;
};

CairoSurface new_strip(int width, int height) {
  CairoSurface strip(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, std::min(height, strip_rows)));
  require_success(cairo_surface_status(strip.get()));
  return strip;
}

}  // namespace

// Painted strip by strip, each compressed while the next is painted: a whole page of pixels costs 12 MB, and
// more time in page faults than in ink.
std::string paint_png(const Page& page, double dpi) {
  const double scale = dpi / points_per_inch;
  const int width = static_cast<int>(std::lround(page.list.width * scale));
  const int height = static_cast<int>(std::lround(page.list.height * scale));
  const std::array<CairoSurface, 2> strips{new_strip(width, height), new_strip(width, height)};
  std::string bytes;
  PngWriter writer(bytes);
  writer.begin(page.metadata, width, height, dpi);
  std::future<void> compressed;
  for (int top = 0; top < height; top += strip_rows) {
    const int rows = std::min(strip_rows, height - top);
    cairo_surface_t* strip = strips.at(static_cast<std::size_t>(top / strip_rows % 2)).get();
    const CairoContext context(cairo_create(strip));
    cairo_translate(context.get(), 0.0, -top);
    cairo_scale(context.get(), scale, scale);
    paint_strip(page.list, context.get(), top / scale, (top + rows) / scale);
    cairo_surface_flush(strip);
    if (compressed.valid()) compressed.get();
    compressed = std::async(std::launch::async, [&writer, strip, rows] { writer.write_rows(strip, rows); });
  }
  compressed.get();
  writer.end();
  return bytes;
}

}  // namespace attnlab
