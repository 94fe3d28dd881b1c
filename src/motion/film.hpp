// A film as plain values, and the bytes of its file in three formats. Frames are asked for one at a time, so
// that memory does not grow with their number.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"
#include "plotting/pixels.hpp"

namespace attnlab {

enum class Repeat { for_ever, once };

struct Film {
  std::size_t frames = 0;                             // at least one
  std::function<Pixels(std::size_t index)> frame_at;  // all of one size; may be asked for a frame twice
  std::vector<int> centiseconds;                      // how long each frame stands
  Repeat repeat = Repeat::for_ever;
  double dpi = 144.0;  // for formats that record it
  Metadata metadata;
};

/// How often encode_gif asks for each frame: once to choose the colours, once to write them.
constexpr std::size_t gif_passes = 2;

/// At most 255 colours, chosen for all frames together, so that nothing flickers; pixels that stay as they
/// were are transparent. The comment holds the command. Throws Error (failed).
std::string encode_gif(const Film& film);

/// Lossless. Title, description and command are XMP. Throws Error (failed).
std::string encode_webp(const Film& film);

/// Lossless; a program that knows only PNG shows the first frame. Throws Error (failed).
std::string encode_apng(const Film& film);

}  // namespace attnlab
