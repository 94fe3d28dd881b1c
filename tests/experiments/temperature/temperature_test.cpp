// The temperature experiment: any range of temperatures that rises, and no other.
#include <doctest/doctest.h>

#include <cmath>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {

TEST_CASE("the temperatures run from the coldest to the hottest by equal factors") {
  for (const Flags& flags :
       {Flags{}, Flags{{"coldest", "5"}, {"hottest", "7.5"}, {"count", "4"}},
        Flags{{"coldest", "1e-9"}, {"hottest", "0.001"}}, Flags{{"coldest", "1e-99"}, {"hottest", "1e99"}}}) {
    const Report report = run_with(temperature_experiment(), flags);
    const std::vector<double>& temperature = values(report, "temperature");
    const double first = flags.empty() ? 0.1 : std::stod(flags.at("coldest"));
    const double last = flags.empty() ? 100.0 : std::stod(flags.at("hottest"));
    CHECK(temperature.front() == first);
    CHECK(temperature.back() == doctest::Approx(last).epsilon(1e-12));
    const double factor = temperature[1] / temperature[0];
    for (std::size_t i = 1; i < temperature.size(); ++i) {
      CHECK(temperature[i] / temperature[i - 1] == doctest::Approx(factor).epsilon(1e-12));
    }
    check_invariants_hold(report);
    check_form(report);
  }
}

TEST_CASE("the coldest temperature must be above 0 and below the hottest") {
  CHECK(usage_error(temperature_experiment(), {{"coldest", "5"}, {"hottest", "2"}}) ==
        "--coldest 5 is not smaller than --hottest 2; choose --coldest smaller than --hottest");
  CHECK_FALSE(usage_error(temperature_experiment(), {{"coldest", "3"}, {"hottest", "3"}}).empty());
  CHECK_FALSE(usage_error(temperature_experiment(), {{"coldest", "0"}}).empty());
  CHECK_FALSE(usage_error(temperature_experiment(), {{"coldest", "-1"}}).empty());
  try {
    run_with(temperature_experiment(), {{"coldest", "1"}, {"hottest", "0.5"}});
    FAIL("taken");
  } catch (const Error& error) {
    CHECK(error.message(Language::ja) ==
          "--coldest 1 が --hottest 0.5 以上です。--coldest は --hottest より小さくしてください");
  }
}

}  // namespace attnlab
