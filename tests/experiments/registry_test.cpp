// The table of experiments: book order, unique names, and what every report promises whatever the experiment.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "experiments/catalogue.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

std::vector<Report> default_reports() {
  std::vector<Report> reports;
  for (const Experiment& experiment : experiments()) reports.push_back(run_with(experiment, {}));
  return reports;
}

std::size_t count_of(const Report& report, Role role) {
  return static_cast<std::size_t>(
      std::count_if(report.body.begin(), report.body.end(), [role](const Block& block) {
        const auto* paragraph = std::get_if<Paragraph>(&block);
        return paragraph != nullptr && paragraph->role == role;
      }));
}

template <class Items>
void check_names(const Items& items, const std::regex& form) {
  std::set<std::string> names;
  for (const auto& item : items) {
    INFO(item.name);
    CHECK(std::regex_match(item.name, form));
    CHECK(names.insert(item.name).second);
  }
}

const std::regex kebab_case("[a-z]+(-[a-z]+)*");
const std::regex snake_case("[a-z][a-z0-9]*(_[a-z0-9]+)*");

}  // namespace

TEST_CASE("the experiments stand in the order of the book") {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  CHECK(names ==
        std::vector<std::string>{"softmax", "vectors", "scaling", "self-attention", "heads", "positional"});
}

TEST_CASE("names are unique and of one form") {
  check_names(experiments(), kebab_case);
  for (const Experiment& experiment : experiments()) check_names(experiment.parameters, kebab_case);
  for (const Report& report : default_reports()) {
    INFO(report.experiment);
    check_names(report.stages, snake_case);
    check_names(report.scalars, snake_case);
    check_names(report.figures, kebab_case);
  }
}

TEST_CASE("every report has a figure and one sentence to say and one misunderstanding") {
  for (const Report& report : default_reports()) {
    INFO(report.experiment);
    check_form(report);
    CHECK_FALSE(report.figures.empty());
    CHECK(count_of(report, Role::say) == 1);
    CHECK(count_of(report, Role::misunderstanding) == 1);
  }
}

TEST_CASE("a report knows its experiment and the parameters that were used") {
  const Report report = run_with(vectors_experiment(), {{"count", "12"}, {"query-angle", "45.0"}});
  CHECK(report.experiment == "vectors");
  REQUIRE(report.parameters.size() == vectors_experiment().parameters.size());
  CHECK(report.parameters[0].name == "count");
  CHECK(report.parameters[0].text == "12");
  CHECK_FALSE(report.parameters[0].is_default);
  CHECK(std::get<long long>(report.parameters[0].value) == 12);
  CHECK(report.parameters[1].is_default);  // 45.0 is the default 45
}

TEST_CASE("the same arguments give the same numbers") {
  for (const Experiment& experiment : experiments()) {
    INFO(experiment.name);
    const Report one = run_with(experiment, {});
    const Report two = run_with(experiment, {});
    for (std::size_t i = 0; i < one.stages.size(); ++i) {
      CHECK(disagreement(one.stages[i].array.data, two.stages.at(i).array.data, 0.0) == "");
    }
  }
}

}  // namespace attnlab
