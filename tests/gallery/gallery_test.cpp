#include "gallery.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/sha256.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

const std::filesystem::path folder = attnlab::source_dir() / "figures" / "gallery";

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Numbers may differ by a rounding step: 1 in the whole points, 0.01 in the colours. Where letters have other
// widths, titles and captions break elsewhere, which moves what stands below by a line or two; a label that
// may have a leader to its point may stand on another side of it.
constexpr double one_point = 1.0;
constexpr double two_lines = 40.0;
constexpr double another_side = 60.0;

bool same_word(const std::string& one, const std::string& other, double points) {
  if (one == other) return true;
  char* end_one = nullptr;
  char* end_other = nullptr;
  const double value_one = std::strtod(one.c_str(), &end_one);
  const double value_other = std::strtod(other.c_str(), &end_other);
  if (one.empty() || other.empty() || *end_one != '\0' || *end_other != '\0') return false;
  const double step = one.find('.') == std::string::npos ? points : 0.01;
  return std::abs(value_one - value_other) <= step * 1.001;
}

bool same_line(const std::string& one, const std::string& other, double points) {
  std::istringstream words_one(one);
  std::istringstream words_other(other);
  std::string word_one;
  std::string word_other;
  while (words_one >> word_one) {
    if (!(words_other >> word_other) || !same_word(word_one, word_other, points)) return false;
  }
  return !(words_other >> word_other);
}

constexpr std::string_view leader = ".leader ";

/// Whether a label stands away from its point, with a leader, depends on its width.
bool is_leader(const std::string& item) { return item.find(leader) != std::string::npos; }

/// The labels that have one, each behind its picture.
std::set<std::string> labels_with_leaders(const std::string& lists) {
  std::set<std::string> labels;
  std::istringstream lines(lists);
  std::string picture;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("== ", 0) == 0) picture = line;
    if (is_leader(line)) labels.insert(picture + " " + line.substr(0, line.find(leader)));
  }
  return labels;
}

/// "title[*] label x1 19 18 320 16 colour 0.11 0.12 0.14 Softmax: ...": without its size and its line breaks.
std::string without_widths(const std::string& item) {
  static const std::regex label(R"((\S+ label) x\d+ (\S+ \S+) \S+ \S+ (colour \S+ \S+ \S+) (.*))");
  std::smatch parts;
  if (!std::regex_match(item, parts, label)) return item;
  const std::string text = std::regex_replace(parts[4].str(), std::regex("[ |]"), "");
  return parts[1].str() + " " + parts[2].str() + " " + parts[3].str() + " '" + text;
}

}  // namespace

TEST_CASE("The tracked gallery shows what the tool draws today") {
  const std::string all_stored = bytes_of(folder / "display-lists.txt");
  const std::string all_drawn = gallery_text(gallery_pictures(source_dir() / "data"));
  std::set<std::string> moving = labels_with_leaders(all_stored);
  moving.merge(labels_with_leaders(all_drawn));
  std::istringstream stored(all_stored);
  std::istringstream drawn(all_drawn);
  std::string picture;
  std::string line_drawn;
  std::string line_stored;
  std::getline(drawn, line_drawn);
  std::getline(stored, line_stored);
  REQUIRE(line_stored.rfind("fonts ", 0) == 0);
  const bool same_fonts = line_drawn == line_stored;
  const auto next_line = [same_fonts](std::istringstream& lines, std::string& line) {
    while (std::getline(lines, line)) {
      if (same_fonts || !is_leader(line)) return true;
    }
    return false;
  };
  while (next_line(drawn, line_drawn)) {
    next_line(stored, line_stored);
    if (line_drawn.rfind("== ", 0) == 0) picture = line_drawn.substr(3);
    INFO(picture, " is stale; run: cmake --build build/release --target gallery");
    INFO("stored: ", line_stored);
    INFO("drawn:  ", line_drawn);
    if (same_fonts) {
      REQUIRE(same_line(line_stored, line_drawn, one_point));
    } else {
      const bool moves =
          moving.count("== " + picture + " " + line_drawn.substr(0, line_drawn.find(' '))) != 0;
      REQUIRE(same_line(without_widths(line_stored), without_widths(line_drawn),
                        moves ? another_side : two_lines));
    }
  }
  CHECK_FALSE(next_line(stored, line_stored));
}

TEST_CASE("The pages about the experiments say what the tool does today") {
  for (const Language language : {Language::en, Language::ja}) {
    const std::string name = experiments_page_name(language);
    const std::string stored = bytes_of(source_dir() / "docs" / name);
    INFO("docs/", name, " is stale; run: cmake --build build/release --target gallery");
    CHECK((stored == experiments_page(language, source_dir() / "data")));
  }
}

TEST_CASE("The READMEs name the experiments of the table, and nothing else changes") {
  const auto is_current = [](const std::string& file, const std::string& lines) {
    const std::string stored = bytes_of(source_dir() / file);
    INFO(file, " is stale; run: cmake --build build/release --target gallery");
    CHECK((with_experiment_lines(stored, lines) == stored));
    CHECK_FALSE((with_experiment_lines(stored, "") == stored));
  };
  is_current("README.md", readme_table(Language::en));
  is_current("README.ja.md", readme_table(Language::ja));
  CHECK_THROWS(with_experiment_lines("no such lines", ""));
}

TEST_CASE("The gallery's documents name the experiments of the table") {
  for (const Language language : {Language::ja, Language::en}) {
    INFO("the gallery is stale; run: cmake --build build/release --target gallery");
    const std::string stored = bytes_of(source_dir() / "data" / ("gallery." + code_of(language) + ".md"));
    CHECK((stored == gallery_document(language)));
  }
}

/// "figures/gallery/en/vectors-arrows.png", of every file that the READMEs and the docs show.
std::set<std::string> shown_pictures() {
  std::set<std::string> shown;
  std::vector<std::filesystem::path> pages{source_dir() / "README.md", source_dir() / "README.ja.md"};
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex picture("figures/gallery/([a-z]+/[a-z0-9-]+[.][a-z]+)");
  for (const std::filesystem::path& page : pages) {
    const std::string text = bytes_of(page);
    for (std::sregex_iterator found(text.begin(), text.end(), picture), end; found != end; ++found)
      shown.insert((*found)[1]);
  }
  return shown;
}

TEST_CASE("Every picture that READMEs and docs show is there, and no other") {
  const std::set<std::string> shown = shown_pictures();
  CHECK(shown.size() > 40);
  for (const std::string& path : shown) {
    INFO(path);
    CHECK(std::filesystem::exists(folder / path));
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const bool is_picture = entry.path().extension() == ".png" || entry.path().extension() == ".gif";
    const std::string path = std::filesystem::relative(entry.path(), folder).string();
    INFO(path);
    CHECK((!is_picture || shown.count(path) != 0));
  }
}

TEST_CASE("The pictures are the work of one build: each has its checksum") {
  std::ifstream sums(folder / "SHA256SUMS");
  std::string sum;
  std::string path;
  std::size_t checked = 0;
  for (; sums >> sum >> path; ++checked) {
    INFO(path);
    CHECK(sha256(bytes_of(folder / path)) == sum);
  }
  std::size_t pictures = 0;
  for (const std::string& shown : shown_pictures())
    if (shown.find(".png") != std::string::npos) ++pictures;
  CHECK(checked == pictures);
}

}  // namespace attnlab
