// The READMEs against the table of experiments: rows, pictures, names of arrays.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

// The part before '#' of every [text](target) that is no web address.
std::vector<std::string> link_targets(const std::string& text) {
  const std::string opening = "](";
  std::vector<std::string> targets;
  for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
    const std::size_t begin = at + opening.size();
    const std::string target = text.substr(begin, text.find_first_of(")#", begin) - begin);
    if (!target.empty() && target.find(':') == std::string::npos) targets.push_back(target);
  }
  return targets;
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

TEST_CASE("Every local link and picture of the READMEs and of docs/ leads to a file") {
  std::vector<std::filesystem::path> files{"README.md", "README.ja.md", "CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back("docs" / entry.path().filename());
  for (const std::filesystem::path& file : files) {
    for (const std::string& target : link_targets(text_of(file.string()))) {
      INFO(file.string(), ": ", target);
      CHECK(std::filesystem::exists(root / file.parent_path() / target));
    }
  }
}

}  // namespace attnlab
