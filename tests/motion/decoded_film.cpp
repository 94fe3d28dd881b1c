#include "motion/decoded_film.hpp"

#include <gif_lib.h>
#include <png.h>

#include <algorithm>
#include <stdexcept>

namespace attnlab {
namespace {

void require(bool success, const char* what) {
  if (!success) throw std::runtime_error(what);
}

// --- GIF -------------------------------------------------------------------------------------------------

struct Rest {
  const std::string& bytes;
  std::size_t at = 0;
};

int read_rest(GifFileType* gif, GifByteType* to, int count) {
  auto& rest = *static_cast<Rest*>(gif->UserData);
  const std::size_t provided =
      std::min<std::size_t>(static_cast<std::size_t>(count), rest.bytes.size() - rest.at);
  std::copy_n(rest.bytes.begin() + static_cast<std::ptrdiff_t>(rest.at), provided, to);
  rest.at += provided;
  return static_cast<int>(provided);
}

std::uint32_t rgb(const GifColorType& colour) {
  return (std::uint32_t{colour.Red} << 16U) | (std::uint32_t{colour.Green} << 8U) | colour.Blue;
}

void lay_over(Pixels& page, const SavedImage& image, const ColorMapObject& colours, int transparent) {
  const GifImageDesc& part = image.ImageDesc;
  for (int row = 0; row < part.Height; ++row) {
    for (int column = 0; column < part.Width; ++column) {
      const int index = image.RasterBits[row * part.Width + column];
      if (index == transparent) continue;
      const auto at = static_cast<std::size_t>(part.Top + row) * page.width +
                      static_cast<std::size_t>(part.Left + column);
      page.values.at(at) = rgb(colours.Colors[index]);
    }
  }
}

}  // namespace

DecodedFilm decode_gif(const std::string& bytes) {
  Rest rest{bytes};
  int error = 0;
  GifFileType* gif = DGifOpen(&rest, read_rest, &error);
  require(gif != nullptr && DGifSlurp(gif) == GIF_OK, "no GIF");
  DecodedFilm film;
  Pixels page{static_cast<std::size_t>(gif->SWidth), static_cast<std::size_t>(gif->SHeight), {}};
  page.values.assign(page.width * page.height, 0);
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& image = gif->SavedImages[i];
    for (int k = 0; k < image.ExtensionBlockCount; ++k) {
      const ExtensionBlock& block = image.ExtensionBlocks[k];
      const std::string content(block.Bytes, block.Bytes + block.ByteCount);
      film.repeats = film.repeats || content == "NETSCAPE2.0";
      if (block.Function == COMMENT_EXT_FUNC_CODE) film.bytes_of_comment += content;
    }
    GraphicsControlBlock control{};
    require(DGifSavedExtensionToGCB(gif, i, &control) == GIF_OK, "no delay");
    lay_over(page, image, *gif->SColorMap, control.TransparentColor);
    film.frames.push_back(page);
    film.centiseconds.push_back(control.DelayTime);
  }
  DGifCloseFile(gif, nullptr);
  return film;
}

Pixels decode_png(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  require(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0, image.message);
  image.format = PNG_FORMAT_BGRA;
  Pixels pixels{image.width, image.height,
                std::vector<std::uint32_t>(std::size_t{image.width} * image.height)};
  require(png_image_finish_read(&image, nullptr, pixels.values.data(), 0, nullptr) != 0, image.message);
  for (std::uint32_t& value : pixels.values) value &= 0xFFFFFFU;
  return pixels;
}

}  // namespace attnlab
