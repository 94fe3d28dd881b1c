// The READMEs against the table of experiments: rows, pictures, names of arrays.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "experiments/experiment.hpp"

namespace attnlab {
namespace {

const std::filesystem::path root = ATTNLAB_SOURCE_DIR;

std::string text_of(const std::string& file) {
  std::ifstream stream(root / file);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string row_of(const Experiment& experiment, Language language) {
  return "| [`attnlab " + experiment.name + "`](#" + experiment.name + ") | " +
         experiment.shows.in(language) + " | " + experiment.source.in(language) + " |";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Both READMEs have the row of every experiment as attnlab list prints it") {
  for (const Experiment& experiment : experiments()) {
    INFO(row_of(experiment, Language::en));
    CHECK(contains(text_of("README.md"), row_of(experiment, Language::en)));
    INFO(row_of(experiment, Language::ja));
    CHECK(contains(text_of("README.ja.md"), row_of(experiment, Language::ja)));
  }
}

TEST_CASE("The README names every array and every figure of every experiment") {
  const std::string readme = text_of("README.md");
  for (const Experiment& experiment : experiments()) {
    const Report report = run(experiment, Arguments(experiment.parameters));
    for (const Stage& stage : report.stages) {
      INFO(experiment.name, " ", stage.name);
      CHECK(contains(readme, "`" + stage.name + "`"));
    }
    for (const Figure& figure : report.figures) {
      INFO(experiment.name, " ", figure.name);
      CHECK((contains(readme, "`" + figure.name + "`") ||
             contains(readme, experiment.name + "-" + figure.name)));
    }
  }
}

TEST_CASE("Every local link and picture of the READMEs leads to a file") {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const std::string file : {"README.md", "README.ja.md", "CONTRIBUTING.md"}) {
    const std::string text = text_of(file);
    for (auto match = std::sregex_iterator(text.begin(), text.end(), link); match != std::sregex_iterator();
         ++match) {
      INFO(file, ": ", (*match)[1].str());
      CHECK(std::filesystem::exists(root / (*match)[1].str()));
    }
  }
}

}  // namespace attnlab
