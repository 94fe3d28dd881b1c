#include "plotting/layout/ticks.hpp"
#include "core/constants.hpp"
#include "plotting/layout/chart_frame.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace attnlab {
namespace {

const TicksFit always = [](const std::vector<Tick>&) { return true; };

TicksFit at_most(std::size_t count) {
  return [count](const std::vector<Tick>& ticks) { return ticks.size() <= count; };
}

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> all;
  all.reserve(ticks.size());
  for (const Tick& tick : ticks) all.push_back(tick.markup);
  return all;
}

}  // namespace

TEST_CASE("An axis between numbers that are none, or too far apart, has no ticks") {
  for (const Interval& range :
       {Interval{0.0, std::nan("")}, Interval{std::nan(""), 1.0}, Interval{0.0, infinity},
        Interval{-infinity, 0.0}, Interval{-1.7e308, 1.7e308}, Interval{1.0, 1.0}, Interval{1.0, 0.0}}) {
    CHECK(linear_ticks(range, always).empty());
    CHECK((range.low > 0.0 || log_ticks(range, 12.0, always).empty()));
  }
  CHECK(scientific_markup(std::nan(""), 12.0) == "nan");
  CHECK(scientific_markup(infinity, 12.0) == "inf");
}

TEST_CASE("Numbers have a real minus sign and no negative zero") {
  CHECK(number_text(-1.25, 2) == "−1.25");
  CHECK(number_text(-0.0001, 2) == "0.00");
  CHECK(number_text(0.16019, 3) == "0.160");
}

TEST_CASE("NaN and infinities read as NumPy writes them") {
  CHECK(number_text(not_a_number, 3) == "nan");
  CHECK(number_text(-not_a_number, 3) == "nan");
  CHECK(number_text(infinity, 3) == "inf");
  CHECK(number_text(-infinity, 3) == "−inf");
}

TEST_CASE("Linear ticks are round and inside the range and carry the same number of decimals") {
  CHECK(texts(linear_ticks({0.0, 1.0}, at_most(6))) ==
        std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(texts(linear_ticks({-1.2, 1.2}, at_most(5))) ==
        std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"});
  CHECK(texts(linear_ticks({0.0, 0.11}, at_most(3))) == std::vector<std::string>{"0.00", "0.05", "0.10"});
}

TEST_CASE("Ticks thin until they fit and an axis without room has none") {
  const auto dense = linear_ticks({0.0, 100.0}, always);
  const auto sparse = linear_ticks({0.0, 100.0}, at_most(3));
  CHECK(dense.size() > sparse.size());
  CHECK(sparse.size() <= 3);
  CHECK(linear_ticks({0.0, 1.0}, [](const std::vector<Tick>&) { return false; }).empty());
}

TEST_CASE("An axis whose ends are one number but for rounding ends, with few ticks") {
  for (const double number : {1.0, 1e9, -3e15, 1e300}) {
    const double next = std::nextafter(number, infinity);
    CHECK(linear_ticks({number, next}, always).size() <= 10);
  }
  Chart chart{{Text::none()}, {Text::none()}};
  chart.layers.emplace_back(Points{"points", {0.0, 1.0}, {1.0, 1.0 + 1e-15}});
  CHECK(y_limits(chart).high - y_limits(chart).low == doctest::Approx(1.0));
}

TEST_CASE("Log ticks are powers of ten with a raised exponent over any number of decades") {
  const auto few = log_ticks({1.0, 1000.0}, 12.0, always);
  REQUIRE(few.size() == 4);
  CHECK(few[2].value == doctest::Approx(100.0));
  CHECK(few[2].markup.find("rise") != std::string::npos);
  const auto many = log_ticks({1.0, 1e308}, 12.0, at_most(8));
  CHECK(many.size() >= 3);
  CHECK(many.back().value <= 1e308);
  const auto small = log_ticks({1e-6, 1.0}, 12.0, at_most(10));
  CHECK(small.front().value == doctest::Approx(1e-6));
}

TEST_CASE("Index ticks start at zero and step in ones twos fives and tens") {
  CHECK(texts(index_ticks(0, 4, always)) == std::vector<std::string>{"0", "1", "2", "3"});
  const auto thinned = index_ticks(0, 50, at_most(10));
  CHECK(thinned[1].value == 5.0);
  CHECK(thinned.back().value == 45.0);
}

TEST_CASE("Short numbers keep what tells the ends of a range apart") {
  CHECK(short_number_text(0.2349, 0.0335) == "0.2349");
  CHECK(short_number_text(1.0, 1.0) == "1");
  CHECK(short_number_text(-1.0, 2.0) == "−1");
}

}  // namespace attnlab
