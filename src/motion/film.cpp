#include "motion/film.hpp"

namespace attnlab {
namespace {

constexpr double usual_seconds = 4.0;
constexpr double least_seconds = 0.06;  // of a frame
constexpr double most_seconds = 0.5;
constexpr int pause = 100;  // hundredths of a second

double seconds_of_a_frame(std::size_t frames, std::optional<double> seconds) {
  const auto count = static_cast<double>(frames);
  if (seconds) return *seconds / count;
  return std::clamp(usual_seconds / count, least_seconds, most_seconds);
}

}  // namespace

std::vector<int> frame_times(std::size_t frames, std::optional<double> seconds) {
  const double each = 100.0 * seconds_of_a_frame(frames, seconds);
  std::vector<int> times;
  long begun = 0;
  for (std::size_t i = 1; i <= frames; ++i) {
    const long end = std::max(std::lround(each * static_cast<double>(i)), begun + shortest_frame);
    times.push_back(static_cast<int>(end - begun));
    begun = end;
  }
  return times;
}

Sequence sequence_of(std::size_t pictures, Course course, std::optional<double> seconds) {
  Sequence sequence;
  for (std::size_t i = 0; i < pictures; ++i) sequence.pictures.push_back(i);
  if (course == Course::forth_and_back) {
    for (std::size_t i = pictures - 1; i > 1; --i) sequence.pictures.push_back(i - 1);
  }
  sequence.centiseconds = frame_times(sequence.pictures.size(), seconds);
  sequence.centiseconds[pictures - 1] += pause;
  return sequence;
}

Part changed_part(const Pixels& before, const Pixels& after) {
  std::size_t left = after.width;
  std::size_t right = 0;
  std::size_t top = after.height;
  std::size_t bottom = 0;
  for (std::size_t row = 0; row < after.height; ++row) {
    const auto begin = after.values.begin() + static_cast<std::ptrdiff_t>(row * after.width);
    const auto end = begin + static_cast<std::ptrdiff_t>(after.width);
    const auto old = before.values.begin() + static_cast<std::ptrdiff_t>(row * after.width);
    const auto first = std::mismatch(begin, end, old).first;
    if (first == end) continue;
    const auto last = std::mismatch(std::make_reverse_iterator(end), std::make_reverse_iterator(begin),
                                    std::make_reverse_iterator(old + (end - begin)));
    left = std::min(left, static_cast<std::size_t>(first - begin));
    right = std::max(right, static_cast<std::size_t>(last.first.base() - begin));
    top = std::min(top, row);
    bottom = row + 1;
  }
  if (bottom == 0) return {};
  return {left, top, right - left, bottom - top};
}

}  // namespace attnlab
