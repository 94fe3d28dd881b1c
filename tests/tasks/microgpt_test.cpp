// microgpt against PyTorch's gradients and Python's random numbers, and against itself moved a little.
#include "training/microgpt/microgpt.hpp"

#include <doctest/doctest.h>

#include "experiments/framework/experiment.hpp"
#include "reference.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

Report run_with(const std::map<std::string, std::string>& settings, const std::string& text = "") {
  const Experiment task = microgpt_task();
  Arguments arguments(task.parameters);
  if (!text.empty()) {
    arguments.set("text", "names.txt");
    arguments.give_contents("text", text);
  }
  for (const auto& [name, value] : settings) arguments.set(name, value);
  return run(task, arguments);
}

void check_against(const Report& report, const nlohmann::json& expected) {
  const Array& losses = stage(report, "losses").array;
  const auto known = expected.at("losses").get<std::vector<double>>();
  REQUIRE(losses.data.size() == known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(losses.data[i] - known[i]) < 1e-6);
  }
  std::string written;
  for (const nlohmann::json& word : expected.at("words"))
    written += (written.empty() ? "" : ", ") + word.get<std::string>();
  bool is_told = false;
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    is_told |= paragraph != nullptr && paragraph->text.en() == "Written afterwards: " + written;
  }
  CHECK(is_told);
}

}  // namespace

TEST_CASE("The losses of microgpt agree with PyTorch's to 1e-6 at every step, and it writes the same names") {
  const nlohmann::json expected = reference("training/microgpt.json");
  check_against(run_with({}), expected.at("default"));
  std::string documents;
  for (const nlohmann::json& document : expected.at("small").at("documents"))
    documents += document.get<std::string>() + "\n";
  check_against(run_with({{"seed", "7"},
                          {"steps", "60"},
                          {"width", "12"},
                          {"heads", "3"},
                          {"layers", "2"},
                          {"block", "5"},
                          {"samples", "6"},
                          {"temperature", "1"}},
                         documents),
                expected.at("small"));
}

TEST_CASE("The gradient of every weight is the slope of the loss") {
  PythonRandom random(3);
  Microgpt model({5, 6, 2, 2, 4}, random);
  const std::vector<int> document{4, 0, 3, 3, 1, 4};
  model.learn(document);
  const std::vector<double> gradient = model.gradient();
  const std::vector<double> parameters = model.parameters();
  constexpr double h = 1e-5;
  double most = 0.0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    model.set_parameter(i, parameters[i] + h);
    const double above = model.loss(document);
    model.set_parameter(i, parameters[i] - h);
    const double below = model.loss(document);
    model.set_parameter(i, parameters[i]);
    CHECK(std::abs((above - below) / (2.0 * h) - gradient[i]) < 1e-8);
    most = std::max(most, std::abs(gradient[i]));
  }
  CHECK(most > 0.01);
}

TEST_CASE("microgpt says what it has learned, and no more") {
  const auto says = [](const Report& report, const std::string& words) {
    return std::any_of(report.body.begin(), report.body.end(), [&](const Block& block) {
      const auto* paragraph = std::get_if<Paragraph>(&block);
      return paragraph != nullptr && paragraph->text.en().find(words) != std::string::npos;
    });
  };
  CHECK(says(run_with({}), "below the 3.296 of equal chances"));
  CHECK(says(run_with({{"steps", "1"}, {"seed", "1"}}), "is not clearly below the 3.296"));
  CHECK_THROWS(run_with({{"width", "10"}}));
}

}  // namespace attnlab
