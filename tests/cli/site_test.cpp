// `attnlab site`: every page is there, every way leads somewhere, and nothing is asked of anybody else.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "core/sha256.hpp"
#include "experiments/framework/experiment.hpp"
#include "program.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// The values of an attribute: href="..." and its kin.
std::vector<std::string> values_of(const std::string& html, const std::string& attribute) {
  std::vector<std::string> values;
  const std::string begin = " " + attribute + "=\"";
  for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at)) {
    at += begin.size();
    values.push_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

/// What each picture that is laid out for a telephone needs, in pixels, so that its letters can be read.
std::vector<double> widths_of_narrow_pictures(const std::string& html) {
  const std::string picture = "picture narrow scroll\"><svg ";
  const std::string needs = "min-width:";
  std::vector<double> widths;
  for (std::size_t at = html.find(picture); at != std::string::npos; at = html.find(picture, at)) {
    at = html.find(needs, at) + needs.size();
    widths.push_back(std::stod(html.substr(at, 8)));
  }
  return widths;
}

}  // namespace

TEST_CASE("A site has a page for everything, at most 40 MB, and asks nobody") {
  const Workplace place;
  const Outcome outcome = place.run({"site", "pages", "--lang", "en"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.out.find("written") != std::string::npos);

  std::set<std::string> files;
  double bytes = 0.0;
  for (const std::string& file : place.files()) {
    files.insert(file.substr(std::string("pages/").size()));
    bytes += static_cast<double>(fs::file_size(place.path(file)));
  }
  CHECK(bytes < 40e6);
  std::set<std::string> names{"index", "gallery", "models", "book", "article", "slides", "course"};
  for (const Experiment& experiment : experiments()) names.insert(experiment.name);
  for (const std::string language : {"en/", "ja/"}) {
    for (const std::string& name : names) CHECK_MESSAGE(files.count(language + name + ".html") == 1, name);
  }

  std::map<std::string, std::set<std::string>> ids;
  std::size_t narrow = 0;
  for (const std::string& file : files) {
    if (fs::path(file).extension() != ".html") continue;
    const std::string html = place.read("pages/" + file);
    const std::vector<std::string> found = values_of(html, "id");
    ids[file] = {found.begin(), found.end()};
    for (const double width : widths_of_narrow_pictures(html)) {
      CHECK_MESSAGE(width <= 362.0, file);  // a telephone's screen within its margins
      ++narrow;
    }
  }
  CHECK(narrow > 400);
  std::size_t ways = 0;
  for (const auto& entry : ids) {
    const auto& [file, own] = entry;
    CAPTURE(entry.first);
    const std::string html = place.read("pages/" + file);
    for (const std::string attribute : {"href", "src", "srcset"}) {
      for (const std::string& value : values_of(html, attribute)) {
        if (value.rfind("data:", 0) == 0) continue;
        CAPTURE(value);
        CHECK(value.find("//") == std::string::npos);
        const std::size_t hash = value.find('#');
        const std::string target =
            hash == 0 ? file
                      : (fs::path(file).parent_path() / value.substr(0, hash)).lexically_normal().string();
        CHECK(files.count(target) == 1);
        // A shared outline is named after its glyph, and stands in the page's definitions.
        if (hash != std::string::npos && attribute == "href" && value.find("#list.") == std::string::npos)
          CHECK(ids[target].count(value.substr(hash + 1)) == 1);
        ++ways;
      }
    }
  }
  CHECK(ways > 1000);

  const std::string sums = place.read("pages/SHA256SUMS");
  CHECK(sums.find(sha256(place.read("pages/en/vectors.html")) + "  en/vectors.html") != std::string::npos);
  // What only a page of its experiment can hold: its numbers, a usual mistake, its program.
  const std::string page = place.read("pages/en/self-attention.html");
  for (const char* words : {"softmax runs along the queries axis", "import numpy as np", "--scale", "<svg"})
    CHECK_MESSAGE(page.find(words) != std::string::npos, words);
}

TEST_CASE("A site is refused where it cannot be written, and without a folder") {
  const Workplace place;
  refused_call({"site"});
  place.write("file", "");
  const Outcome outcome = place.run({"site", "file"});
  CHECK(outcome.exit_code == 1);
  CHECK(place.files() == std::vector<std::string>{"file"});
}

}  // namespace attnlab
