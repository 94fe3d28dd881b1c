// A film as plain values, and the bytes of its GIF. Frames are asked for one at a time, so that memory does
// not grow with their number.
#pragma once

#include "plotting/backends/backends.hpp"

namespace attnlab {

/// The formats count in hundredths of a second, and browsers slow down frames of less than two.
constexpr int shortest_frame = 2;

/// How long each frame stands, in hundredths of a second; rounding does not add up. `seconds` are those of
/// the whole film, without the pause at its end; else it lasts four, unless its frames would then stand for
/// less than 0.06 or more than 0.5 seconds.
std::vector<int> frame_times(std::size_t frames, std::optional<double> seconds);

/// In which order a film shows its frames.
enum class Course { forth, forth_and_back };

/// The order in which `frames` pictures are shown, and how long each one stands: the last picture a second
/// longer, so that the eye can rest where the sweep ends.
struct Sequence {
  std::vector<std::size_t> pictures;
  std::vector<int> centiseconds;
};
Sequence sequence_of(std::size_t pictures, Course course, std::optional<double> seconds);

/// What differs between a frame and the one before it: only that is written.
struct Part {
  std::size_t left = 0;
  std::size_t top = 0;
  std::size_t width = 1;
  std::size_t height = 1;
};

/// The smallest rectangle that holds every pixel that differs; a single pixel when none does, because a frame
/// must have one.
Part changed_part(const Pixels& before, const Pixels& after);

enum class Repeat { for_ever, once };

struct Film {
  std::size_t frames = 0;                             // at least one
  std::function<Pixels(std::size_t index)> frame_at;  // all of one size; may be asked for a frame twice
  std::vector<int> centiseconds;                      // how long each frame stands
  Repeat repeat = Repeat::for_ever;
  double dpi = 144.0;
  Metadata metadata;
};

/// How often encode_gif asks for each frame: once to choose the colours, once to write them.
constexpr std::size_t gif_passes = 2;

/// At most 255 colours, chosen for all frames together, so that nothing flickers; pixels that stay as they
/// were are transparent. The comment holds the command. Throws Error (failed).
std::string encode_gif(const Film& film);

}  // namespace attnlab
