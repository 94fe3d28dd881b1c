// The READMEs against the table of experiments.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "experiments/framework/experiment.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

const std::filesystem::path root = source_dir();

std::string text_of(const std::string& file) {
  std::ifstream stream(root / file);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string row_of(const Experiment& experiment, Language language) {
  return "| `attnlab " + experiment.name + "` | " + experiment.shows.in(language) + " | " +
         experiment.source.in(language) + " |";
}

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Both READMEs have the row of every experiment as attnlab list prints it") {
  for (const Experiment& experiment : experiments()) {
    INFO("cmake --build build/release --target gallery writes them");
    INFO(row_of(experiment, Language::en));
    CHECK(has_part(text_of("README.md"), row_of(experiment, Language::en)));
    INFO(row_of(experiment, Language::ja));
    CHECK(has_part(text_of("README.ja.md"), row_of(experiment, Language::ja)));
  }
}

}  // namespace attnlab
