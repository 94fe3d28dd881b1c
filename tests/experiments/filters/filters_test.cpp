// The filters experiment: fixed weights are the loops' own and ignore the input, attention's do not.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/filters/filters.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

constexpr double filter_rounding = 1e-12;

double at(const Report& report, const std::string& name, std::size_t row, std::size_t column) {
  const Array& array = stage(report, name).array;
  return array.data.at(row * array.shape.at(1) + column);
}

}  // namespace

TEST_CASE("the filters agree with loops and attention in NumPy") {
  check_reference(filters_experiment(), "filters/default.json");
  check_reference(filters_experiment(), "filters/small.json");
}

TEST_CASE("every invariant of the filters holds for usual and unusual parameters") {
  for (const Flags& flags :
       {Flags{}, Flags{{"samples", "8"}, {"window", "1"}}, Flags{{"samples", "8"}, {"window", "63"}},
        Flags{{"samples", "256"}, {"alpha", "0.001"}}, Flags{{"alpha", "1"}, {"noise", "0"}},
        Flags{{"noise", "10"}, {"scale", "1000000"}}, Flags{{"scale", "0.000001"}, {"rng", "torch"}}}) {
    const Report report = run_with(filters_experiment(), flags);
    check_form(report);
    CHECK(report.invariants.size() == 6);
    check_invariants_hold(report);
  }
}

TEST_CASE("the moving average reads its window and at the ends what there is of it") {
  const Report report = run_with(filters_experiment(), {{"samples", "8"}, {"window", "5"}});
  CHECK(at(report, "moving_average_weights", 0, 2) == doctest::Approx(1.0 / 3.0));
  CHECK(at(report, "moving_average_weights", 0, 3) == 0.0);
  CHECK(at(report, "moving_average_weights", 1, 0) == doctest::Approx(0.25));
  CHECK(at(report, "moving_average_weights", 4, 2) == doctest::Approx(0.2));
  CHECK(at(report, "moving_average_weights", 4, 1) == 0.0);
  CHECK(at(report, "moving_average_weights", 7, 5) == doctest::Approx(1.0 / 3.0));
}

TEST_CASE("the average reads nothing of the future and its first sample keeps the rest") {
  const Report report = run_with(filters_experiment(), {{"samples", "8"}, {"alpha", "0.5"}});
  CHECK(at(report, "ema_weights", 0, 0) == 1.0);
  CHECK(at(report, "ema_weights", 2, 0) == 0.25);  // 0.5²
  CHECK(at(report, "ema_weights", 2, 1) == 0.25);  // 0.5 · 0.5
  CHECK(at(report, "ema_weights", 2, 2) == 0.5);
  CHECK(at(report, "ema_weights", 2, 3) == 0.0);
}

TEST_CASE("alpha 1 and window 1 leave the signal as it is") {
  const Report report = run_with(filters_experiment(), {{"alpha", "1"}, {"window", "1"}});
  CHECK(values(report, "ema_output") == values(report, "signal"));
  CHECK(values(report, "moving_average_output") == values(report, "signal"));
}

TEST_CASE("a window at an end repeats the end sample") {
  const Tensor<double> signal{1.0, 2.0, 4.0};
  const Tensor<double> windows = windows_of(signal, 5);
  CHECK(std::vector<double>(windows.begin(), windows.end()) ==
        std::vector<double>{1, 1, 1, 2, 4, 1, 1, 2, 4, 4, 1, 2, 4, 4, 4});
}

TEST_CASE("without noise attention weighs the same place of another period equally") {
  const Report report = run_with(filters_experiment(), {{"noise", "0"}});
  // Sample 16 + 32 is sample 16 one period later; both lie far enough from the ends.
  for (std::size_t query = 4; query < 28; ++query) {
    CHECK(std::abs(at(report, "attention_weights", query, 16) - at(report, "attention_weights", query, 48)) <
          filter_rounding);
  }
  CHECK(at(report, "attention_weights", 8, 8) > 2.0 * at(report, "attention_weights", 8, 24));
}

TEST_CASE("an even window is refused with the odd one to type") {
  CHECK(
      usage_error(filters_experiment(), {{"window", "4"}}) ==
      "--window 4 is even, so it has no sample in its middle; choose an odd number, for example --window 5");
}

TEST_CASE("own noise of zeros leaves the sine") {
  const Experiment experiment = filters_experiment();
  const Report report = run_with(experiment, {}, {own("noise", {8}, Numbers(8, 0.0))});
  CHECK(values(report, "signal") == values(report, "clean"));
  CHECK(scalar(report, "distance_signal") == 0.0);
  CHECK(contains(figure(report, "weights").caption.en(), "noise: noise.npy"));
  CHECK(usage_error(experiment, {{"samples", "9"}}, {own("noise", {8}, Numbers(8, 0.0))}) != "");
}

}  // namespace attnlab
