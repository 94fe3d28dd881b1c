// The table of experiments: unique names, and what every report promises whatever the experiment.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "reports.hpp"
#include "results/report/terminal.hpp"

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

/// Small letters and digits, in words joined by one `joint`; the first character is a letter.
bool is_joined_words(const std::string& name, char joint) {
  bool after_joint = true;
  for (const char character : name) {
    const bool letter = character >= 'a' && character <= 'z';
    const bool digit = character >= '0' && character <= '9';
    if (after_joint ? !letter && !digit : !letter && !digit && character != joint) return false;
    after_joint = character == joint;
  }
  return !after_joint && !(name.front() >= '0' && name.front() <= '9');
}

template <class Items>
void check_names(const Items& items, char joint) {
  std::set<std::string> names;
  for (const auto& item : items) {
    INFO(item.name);
    CHECK(is_joined_words(item.name, joint));
    CHECK(names.insert(item.name).second);
  }
}

}  // namespace

TEST_CASE("names are unique and of one form") {
  check_names(experiments(), '-');
  for (const Experiment& experiment : experiments()) check_names(experiment.parameters, '-');
  for (const Report& report : default_reports()) {
    INFO(report.experiment);
    check_names(report.stages, '_');
    check_names(report.scalars, '_');
    check_names(report.figures, '-');
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

TEST_CASE("an English report has no Japanese word, so that every word that it quotes stands in its figures") {
  for (const Report& report : default_reports()) {
    INFO(report.experiment);
    // Every letter of kana and kanji begins with one of these bytes in UTF-8; punctuation (E2, EF) is shared.
    const std::string text = to_terminal(report.body, Language::en, Colouring::plain);
    CHECK(text.find_first_of("\xe3\xe4\xe5\xe6\xe7\xe8\xe9") == std::string::npos);
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
