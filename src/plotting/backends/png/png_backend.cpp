// PNG by libpng: 8-bit RGB, the resolution, and what the file says about itself.
#include <png.h>

#include "core/error.hpp"
#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

constexpr double inches_per_metre = 1.0 / 0.0254;

// libpng reports errors through longjmp; throwing from its callback is the documented C++ way out.
[[noreturn]] void fail(png_structp /*png*/, png_const_charp reason) {
  refuse_failed({"PNG を作れません（" + std::string(reason) + "）",
                 "cannot encode the PNG (" + std::string(reason) + ")"},
                {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

void append(png_structp png, png_bytep bytes, png_size_t count) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void no_flush(png_structp /*png*/) {}

/// libpng's two structures, which it makes and takes back together.
class PngWriter {
 public:
  PngWriter() : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr)) {
    if (png_ == nullptr) fail(nullptr, "out of memory");
    info_ = png_create_info_struct(png_);
  }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  PngWriter(PngWriter&&) = delete;
  PngWriter& operator=(PngWriter&&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  png_structp png_;
  png_infop info_ = nullptr;
};

void add_texts(png_structp png, png_infop info, const Metadata& metadata) {
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
  png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
}

void write_rows(png_structp png, const Pixels& pixels) {
  std::vector<png_byte> row(3 * pixels.width);
  for (std::size_t y = 0; y < pixels.height; ++y) {
    for (std::size_t x = 0; x < pixels.width; ++x) {
      const std::uint32_t value = pixels.values[y * pixels.width + x];
      row[3 * x] = static_cast<png_byte>(value >> 16U);
      row[3 * x + 1] = static_cast<png_byte>(value >> 8U);
      row[3 * x + 2] = static_cast<png_byte>(value);
    }
    png_write_row(png, row.data());
  }
}

}  // namespace

std::string paint_png(const Page& page, double dpi) {
  const Pixels pixels = paint_pixels(page, dpi);
  std::string bytes;
  const PngWriter writer;
  png_structp png = writer.png();
  png_set_write_fn(png, &bytes, append, no_flush);
  png_set_IHDR(png, writer.info(), static_cast<png_uint_32>(pixels.width),
               static_cast<png_uint_32>(pixels.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const auto density = static_cast<png_uint_32>(std::lround(dpi * inches_per_metre));
  png_set_pHYs(png, writer.info(), density, density, PNG_RESOLUTION_METER);
  add_texts(png, writer.info(), page.metadata);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);  // flat colours need no other
  png_set_compression_level(png, 3);
  png_write_info(png, writer.info());
  write_rows(png, pixels);
  png_write_end(png, nullptr);
  return bytes;
}

}  // namespace attnlab
