// How fast a film runs, and in which order it shows its frames.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace attnlab {

/// At most one of both. With neither, a film lasts four seconds, unless its frames would then stand for less
/// than 0.06 or more than 0.5 seconds.
struct Pace {
  std::optional<double> frames_per_second;
  std::optional<double> seconds;  // of the whole film, without the pause at its end
};

/// The formats count in hundredths of a second, and browsers slow down frames of less than two.
constexpr int shortest_frame = 2;

/// How long each frame stands, in hundredths of a second; rounding does not add up.
std::vector<int> frame_times(std::size_t frames, const Pace& pace);

enum class Course { forth, forth_and_back };

/// The order in which `frames` pictures are shown, and how long each one stands: the last picture a second
/// longer, so that the eye can rest where the sweep ends.
struct Sequence {
  std::vector<std::size_t> pictures;
  std::vector<int> centiseconds;
};
Sequence sequence_of(std::size_t pictures, Course course, const Pace& pace);

}  // namespace attnlab
