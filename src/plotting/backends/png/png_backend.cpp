#include "plotting/backends/png/png_backend.hpp"

#include <isa-l/igzip_lib.h>

#include <cstring>
#include <mutex>

#include "core/error.hpp"
#include "core/for_each.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/backends/cairo_painter.hpp"

namespace attnlab {
namespace {

constexpr double inches_per_metre = 1.0 / 0.0254;

// libpng reports errors through longjmp; throwing from its callback is the documented C++ way out.
[[noreturn]] void fail(png_structp /*png*/, png_const_charp reason) { fail_png(reason); }

void append(png_structp png, png_bytep bytes, png_size_t count) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void no_flush(png_structp /*png*/) {}

constexpr int strip_rows = 128;

enum class Part { more_follows, last };

// One zlib stream, fed part by part.
class ZlibStream {
 public:
  // Level 0. At levels 1 to 3, ISA-L 2.30 chose another match of the same length once in about 150 streams on
  // a busy machine, with the same input in the same process: the same pixels in other bytes.
  ZlibStream() : stream_(std::make_unique<isal_zstream>()) {
    isal_deflate_init(stream_.get());
    stream_->gzip_flag = IGZIP_ZLIB;
    stream_->level = 0;
  }

  /// What these bytes add to the stream.
  std::string compress(std::vector<unsigned char>& raw, Part part) {
    std::string bytes;
    stream_->next_in = raw.data();
    stream_->avail_in = static_cast<std::uint32_t>(raw.size());
    stream_->end_of_stream = part == Part::last ? 1 : 0;
    do {
      stream_->next_out = buffer_.data();
      stream_->avail_out = static_cast<std::uint32_t>(buffer_.size());
      if (isal_deflate(stream_.get()) != COMP_OK) fail_png("deflate");
      bytes.append(buffer_.begin(), buffer_.end() - stream_->avail_out);
    } while (stream_->avail_out == 0);
    return bytes;
  }

 private:
  std::unique_ptr<isal_zstream> stream_;
  std::array<std::uint8_t, 65536> buffer_{};
};

// Rows as PNG stores them: the number of the filter (0, none), then R, G, B. Cairo's pixels are numbers, from
// above an unused byte, R, G, B; turned round they are stored four bytes at a time, each over the fourth of
// the last.
std::vector<unsigned char> rows_of(cairo_surface_t* strip) {
  const auto width = static_cast<std::size_t>(cairo_image_surface_get_width(strip));
  const auto rows = static_cast<std::size_t>(cairo_image_surface_get_height(strip));
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(strip));
  const unsigned char* pixels = cairo_image_surface_get_data(strip);
  std::vector<unsigned char> bytes(rows * (1 + 3 * width) + 1);
  unsigned char* to = bytes.data();
  for (std::size_t row = 0; row < rows; ++row) {
    *to++ = 0;
    const unsigned char* from = pixels + row * stride;
    for (std::size_t column = 0; column < width; ++column, from += 4, to += 3) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, from, sizeof pixel);
      pixel = __builtin_bswap32(pixel) >> 8U;
      std::memcpy(to, &pixel, sizeof pixel);
    }
  }
  bytes.pop_back();
  return bytes;
}

/// So many rows of pixels from `top` on, at so many pixels per point.
std::vector<unsigned char> paint_rows(const Painting& painting, int width, int top, int rows, double scale) {
  const CairoSurface strip(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, rows));
  require_success(cairo_surface_status(strip.get()));
  const CairoContext context(cairo_create(strip.get()));
  cairo_translate(context.get(), 0.0, -top);
  cairo_scale(context.get(), scale, scale);
  painting.paint_strip(context.get(), top / scale, (top + rows) / scale);
  cairo_surface_flush(strip.get());
  return rows_of(strip.get());
}

}  // namespace

void fail_png(const std::string& reason) {
  refuse_failed({"PNG を作れません（" + reason + "）", "cannot encode the PNG (" + reason + ")"},
                {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

PngWriter::PngWriter(std::string& bytes)
    : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr)) {
  if (png_ == nullptr) fail_png("out of memory");
  info_ = png_create_info_struct(png_);
  png_set_write_fn(png_, &bytes, append, no_flush);
}

PngWriter::~PngWriter() { png_destroy_write_struct(&png_, &info_); }

void PngWriter::begin(const Metadata& metadata, PngColour colour, int width, int height, double dpi) {
  png_set_IHDR(png_, info_, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
               colour == PngColour::rgb ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const auto density = static_cast<png_uint_32>(std::lround(dpi * inches_per_metre));
  png_set_pHYs(png_, info_, density, density, PNG_RESOLUTION_METER);
  add_texts(metadata);
  png_write_info(png_, info_);
}

void PngWriter::write_chunk(const char* name, const std::string& bytes) {
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  png_write_chunk(png_, reinterpret_cast<png_const_bytep>(name),
                  reinterpret_cast<png_const_bytep>(bytes.data()), bytes.size());
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
}

void PngWriter::add_texts(const Metadata& metadata) {
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

// Painted strip by strip, each by whichever processor is free, and compressed in their order: a whole page of
// pixels costs 12 MB, and more time in page faults than in ink.
std::string paint_png(const Page& page, double dpi) {
  const double scale = dpi / points_per_inch;
  const int width = static_cast<int>(std::lround(page.list.width * scale));
  const int height = static_cast<int>(std::lround(page.list.height * scale));
  const Painting painting(page.list);
  std::string bytes;
  PngWriter writer(bytes);
  writer.begin(page.metadata, PngColour::rgb, width, height, dpi);
  ZlibStream stream;
  std::vector<std::vector<unsigned char>> strips(
      static_cast<std::size_t>((height + strip_rows - 1) / strip_rows));
  std::size_t written = 0;
  std::mutex writing;
  on_all_processors()(strips.size(), [&](std::size_t index) {
    const int top = static_cast<int>(index) * strip_rows;
    std::vector<unsigned char> rows =
        paint_rows(painting, width, top, std::min(strip_rows, height - top), scale);
    const std::lock_guard<std::mutex> lock(writing);
    strips[index] = std::move(rows);
    for (; written < strips.size() && !strips[written].empty(); ++written) {
      std::vector<unsigned char> raw = std::move(strips[written]);
      const Part part = written + 1 == strips.size() ? Part::last : Part::more_follows;
      const std::string data = stream.compress(raw, part);
      if (!data.empty()) writer.write_chunk("IDAT", data);
    }
  });
  writer.write_chunk("IEND", "");
  return bytes;
}

}  // namespace attnlab
