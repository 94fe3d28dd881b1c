#include "motion/pace.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr double usual_seconds = 4.0;
constexpr double least_seconds = 0.06;  // of a frame
constexpr double most_seconds = 0.5;
constexpr int pause = 100;  // hundredths of a second

double seconds_of_a_frame(std::size_t frames, const Pace& pace) {
  const auto count = static_cast<double>(frames);
  if (pace.frames_per_second) return 1.0 / *pace.frames_per_second;
  if (pace.seconds) return *pace.seconds / count;
  return std::clamp(usual_seconds / count, least_seconds, most_seconds);
}

}  // namespace

std::vector<int> frame_times(std::size_t frames, const Pace& pace) {
  const double each = 100.0 * seconds_of_a_frame(frames, pace);
  std::vector<int> times;
  long begun = 0;
  for (std::size_t i = 1; i <= frames; ++i) {
    const long end = std::max(std::lround(each * static_cast<double>(i)), begun + shortest_frame);
    times.push_back(static_cast<int>(end - begun));
    begun = end;
  }
  return times;
}

Sequence sequence_of(std::size_t pictures, Course course, const Pace& pace) {
  Sequence sequence;
  for (std::size_t i = 0; i < pictures; ++i) sequence.pictures.push_back(i);
  if (course == Course::forth_and_back) {
    for (std::size_t i = pictures - 1; i > 1; --i) sequence.pictures.push_back(i - 1);
  }
  sequence.centiseconds = frame_times(sequence.pictures.size(), pace);
  sequence.centiseconds[pictures - 1] += pause;
  return sequence;
}

}  // namespace attnlab
