#include "plotting/backends/png/png_backend.hpp"

#include <array>
#include <cmath>

#include "core/error.hpp"

namespace attnlab {
namespace {

constexpr double inches_per_metre = 1.0 / 0.0254;

// libpng reports errors through longjmp; throwing from its callback is the documented C++ way out.
[[noreturn]] void fail(png_structp /*png*/, png_const_charp reason) {
  fail_png(reason);
}

void append(png_structp png, png_bytep bytes, png_size_t count) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void no_flush(png_structp /*png*/) {}

}  // namespace

void fail_png(const std::string& reason) {
  throw Error(ErrorKind::failed,
              {"PNG を作れません（" + reason + "）", "cannot encode the PNG (" + reason + ")"},
              {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

PngWriter::PngWriter(std::string& bytes)
    : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr)) {
  if (png_ == nullptr) fail_png("out of memory");
  info_ = png_create_info_struct(png_);
  png_set_write_fn(png_, &bytes, append, no_flush);
}

PngWriter::~PngWriter() {
  png_destroy_write_struct(&png_, &info_);
}

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

}  // namespace attnlab
