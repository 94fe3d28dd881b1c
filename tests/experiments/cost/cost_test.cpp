// The cost experiment: formulas against loops that count, slopes, and a measurement with a clock of our own.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/cost/cost.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

Arguments arguments_with(const Flags& flags) {
  Arguments arguments(cost_experiment().parameters);
  for (const auto& [name, text] : flags) arguments.set(name, text);
  return arguments;
}

}  // namespace

TEST_CASE("every formula gives what counting loops count at any length and size") {
  for (const std::size_t length : std::vector<std::size_t>{32, 33, 64, 100}) {
    for (const CostSize& size :
         {CostSize{1, 1, 1}, CostSize{2, 3, 7}, CostSize{5, 63, 33}, CostSize{8, 5, 999}}) {
      for (const CostMethod& method : cost_methods()) {
        CAPTURE(method.id);
        CAPTURE(length);
        CAPTURE(size.block);
        const CountedRun counted = method.count(length, size);
        CHECK(counted.operations == static_cast<double>(method.operations.at(length, size)));
        CHECK(counted.numbers == static_cast<double>(method.numbers.at(length, size)));
        CHECK(counted.output.size() == length * size.width);
      }
    }
  }
}

TEST_CASE("streaming attention gives the output of plain attention whatever the block") {
  const CountedRun plain = cost_methods()[1].count(50, {4, 5, 64});
  for (const std::size_t block : std::vector<std::size_t>{1, 7, 49, 50, 51}) {
    const CountedRun streaming = cost_methods()[2].count(50, {4, 5, block});
    double largest = 0.0;
    for (std::size_t i = 0; i < plain.output.size(); ++i) {
      largest = std::max(largest, std::abs(plain.output[i] - streaming.output[i]));
    }
    CHECK(largest < 1e-14);
  }
}

TEST_CASE("every invariant of the cost holds for usual and unusual parameters") {
  for (const Flags& flags :
       {Flags{}, Flags{{"longest", "128"}, {"width", "1"}, {"taps", "1"}, {"block", "1"}},
        Flags{{"longest", "1048576"}, {"width", "1024"}, {"taps", "63"}, {"block", "65536"}}}) {
    const Report report = run_with(cost_experiment(), flags);
    check_form(report);
    CHECK(report.invariants.size() == 3);
    check_invariants_hold(report);
  }
}

TEST_CASE("the filter has slope 1 and attention slope 2 and streaming keeps its memory at slope 1") {
  const Report report = run_with(cost_experiment(), {{"longest", "1048576"}});
  CHECK(scalar(report, "operations_slope_fixed_filter") == doctest::Approx(1.0).epsilon(1e-4));
  CHECK(scalar(report, "operations_slope_plain_attention") == doctest::Approx(2.0).epsilon(1e-4));
  CHECK(scalar(report, "operations_slope_streaming_attention") == doctest::Approx(2.0).epsilon(1e-4));
  CHECK(scalar(report, "bytes_slope_fixed_filter") == doctest::Approx(1.0).epsilon(1e-4));
  CHECK(scalar(report, "bytes_slope_plain_attention") == doctest::Approx(2.0).epsilon(1e-3));
  CHECK(scalar(report, "bytes_slope_streaming_attention") == doctest::Approx(1.0).epsilon(1e-4));
}

TEST_CASE("counting looks at no clock and reports no progress") {
  const Context context{[]() -> double { throw std::logic_error("clock"); },
                        [](double) { throw std::logic_error("progress"); }};
  CHECK_NOTHROW(run(cost_experiment(), arguments_with({}), context));
}

TEST_CASE("measuring takes the clock's seconds and reports progress from 0 to 1") {
  double now = 0.0;
  std::vector<double> seen;
  const Context context{[&now] { return now += 0.5; }, [&seen](double done) { seen.push_back(done); }};
  const Report report =
      run(cost_experiment(), arguments_with({{"measure", "on"}, {"longest", "256"}}), context);
  check_form(report);
  CHECK(stage(report, "seconds").array.shape == std::vector<std::size_t>{3, 3});
  // Each measurement takes one step of the clock, divided by the runs in it: one where it is long enough.
  CHECK(values(report, "seconds").at(5) == 0.5);
  CHECK(values(report, "seconds").at(8) == 0.5);
  for (const double seconds : values(report, "seconds")) CHECK(seconds > 0.0);
  CHECK(seen.size() == 13);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(seen.front() == 0.0);
  CHECK(seen.back() == 1.0);
}

TEST_CASE("the roofline has two limits, and one query lies under memory's") {
  double now = 0.0;
  const Context context{[&now] { return now += 0.5; }, [](double) {}};
  const Report report = run(
      cost_experiment(), arguments_with({{"measure", "on"}, {"longest", "128"}, {"width", "64"}}), context);
  const double peak = scalar(report, "peak_rate");
  const double copy = scalar(report, "copy_rate");
  CHECK(peak == doctest::Approx(2.0 * 512.0 * 512.0 * 512.0 * 3.0 / 0.5));  // three products in half a second
  CHECK(copy == doctest::Approx(2.0 * 8.0 * 4194304.0 / 0.5));
  // 32768 keys: 4 · 64 + 5 operations each, and 128 numbers of 8 bytes.
  CHECK(values(report, "intensity").at(3) ==
        doctest::Approx((32768.0 * 261.0 - 66.0) / (8.0 * (2.0 * 32768.0 * 64.0 + 128.0))));
  CHECK(values(report, "rate").at(3) == doctest::Approx((32768.0 * 261.0 - 66.0) / 0.5));
  const Roofline roofline{100.0, 10.0, {}};
  CHECK(roofline.ridge() == 10.0);
  CHECK(roofline.roof(1.0) == 10.0);
  CHECK(roofline.roof(1000.0) == 100.0);
}

TEST_CASE(
    "layers and heads are timed one number after the other, beside what their operations take at least") {
  double now = 0.0;
  const Context context{[&now] { return now += 0.5; }, [](double) {}};
  constexpr double peak = 1e9;
  const ModelGrowth layers = measure_layers(peak, context);
  REQUIRE(layers.counts == std::vector<std::size_t>{1, 2, 3, 4, 6, 8, 12});
  for (const double seconds : layers.seconds) CHECK(seconds == 0.5);  // one step of the clock each
  CHECK(layers.last_to_first() == 1.0);
  // 256 tokens, D = 256: four projections and an MLP of 4 D, 256 x 256 x 511 and 256 x 1024 x 511 + 256 x 256
  // x 2047; four heads of plain attention, n² (4 d + 5) - n (d + 2) with d = 64.
  const double layer = 4.0 * 256 * 256 * 511 + 256.0 * 1024 * 511 + 256.0 * 256 * 2047 +
                       4.0 * (256.0 * 256 * (4 * 64 + 5) - 256.0 * (64 + 2));
  CHECK(layers.least.at(6) == doctest::Approx(12.0 * layer / peak).epsilon(1e-12));
  const ModelGrowth heads = measure_heads(peak, context);
  REQUIRE(heads.counts.back() == 64);
  const double of_heads = 4.0 * 256 * 256 * 511 + 64.0 * (256.0 * 256 * (4 * 4 + 5) - 256.0 * (4 + 2));
  CHECK(heads.least.back() == doctest::Approx(of_heads / peak).epsilon(1e-12));
}

TEST_CASE("a clock that stands still is an error and no division by zero") {
  CHECK_THROWS_AS(run(cost_experiment(), arguments_with({{"measure", "on"}, {"longest", "128"}})), Error);
}

TEST_CASE("what is timed computes what it says") {
  const Tensor<double> tokens{{1.0, 10.0}, {2.0, 20.0}, {6.0, 60.0}};
  CHECK(run_fixed_filter(tokens, {2, 3, 1}) == doctest::Approx(80.0 / 3.0));  // (20 + 60) / 3: nothing beyond
  Tensor<double> two = Tensor<double>::from_shape({2, 1});
  two(0, 0) = 0.0;
  two(1, 0) = 2.0;  // the last query's scores are 0 and 4
  const double mean = 2.0 / (1.0 + std::exp(-4.0));
  CHECK(run_plain_attention(two, {1, 1, 1}) == doctest::Approx(mean));
  CHECK(run_streaming_attention(two, {1, 1, 1}) == doctest::Approx(mean));
}

TEST_CASE("sizes are written in units that can be read") {
  CHECK(byte_text(8.0) == "8 B");
  CHECK(byte_text(2181038080.0) == "2.18 GB");
  CHECK(second_text(0.0123) == "12.3 ms");
  CHECK(second_text(2e-10) == "0.2 ns");
}

TEST_CASE("lengths too long to measure and even filters are refused") {
  CHECK(usage_error(cost_experiment(), {{"measure", "on"}, {"longest", "4096"}}) ==
        "--longest 4096 is too long for --measure; choose at most 2048");
  CHECK(usage_error(cost_experiment(), {{"longest", "129"}}) ==
        "--longest 129 is not among the lengths, which double from 64 on; choose 128 or 256");
  CHECK(usage_error(cost_experiment(), {{"taps", "2"}}) ==
        "--taps 2 is even, so it has no middle weight; choose an odd number, for example --taps 3");
}

}  // namespace attnlab
