#include "motion/film.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace attnlab {
namespace {

int total(const std::vector<int>& times) { return std::accumulate(times.begin(), times.end(), 0); }

}  // namespace

TEST_CASE("A film lasts as long as was asked for, whatever rounding does to its frames") {
  CHECK(total(frame_times(30, 1.0)) == 100);
  CHECK(total(frame_times(7, 2.0)) == 200);
  CHECK(total(frame_times(60, 2.0)) == 200);
  CHECK(frame_times(3, 0.1) == std::vector<int>{3, 4, 3});
}

TEST_CASE("Without a wish a film lasts four seconds, unless its frames would flicker or stick") {
  CHECK(total(frame_times(40, {})) == 400);
  CHECK(frame_times(4, {}) == std::vector<int>{50, 50, 50, 50});
  CHECK(total(frame_times(1000, {})) == 6000);
}

TEST_CASE("No frame stands shorter than browsers can show") {
  for (const int time : frame_times(100, 0.1)) CHECK(time >= shortest_frame);
}

TEST_CASE("The last picture stands a second longer, and on the way back no picture comes twice") {
  const Sequence forth = sequence_of(4, Course::forth, 0.4);
  CHECK(forth.pictures == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(forth.centiseconds == std::vector<int>{10, 10, 10, 110});
  const Sequence back = sequence_of(4, Course::forth_and_back, 0.6);
  CHECK(back.pictures == std::vector<std::size_t>{0, 1, 2, 3, 2, 1});
  CHECK(back.centiseconds == std::vector<int>{10, 10, 10, 110, 10, 10});
  CHECK(sequence_of(2, Course::forth_and_back, {}).pictures == std::vector<std::size_t>{0, 1});
}

}  // namespace attnlab
