#include "motion/decoded_film.hpp"

#include <gif_lib.h>
#include <png.h>
#include <webp/demux.h>

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
  const std::size_t given =
      std::min<std::size_t>(static_cast<std::size_t>(count), rest.bytes.size() - rest.at);
  std::copy_n(rest.bytes.begin() + static_cast<std::ptrdiff_t>(rest.at), given, to);
  rest.at += given;
  return static_cast<int>(given);
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

// --- APNG ------------------------------------------------------------------------------------------------

std::size_t number32(const std::string& bytes, std::size_t at) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number * 256 + static_cast<unsigned char>(bytes.at(at + i));
  return number;
}

std::size_t number16(const std::string& bytes, std::size_t at) {
  return number32(bytes, at) / 65536;
}

struct Chunk {
  std::string name;
  std::string bytes;
};

std::vector<Chunk> chunks_of(const std::string& bytes) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < bytes.size();) {
    const std::size_t length = number32(bytes, at);
    chunks.push_back({bytes.substr(at + 4, 4), bytes.substr(at + 8, length)});
    at += 12 + length;
  }
  return chunks;
}

std::string text32(std::size_t number) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>((number >> shift) & 0xFFU);
  return bytes;
}

std::string chunk_bytes(const std::string& name, const std::string& bytes) {
  const std::string body = name + bytes;
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char letter : body) {
    crc ^= static_cast<unsigned char>(letter);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0U ? (crc >> 1U) ^ 0xEDB88320U : crc >> 1U;
  }
  return text32(bytes.size()) + body + text32(crc ^ 0xFFFFFFFF);
}

/// The frame as a PNG of its own, decoded to 0xAARRGGBB.
std::vector<std::uint32_t> decode_part(const std::string& header, std::size_t width, std::size_t height,
                                       const std::string& data) {
  const std::string png = "\x89PNG\r\n\x1a\n" +
                          chunk_bytes("IHDR", text32(width) + text32(height) + header.substr(8)) +
                          chunk_bytes("IDAT", data) + chunk_bytes("IEND", "");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  require(png_image_begin_read_from_memory(&image, png.data(), png.size()) != 0, image.message);
  image.format = PNG_FORMAT_BGRA;
  std::vector<std::uint32_t> pixels(width * height);
  require(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0, image.message);
  return pixels;
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

DecodedFilm decode_webp(const std::string& bytes) {
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  const WebPData data{copy.data(), copy.size()};
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
  require(decoder != nullptr, "no WebP");
  WebPAnimInfo info{};
  WebPAnimDecoderGetInfo(decoder, &info);
  DecodedFilm film;
  film.repeats = info.loop_count == 0;
  int before = 0;
  while (WebPAnimDecoderHasMoreFrames(decoder) != 0) {
    std::uint8_t* rgba = nullptr;
    int end = 0;
    require(WebPAnimDecoderGetNext(decoder, &rgba, &end) != 0, "a broken WebP");
    Pixels page{info.canvas_width, info.canvas_height, {}};
    for (std::size_t i = 0; i < page.width * page.height; ++i) {
      page.values.push_back((std::uint32_t{rgba[4 * i]} << 16U) | (std::uint32_t{rgba[4 * i + 1]} << 8U) |
                            rgba[4 * i + 2]);
    }
    film.frames.push_back(page);
    film.centiseconds.push_back((end - before) / 10);
    before = end;
  }
  WebPAnimDecoderDelete(decoder);
  return film;
}

DecodedFilm decode_apng(const std::string& bytes) {
  DecodedFilm film;
  std::string header;
  std::string control;
  Pixels page;
  const auto lay = [&](const std::string& data) {
    const std::size_t width = number32(control, 4);
    const std::size_t height = number32(control, 8);
    const std::vector<std::uint32_t> part = decode_part(header, width, height, data);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::size_t row = number32(control, 16) + i / width;
      const std::size_t column = number32(control, 12) + i % width;
      if (part[i] >> 24U != 0) page.values.at(row * page.width + column) = part[i] & 0xFFFFFFU;
    }
    film.frames.push_back(page);
    film.centiseconds.push_back(static_cast<int>(100 * number16(control, 20) / number16(control, 22)));
  };
  std::size_t sequence = 0;
  std::size_t announced = 0;
  for (const Chunk& chunk : chunks_of(bytes)) {
    if (chunk.name == "IHDR") {
      header = chunk.bytes;
      page = {number32(header, 0), number32(header, 4), {}};
      page.values.assign(page.width * page.height, 0);
    } else if (chunk.name == "acTL") {
      announced = number32(chunk.bytes, 0);
      film.repeats = number32(chunk.bytes, 4) == 0;
    } else if (chunk.name == "fcTL") {
      require(number32(chunk.bytes, 0) == sequence++, "fcTL out of order");
      control = chunk.bytes;
    } else if (chunk.name == "IDAT") {
      lay(chunk.bytes);
    } else if (chunk.name == "fdAT") {
      require(number32(chunk.bytes, 0) == sequence++, "fdAT out of order");
      lay(chunk.bytes.substr(4));
    }
  }
  require(announced == film.frames.size(), "acTL announces another number of frames");
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
