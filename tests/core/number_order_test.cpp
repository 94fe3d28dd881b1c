// Numbers with NaN among them in order.
#include "core/number_order.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace attnlab;

namespace {

const double no_number = std::nan("");

/// Numbers of which every third is NaN, of either sign.
std::vector<double> mixed(std::size_t count) {
  std::minstd_rand random(5);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(i % 3 == 0 ? std::copysign(no_number, i % 2 == 0 ? 1.0 : -1.0)
                                : static_cast<double>(random() % 100));
  return values;
}

}  // namespace

TEST_CASE("sorted numbers are in order, and NaN stands behind them") {
  for (const std::size_t count : {1U, 2U, 5U, 40U, 1000U}) {
    const std::vector<double> values = mixed(count);
    std::vector<double> numbers;
    std::copy_if(values.begin(), values.end(), std::back_inserter(numbers),
                 [](double value) { return !std::isnan(value); });
    std::sort(numbers.begin(), numbers.end());
    for (const bool falls : {false, true}) {
      std::vector<double> all = values;
      std::sort(all.begin(), all.end(), falls ? larger_first<double> : smaller_first<double>);
      if (falls) std::reverse(numbers.begin(), numbers.end());
      const auto end = all.begin() + static_cast<std::ptrdiff_t>(numbers.size());
      CHECK(std::equal(numbers.begin(), numbers.end(), all.begin(), end));
      CHECK(std::all_of(end, all.end(), [](double value) { return std::isnan(value); }));
    }
  }
}

TEST_CASE("the larger of a number and NaN is NaN, whichever comes first") {
  CHECK(larger(1.0, 2.0) == 2.0);
  CHECK(larger(2.0, 1.0) == 2.0);
  CHECK(std::isnan(larger(1.0, no_number)));
  CHECK(std::isnan(larger(no_number, 1.0)));
}
