// Soft lookup: its limits, its symmetry, and what it does between two keys.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "core/constants.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {

TEST_CASE("lookup agrees with NumPy") {
  check_reference(lookup_experiment(), "lookup/default.json");
  check_reference(lookup_experiment(), "lookup/between.json");
}

TEST_CASE("the output for a key is its value times tanh of 1 over 2T") {
  // e^s / (e^s + 2 + e^-s) - e^-s / (e^s + 2 + e^-s) = tanh(s / 2) with s = 1 / T
  const Report report = run_with(lookup_experiment(), {{"temperature", "0.1,0.3,1,7,1000"}});
  const std::vector<double>& output = values(report, "output");
  const std::vector<double>& temperature = values(report, "temperature");
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    CHECK(std::abs(output[2 * i]) < 1e-15);
    CHECK(output[2 * i + 1] == doctest::Approx(std::tanh(0.5 / temperature[i])).epsilon(1e-13));
  }
}

TEST_CASE("cold it is the dictionary and hot it is the mean") {
  for (const char* query : {"夏目", "mori", "Nakajima", "MATSUO", "10", "-100"}) {
    INFO(query);
    const Report report = run_with(lookup_experiment(), {{"query", query}, {"temperature", "0.001,1000000"}});
    const std::vector<double>& weights = values(report, "weights");
    const std::vector<double>& hard = values(report, "hard_weights");
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK(weights[j] == doctest::Approx(hard[j]).epsilon(1e-12));
      CHECK(weights[4 + j] == doctest::Approx(0.25).epsilon(1e-5));
    }
  }
}

TEST_CASE("half-way between two keys both share") {
  const Report report = run_with(lookup_experiment(), {{"query", "45"}});
  const std::vector<double>& hard = values(report, "hard_weights");
  CHECK(hard.at(0) == 0.5);
  CHECK(hard.at(1) == 0.5);
  CHECK(hard.at(2) + hard.at(3) == 0.0);
  CHECK(contains(paragraphs(report, Role::say), "Soseki and Ogai"));
}

TEST_CASE("a name in either language and an angle mean the same query") {
  const Report name = run_with(lookup_experiment(), {{"query", "松尾"}});
  const Report reading = run_with(lookup_experiment(), {{"query", "matsuo"}});
  const Report angle = run_with(lookup_experiment(), {{"query", "270"}});
  CHECK(values(name, "weights") == values(reading, "weights"));
  CHECK(disagreement(values(angle, "weights"), values(name, "weights"), 1e-13) == "");
}

TEST_CASE("the dictionary's title does not speak of mixing where one weight is 1 to two digits") {
  const Report soft = run_with(lookup_experiment(), {});
  CHECK(contains(figure(soft, "dictionary").title.en(), "a mix (up to 0.53)"));
  const Report hard = run_with(lookup_experiment(), {{"temperature", "0.01"}});
  CHECK(contains(figure(hard, "dictionary").title.en(), "like a dictionary"));
}

TEST_CASE("the labels are Japanese or English by the language") {
  const Report report = run_with(lookup_experiment(), {});
  const auto& plane = std::get<Chart>(figure(report, "lookup").panels.front().content);
  const auto& values = std::get<Arrows>(plane.layers.at(1));
  CHECK(values.arrows.at(1).label.ja() == "鷗外");
  CHECK(values.arrows.at(1).label.en() == "Ogai");
}

TEST_CASE("for a name the figure's query stands 20 degrees beside the key, for an angle where it is") {
  const auto query_of = [](const Report& report) {
    const auto& plane = std::get<Chart>(figure(report, "lookup").panels.front().content);
    return std::get<Arrows>(plane.layers.at(1)).arrows.back();
  };
  const Report named = run_with(lookup_experiment(), {{"query", "mori"}});
  CHECK(query_of(named).x == doctest::Approx(std::sin(pi / 9.0)));
  CHECK(values(named, "query") == std::vector<double>{0.0, 1.0});  // the run's own is the key
  const Report angle = run_with(lookup_experiment(), {{"query", "90"}});
  CHECK(query_of(angle).x == doctest::Approx(0.0));
}

TEST_CASE("unknown names and falling temperatures are refused") {
  CHECK(contains(usage_error(lookup_experiment(), {{"query", "川端"}}), "no name in the dictionary"));
  for (const char* angle : {"361", "-1e999"}) {
    CHECK(contains(usage_error(lookup_experiment(), {{"query", angle}}),
                   "is not between -360 and 360 degrees"));
  }
  CHECK_FALSE(usage_error(lookup_experiment(), {{"query", "nan"}}).empty());
  CHECK_FALSE(usage_error(lookup_experiment(), {{"query", "4x"}}).empty());
  CHECK(usage_error(lookup_experiment(), {{"temperature", "1,1"}}) ==
        "--temperature has 1 after 1; give the temperatures in rising order, as in --temperature 0.1,1,10");
}

TEST_CASE("a dictionary of one's own: equal keys share alike at every temperature") {
  const std::vector<double> provided{1000, -7, 3, 1, 4, 2, 0, 0};
  const Report report = run_with(lookup_experiment(), {{"temperature", "0.001,1"}},
                                 {own("keys", {4, 2}, {1e3, 2, 1e3, 2, 1e3, 2, 1e3, 2}),
                                  own("values", {4, 2}, provided), own("query", {2}, {900, 0.5})});
  check_invariants_hold(report);
  for (const double weight : values(report, "weights")) CHECK(weight == 0.25);
  CHECK(values(report, "output") == std::vector<double>{251.75, -1, 251.75, -1});
  CHECK(values(report, "values") == provided);
  CHECK(usage_error(lookup_experiment(), {{"query", "75"}}, {own("query", {2}, {1, 0})}) ==
        "--query and --input query cannot be given together; give one of them");
  CHECK(contains(usage_error(lookup_experiment(), {}, {own("keys", {3, 2}, {1, 0, 0, 1, 1, 1})}),
                 "its axes are (4, 2)"));
}

}  // namespace attnlab
