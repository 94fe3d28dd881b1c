// Animated PNG: the chunks acTL, fcTL and fdAT of the APNG specification (now part of PNG, third edition),
// around pixels that are transparent where they stay as they were.
#include <zlib.h>

#include "motion/film.hpp"
#include "plotting/backends/png/png_backend.hpp"

namespace attnlab {
namespace {

constexpr std::uint32_t hundredths = 100;  // the denominator of delays
constexpr std::uint32_t opaque = 0xFF000000;
constexpr unsigned char leave = 0;  // what happens to a frame when the next one comes
constexpr unsigned char over = 1;   // how the next one is laid onto it

/// Numbers as PNG stores them: the most significant byte first.
void put(std::string& bytes, std::size_t number, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
    bytes += static_cast<char>((number >> shift) & 0xFFU);
}

std::string animation_control(const Film& film) {
  std::string bytes;
  put(bytes, film.frames, 4);
  put(bytes, film.repeat == Repeat::once ? 1 : 0, 4);  // 0: for ever
  return bytes;
}

std::string frame_control(std::size_t sequence, const Part& part, int centiseconds) {
  std::string bytes;
  for (const std::size_t number : {sequence, part.width, part.height, part.left, part.top})
    put(bytes, number, 4);
  put(bytes, static_cast<std::size_t>(centiseconds), 2);
  put(bytes, hundredths, 2);
  bytes += static_cast<char>(leave);
  bytes += static_cast<char>(over);
  return bytes;
}

/// Rows of R, G, B and opacity, each behind the number of its filter (0, none).
std::vector<unsigned char> rows_of(const Part& part, const Pixels& pixels, const Pixels* before) {
  std::vector<unsigned char> bytes;
  bytes.reserve(part.height * (1 + 4 * part.width));
  for (std::size_t row = part.top; row < part.top + part.height; ++row) {
    bytes.push_back(0);
    for (std::size_t column = part.left; column < part.left + part.width; ++column) {
      const std::size_t at = row * pixels.width + column;
      const std::uint32_t colour = pixels.values[at];
      const bool stays = before != nullptr && before->values[at] == colour;
      const std::uint32_t seen = stays ? 0 : colour | opaque;
      for (const unsigned shift : {16U, 8U, 0U, 24U}) {
        bytes.push_back(static_cast<unsigned char>((seen >> shift) & 0xFFU));
      }
    }
  }
  return bytes;
}

/// By zlib, which packs better than ISA-L: a film is made once and sent around.
std::string compressed(const std::vector<unsigned char>& rows) {
  uLongf size = compressBound(rows.size());
  std::vector<unsigned char> bytes(size);
  if (compress2(bytes.data(), &size, rows.data(), rows.size(), Z_BEST_COMPRESSION) != Z_OK) fail_png("zlib");
  return {bytes.data(), bytes.data() + size};
}

}  // namespace

std::string encode_apng(const Film& film) {
  std::string bytes;
  PngWriter writer(bytes);
  std::size_t sequence = 0;
  for_each_change(film, [&](std::size_t i, const Part& part, const Pixels& pixels, const Pixels* before) {
    if (before == nullptr) {
      writer.begin(film.metadata, PngColour::rgba, static_cast<int>(pixels.width),
                   static_cast<int>(pixels.height), film.dpi);
      writer.write_chunk("acTL", animation_control(film));
    }
    writer.write_chunk("fcTL", frame_control(sequence++, part, film.centiseconds[i]));
    std::string data;
    if (before != nullptr) put(data, sequence++, 4);
    data += compressed(rows_of(part, pixels, before));
    writer.write_chunk(before == nullptr ? "IDAT" : "fdAT", data);
  });
  writer.write_chunk("IEND", "");
  return bytes;
}

}  // namespace attnlab
