// The READMEs' excerpts of a terminal, compared with what the program prints.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "program.hpp"
#include "source_dir.hpp"

using attnlab::lines_of;

namespace {

/// A command and the stretches of its output that are shown; "..." stands for what is left out.
struct Excerpt {
  std::vector<std::string> words;
  std::vector<std::string> stretches;
};

std::vector<Excerpt> excerpts_of(const std::string& readme) {
  std::ifstream file(attnlab::source_dir() / readme);
  std::vector<Excerpt> excerpts;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```console") {
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside && line.rfind("$ attnlab ", 0) == 0) {
      std::istringstream command(line.substr(std::string("$ attnlab ").size()));
      Excerpt excerpt{{}, {""}};
      for (std::string word; command >> word;) excerpt.words.push_back(word);
      excerpts.push_back(std::move(excerpt));
    } else if (inside && line == "...") {
      excerpts.back().stretches.emplace_back();
    } else if (inside) {
      excerpts.back().stretches.back() += line + "\n";
    }
  }
  return excerpts;
}

}  // namespace

TEST_CASE("what the READMEs show of a terminal is what the program prints") {
  for (const std::string readme : {"README.md", "README.ja.md"}) {
    const std::vector<Excerpt> excerpts = excerpts_of(readme);
    CHECK(!excerpts.empty());
    for (const Excerpt& excerpt : excerpts) {
      CAPTURE(excerpt.words.front());
      const std::string out = attnlab::Workplace().run(excerpt.words).out;
      std::size_t from = 0;
      for (const std::string& stretch : excerpt.stretches) {
        CAPTURE(stretch);
        const std::size_t found = out.find(stretch, from);
        CHECK(found != std::string::npos);
        if (found != std::string::npos) from = found + stretch.size();
      }
    }
  }
}
