// The spread of dot products and the saturation of softmax: NumPy's numbers, limits, and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {

TEST_CASE("variance agrees with NumPy") {
  check_reference(variance_experiment(), "variance/default.json");
  check_reference(variance_experiment(), "variance/small.json");
}

TEST_CASE("the gradient of an even softmax over n keys has a known norm and a one-hot one has none") {
  // diag(1/n) - 1/n²: n entries (1/n)(1 - 1/n) and n(n - 1) entries -1/n², together (n - 1) / n²
  for (const std::size_t n : {2U, 5U, 20U}) {
    Tensor<double> even = Tensor<double>::from_shape({n});
    even.fill(1.0 / static_cast<double>(n));
    const double expected = std::sqrt(static_cast<double>(n - 1)) / static_cast<double>(n);
    CHECK(softmax_gradient_norm(even)() == doctest::Approx(expected).epsilon(1e-14));
  }
  CHECK(softmax_gradient_norm(Tensor<double>{0.0, 1.0, 0.0})() == 0.0);
  const Tensor<double> rows{{0.5, 0.5}, {1.0, 0.0}};
  CHECK(softmax_gradient_norm(rows)(0) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(softmax_gradient_norm(rows)(1) == 0.0);
}

TEST_CASE("without scaling the gradient vanishes as d grows and with it does not") {
  for (const char* seed : {"0", "3", "11"}) {
    INFO(seed);
    const Report report = run_with(variance_experiment(), {{"seed", seed}});
    const std::vector<double>& raw = values(report, "gradient_raw");
    const std::vector<double>& scaled = values(report, "gradient_scaled");
    for (std::size_t i = 2; i < raw.size(); ++i) CHECK(raw[i] < raw[i - 1]);
    CHECK(raw.back() < 0.25 * scaled.back());
    for (std::size_t i = 1; i < scaled.size(); ++i) {
      CHECK(scaled[i] == doctest::Approx(scaled[1]).epsilon(0.1));
    }
    CHECK(scalar(report, "slope_raw") == doctest::Approx(0.5).epsilon(0.04));
  }
}

TEST_CASE("in one dimension scaling changes nothing of the saturation") {
  const Report report = run_with(variance_experiment(), {{"dims", "1"}});
  CHECK(values(report, "weights_raw") == values(report, "weights_scaled"));
  CHECK(values(report, "gradient_raw") == values(report, "gradient_scaled"));
}

TEST_CASE("the saturation takes the stream of the next seed and the last seed is followed by the first") {
  const Report report = run_with(variance_experiment(), {{"seed", "4294967295"}});
  const Report zero = run_with(variance_experiment(), {});
  CHECK(values(report, "std_raw") != values(zero, "std_raw"));
  CHECK(contains(figure(report, "saturation").caption.en(), "Seed 0,"));
  CHECK(contains(figure(zero, "saturation").caption.en(), "Seed 1,"));
}

TEST_CASE("dimensions must be whole and rise and fit into memory") {
  CHECK(
      usage_error(variance_experiment(), {{"dims", "4,4"}}) ==
      "--dims has 4, which is not an integer, or not above the one before; give integers in rising order, as in --dims 1,10,100");
  CHECK_FALSE(usage_error(variance_experiment(), {{"dims", "1.5"}}).empty());
  CHECK(contains(usage_error(variance_experiment(), {{"dims", "1024"}, {"pairs", "100000"}}),
                 "more than 20000000"));
}

}  // namespace attnlab
