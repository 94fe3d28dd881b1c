// An RNN's steps and gradients: PyTorch's autograd, limits that theory gives, and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {

TEST_CASE("recurrence agrees with PyTorch's gradients and a search through the graph") {
  check_reference(recurrence_experiment(), "recurrence/default.json");
  check_reference(recurrence_experiment(), "recurrence/small.json");
}

TEST_CASE("without inputs the gradient is the power of the spectral radius") {
  const Report report =
      run_with(recurrence_experiment(), {{"input-scale", "0"}, {"radius", "0.5,1,1.5"}, {"tokens", "20"}});
  const double radii[]{0.5, 1.0, 1.5};
  for (std::size_t i = 0; i < 3; ++i) {
    const Numbers gradient = row_of(report, "gradient", i);
    for (std::size_t distance = 0; distance < 20; ++distance) {
      const double power = std::pow(radii[i], static_cast<double>(distance));
      CHECK(gradient[distance] == doctest::Approx(power).epsilon(1e-12));
    }
    CHECK(values(report, "per_step")[i] == doctest::Approx(radii[i]).epsilon(1e-12));
  }
}

TEST_CASE("large inputs saturate tanh and the gradient vanishes even where the radius is above 1") {
  const Report report = run_with(recurrence_experiment(), {{"input-scale", "5"}, {"radius", "1.2"}});
  CHECK(values(report, "gradient").back() < 1e-6);
}

TEST_CASE("with projections of zero attention's gradient is that of the mean at every distance") {
  const std::vector<double> zero(9, 0.0);
  const std::vector<double> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Report report =
      run_with(recurrence_experiment(), {{"tokens", "8"}, {"width", "3"}},
               {own("w_query", {3, 3}, zero), own("w_key", {3, 3}, zero), own("w_value", {3, 3}, identity)});
  for (const double size : values(report, "attention_gradient")) CHECK(size == doctest::Approx(0.125));
  CHECK(scalar(report, "attention_change_per_step") == doctest::Approx(1.0));
}

TEST_CASE("more tokens leave the first ones as they are") {
  const Report some = run_with(recurrence_experiment(), {{"tokens", "5"}});
  const Report more = run_with(recurrence_experiment(), {{"tokens", "9"}});
  const std::vector<double>& x = values(some, "x");
  CHECK(std::equal(x.begin(), x.end(), values(more, "x").begin()));
  const std::vector<double>& driven = values(some, "driven");
  for (std::size_t i = 0; i < driven.size(); ++i) {  // a BLAS may add up in another order in a larger matrix
    CHECK(values(more, "driven")[i] == doctest::Approx(driven[i]).epsilon(1e-12));
  }
}

TEST_CASE("rows that depend on one another are refused") {
  CHECK(usage_error(recurrence_experiment(), {}, {own("w_random", {2, 2}, {1.0, 2.0, 2.0, 4.0})}) ==
        "row 1 of w_random follows from the rows before it; give rows that are linearly independent");
  CHECK_FALSE(usage_error(recurrence_experiment(), {{"radius", "0"}}).empty());
  CHECK_FALSE(usage_error(recurrence_experiment(), {{"tokens", "2"}}).empty());
}

}  // namespace attnlab
