// The chunks of a PNG, by libpng; their compression is left to who writes them.
#pragma once

#include <png.h>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// Throws Error (failed): the PNG cannot be made.
[[noreturn]] void fail_png(const std::string& reason);

/// What a pixel of the file holds.
enum class PngColour { rgb, rgba };

/// Appends to `bytes`. Throws Error (failed) when libpng fails.
class PngWriter {
 public:
  explicit PngWriter(std::string& bytes);
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  PngWriter(PngWriter&&) = delete;
  PngWriter& operator=(PngWriter&&) = delete;
  ~PngWriter();

  /// The signature, the header, the resolution, and what the file says about itself.
  void begin(const Metadata& metadata, PngColour colour, int width, int height, double dpi);
  void write_chunk(const char* name, const std::string& bytes);

 private:
  void add_texts(const Metadata& metadata);

  png_structp png_;
  png_infop info_ = nullptr;
};

}  // namespace attnlab
