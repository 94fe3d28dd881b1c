// The softmax experiment: what softmax keeps, where exp overflows, which maximum to subtract, and
// temperature.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

bool has_nan(const Numbers& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); });
}

double sum(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

/// The arrays that the report prints under this English label, in order.
std::vector<Array> printed_values(const Report& report, const std::string& label) {
  std::vector<Array> found;
  for (const Block& block : report.body) {
    const auto* printed = std::get_if<Values>(&block);
    if (printed != nullptr && printed->label.en() == label) found.push_back(printed->array);
  }
  return found;
}

void check_float32_reference(const std::string& file) {
  const nlohmann::json stored = reference(file);
  const Report report = run_with(softmax_experiment(), stored.at("flags").get<Flags>());
  for (const char* name : {"naive_float32", "stable_float32"}) {
    INFO(file, " ", name);
    CHECK(stage(report, name).array.dtype == DType::float32);
    // one unit in the last place of a score of 1000 changes its exponential by that much
    const Numbers expected = reference_values(stored.at("float32_arrays").at(name));
    CHECK(disagreement(values(report, name), expected, tolerance32(1000.0)) == "");
  }
}

}  // namespace

TEST_CASE("softmax agrees with the book's code in NumPy in float64 and float32") {
  check_reference(softmax_experiment(), "softmax/default.json");
  check_reference(softmax_experiment(), "softmax/negative.json");
  check_float32_reference("softmax/default.json");
  check_float32_reference("softmax/negative.json");
}

TEST_CASE("weights keep the order of the scores and sum to 1") {
  for (const char* scores : {"2,-1,0.5,3,-0.5", "-1,-2,-3", "0,0", "5,4,3,2,1,0,-1,1000"}) {
    INFO(scores);
    const Report report = run_with(softmax_experiment(), {{"scores", scores}});
    const Numbers& x = values(report, "scores");
    const Numbers& a = values(report, "weights");
    CHECK(sum(a) == doctest::Approx(1.0).epsilon(1e-14));
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(a[i] >= 0.0);
      for (std::size_t j = 0; j < x.size(); ++j) CHECK_FALSE((x[i] < x[j] && a[i] > a[j]));
    }
    CHECK(scalar(report, "shift_difference") < 1e-13);
  }
}

TEST_CASE("the measured limits are the last numbers before overflow and underflow") {
  const Report report = run_with(softmax_experiment(), {});
  const auto limit32 = static_cast<float>(scalar(report, "exp_limit_float32"));
  const double limit64 = scalar(report, "exp_limit_float64");
  CHECK(std::isfinite(std::exp(limit32)));
  CHECK(std::isinf(std::exp(std::nextafter(limit32, 1000.0F))));
  CHECK(std::isfinite(std::exp(limit64)));
  CHECK(std::isinf(std::exp(std::nextafter(limit64, 1000.0))));
  const auto gap32 = static_cast<float>(scalar(report, "zero_gap_float32"));
  const double gap64 = scalar(report, "zero_gap_float64");
  CHECK(std::exp(-gap32) > 0.0F);
  CHECK(std::exp(-std::nextafter(gap32, 1000.0F)) == 0.0F);
  CHECK(std::exp(-gap64) > 0.0);
  CHECK(std::exp(-std::nextafter(gap64, 1000.0)) == 0.0);
}

TEST_CASE("the naive form fails from the limit on and the stable form never") {
  const Report report = run_with(softmax_experiment(), {});  // the largest score is positive
  const Numbers& magnitude = values(report, "magnitude");
  REQUIRE(magnitude.front() < scalar(report, "exp_limit_float32"));
  REQUIRE(magnitude.back() > scalar(report, "exp_limit_float64"));
  for (const std::string type : {"float32", "float64"}) {
    for (std::size_t i = 0; i < magnitude.size(); ++i) {
      INFO(type, " ", magnitude[i]);
      const bool overflows = magnitude[i] > scalar(report, "exp_limit_" + type);
      CHECK(has_nan(row_of(report, "naive_" + type, i)) == overflows);
      const Numbers stable = row_of(report, "stable_" + type, i);
      CHECK_FALSE(has_nan(stable));
      CHECK(sum(stable) == doctest::Approx(1.0).epsilon(1e-6));
    }
  }
}

TEST_CASE("scores of 0 sweep without NaN") {
  const Report report = run_with(softmax_experiment(), {{"scores", "0,0,0,0"}});
  for (const char* name : {"naive_float32", "stable_float32", "naive_float64", "stable_float64"}) {
    for (const double weight : values(report, name)) CHECK(weight == 0.25);
  }
}

TEST_CASE("just below the limit all weights are 0 without any NaN") {
  const Report report = run_with(softmax_experiment(), {});
  const std::vector<Array> ablated = printed_values(report, "naive weights");
  REQUIRE(ablated.size() == 2);
  CHECK(ablated[0].dtype == DType::float32);
  CHECK(ablated[1].dtype == DType::float64);
  for (const Array& weights : ablated) CHECK(weights.data == Numbers(5, 0.0));
  const std::vector<Array> scores = printed_values(report, "float64 scores");
  REQUIRE(scores.size() == 1);
  for (const double score : scores[0].data) CHECK(std::isfinite(std::exp(score)));
}

TEST_CASE("the global maximum loses the lower row and the maximum by rows does not") {
  const Report report = run_with(softmax_experiment(), {});
  const double e = std::exp(1.0);
  for (const std::size_t row : {0U, 1U}) {
    CHECK(row_of(report, "row_max", row)[0] == doctest::Approx(e / (1 + e)).epsilon(1e-14));
    CHECK(row_of(report, "row_max", row)[1] == doctest::Approx(1 / (1 + e)).epsilon(1e-14));
  }
  CHECK(row_of(report, "global_max", 0) == row_of(report, "row_max", 0));
  for (const double weight : row_of(report, "global_max", 1)) CHECK(std::isnan(weight));
}

TEST_CASE("heat evens the weights out and cold leaves one") {
  const Report report = run_with(softmax_experiment(), {{"temperature", "0.001,0.1,1,10,1000000"}});
  const Numbers& entropy = values(report, "entropy");
  CHECK(std::is_sorted(entropy.begin(), entropy.end()));
  CHECK(entropy.front() == 0.0);
  CHECK(entropy.back() == doctest::Approx(std::log(5.0)).epsilon(1e-9));
  CHECK(row_of(report, "temperature_weights", 0) == Numbers{0, 0, 0, 1, 0});
  CHECK(row_of(report, "temperature_weights", 2) == values(report, "weights"));
}

TEST_CASE("every key has a curve over the temperatures, from cold to hot") {
  const Report report = run_with(softmax_experiment(), {{"temperature", "3,0.5"}});
  const auto& chart = std::get<Chart>(figure(report, "temperature").panels.at(0).content);
  REQUIRE(chart.y.limits.has_value());
  std::size_t keys = 0;
  for (const Layer& layer : chart.layers) {
    const auto* curve = std::get_if<Curve>(&layer);
    if (curve == nullptr) continue;
    CHECK(curve->x == Numbers{0.5, 3.0});
    CHECK(curve->y == Numbers{row_of(report, "temperature_weights", 1)[keys],
                              row_of(report, "temperature_weights", 0)[keys]});
    CHECK(curve->y[0] < chart.y.limits->high);
    ++keys;
  }
  CHECK(keys == 5);
}

TEST_CASE("one temperature is drawn as bars, which a film over it moves") {
  const Report report = run_with(softmax_experiment(), {{"temperature", "3"}});
  const auto& chart = std::get<Chart>(figure(report, "temperature").panels.at(0).content);
  CHECK(std::get<Bars>(chart.layers.at(0)).values == row_of(report, "temperature_weights", 0));
}

TEST_CASE("the heat map of the overflowing vector shows the last row of the sweep") {
  const Report report = run_with(softmax_experiment(), {});
  const auto& map = std::get<HeatMap>(figure(report, "overflow").panels.at(1).content);
  REQUIRE(map.values.rows == 4);
  const std::vector<std::string> arrays{"naive_float32", "naive_float64", "stable_float32", "stable_float64"};
  for (std::size_t row = 0; row < arrays.size(); ++row) {
    const Numbers expected = row_of(report, arrays[row], values(report, "magnitude").size() - 1);
    const auto begin = map.values.values.begin() + static_cast<std::ptrdiff_t>(row * map.values.columns);
    CHECK(disagreement({begin, begin + static_cast<std::ptrdiff_t>(map.values.columns)}, expected, 0.0) ==
          "");
  }
  CHECK(words_of(map.column_labels) == std::vector<std::string>{"667", "−333", "167", "1000", "−167"});
}

TEST_CASE("the overflowing vector of the picture overflows whatever the signs") {
  for (const char* scores : {"1000,999", "0,-2000,3", "-5,-4", "0,0", "1,-3"}) {
    INFO(scores);
    const Report report = run_with(softmax_experiment(), {{"scores", scores}});
    const auto& map = std::get<HeatMap>(figure(report, "overflow").panels.at(1).content);
    const std::vector<std::string> columns = words_of(map.column_labels);
    CHECK(std::count(columns.begin(), columns.end(), "1000") >= 1);
    const std::size_t last = values(report, "magnitude").size() - 1;
    for (const std::size_t naive : {0U, 1U}) {
      const auto begin = map.values.values.begin() + static_cast<std::ptrdiff_t>(naive * map.values.columns);
      CHECK(has_nan({begin, begin + static_cast<std::ptrdiff_t>(map.values.columns)}));
    }
    const Numbers stable = row_of(report, "stable_float64", last);  // a constant changes no weight
    for (std::size_t j = 0; j < stable.size(); ++j) {
      CHECK(map.values.at(3, j) == doctest::Approx(stable[j]).epsilon(1e-12));
    }
  }
}

TEST_CASE("the report says where the sweep stays finite") {
  const auto reported = [](const char* scores) {
    return paragraphs(run_with(softmax_experiment(), {{"scores", scores}}), Role::text);
  };
  CHECK_FALSE(contains(reported("2,-1,0.5,3,-0.5"), "stays finite"));
  CHECK(contains(reported("1,-3"), "no further than 333.333, so in float64 exp(x) stays finite"));
  CHECK(contains(reported("0,-2000,3"), "no further than 1.5, so exp(x) stays finite."));
  CHECK(contains(reported("-5,-4"), "any NaN is 0/0"));
}

TEST_CASE("what is said about the scores follows the scores") {
  const Report positive = run_with(softmax_experiment(), {{"scores", "1000,999"}});
  CHECK(contains(paragraphs(positive, Role::text), "1. In general some are negative (here none is)."));
  CHECK_FALSE(contains(paragraphs(positive, Role::say), "computed as 0"));
  const Report zero = run_with(softmax_experiment(), {{"scores", "0,0"}});
  CHECK_FALSE(contains(paragraphs(zero, Role::text), "doubled"));
  const Report far = run_with(softmax_experiment(), {{"scores", "0,-2000,3"}});
  CHECK(values(far, "weights")[1] == 0.0);
  CHECK(contains(paragraphs(far, Role::text), "1. Some are negative (here 1)."));
  CHECK(contains(paragraphs(far, Role::say), "too small a value is computed as 0"));
}

TEST_CASE("softmax refuses a temperature of 0 and a single score") {
  CHECK(contains(usage_error(softmax_experiment(), {{"temperature", "1,0"}}), "--temperature"));
  CHECK(contains(usage_error(softmax_experiment(), {{"temperature", "-1"}}), "--temperature"));
  CHECK(contains(usage_error(softmax_experiment(), {{"scores", "1"}}), "--scores"));
  CHECK(contains(usage_error(softmax_experiment(), {{"scores", "1,inf"}}), "--scores"));
}

}  // namespace attnlab
