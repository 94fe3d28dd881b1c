// What the repository keeps of every experiment, against what the tool draws and says today.
#include "gallery.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "plotting/text/text_measure.hpp"
#include "plotting/text/typesetting.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

const std::string mended_by = "cmake --build build/release --target gallery";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(source_dir() / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> all{"README.md", "README.ja.md"};
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "docs"))
    if (entry.path().extension() == ".md") all.push_back("docs" / entry.path().filename());
  return all;
}

}  // namespace

TEST_CASE("Every figure has the marks and words that it had when its checksum was written") {
  std::istringstream kept(text_of("tests/gallery/figures.sha256"));
  std::istringstream drawn(figure_checksums(drawn_figures(source_dir() / "data")));
  for (std::string now; std::getline(drawn, now);) {
    std::string then;
    std::getline(kept, then);
    INFO("look at the figure; if it is to be so: ", mended_by);
    CHECK(now == then);
  }
  std::string more;
  CHECK_FALSE(std::getline(kept, more));
}

TEST_CASE("A checksum follows the words and the marks, not their places") {
  DrawnFigure figure{"en/one", {}};
  Label label;
  label.markup = "0.25";
  figure.list.items.push_back({"weights[0,0]", label});
  const std::string sum = figure_checksums({figure});
  std::get<Label>(figure.list.items[0].shape).position.x += 3.0;
  CHECK(figure_checksums({figure}) == sum);
  std::get<Label>(figure.list.items[0].shape).markup = "0.26";
  CHECK(figure_checksums({figure}) != sum);
  const auto title = [&](const std::vector<std::string>& lines) {
    DrawnFigure titled{"en/one", {}};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      label.markup = lines[i];
      titled.list.items.push_back({indexed("panel[0].title", i), label});
    }
    return figure_checksums({titled});
  };
  CHECK(title({"one key", "takes all"}) == title({"one key takes", "all"}));
  CHECK(title({"one key takes all"}) != title({"one key takes most"}));
}

TEST_CASE("The figures are set in the fonts that set-up installs, whatever else is on the machine") {
  std::set<std::string> letters;  // beyond ASCII
  for (const DrawnFigure& figure : drawn_figures(source_dir() / "data")) {
    for (const Item& item : figure.list.items) {
      const auto* label = std::get_if<Label>(&item.shape);
      if (label == nullptr) continue;
      const std::string& text = label->markup;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = at++;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
        if (at - from > 1) letters.insert(text.substr(from, at - from));
      }
    }
  }
  CHECK(letters.size() > 200);
  for (const std::string& letter : letters) {
    const std::vector<std::string> families = families_that_set(letter);
    const bool is_ours = std::any_of(families.begin(), families.end(), [](const std::string& family) {
      return family == latin_family || family == japanese_family || family == sign_family;
    });
    CHECK_MESSAGE(is_ours, letter);
  }
}

TEST_CASE("The READMEs name the experiments of the table, and nothing else changes") {
  const auto is_current = [](const std::string& file, const std::string& lines) {
    const std::string stored = text_of(file);
    INFO(file, " is stale; run: ", mended_by);
    CHECK((with_experiment_lines(stored, lines) == stored));
    CHECK_FALSE((with_experiment_lines(stored, "") == stored));
  };
  is_current("README.md", readme_table(Language::en));
  is_current("README.ja.md", readme_table(Language::ja));
  CHECK_THROWS(with_experiment_lines("no such lines", ""));
}

TEST_CASE("Every picture that is kept is shown by a README or a page of docs") {
  std::string all;
  for (const std::filesystem::path& page : pages()) all += text_of(page);
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "docs" / "pictures")) {
    INFO(entry.path().filename().string());
    CHECK(all.find("pictures/" + entry.path().filename().string()) != std::string::npos);
  }
}

}  // namespace attnlab
