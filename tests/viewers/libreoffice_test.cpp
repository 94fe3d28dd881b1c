// The slides of `attnlab build` in LibreOffice: a page for each slide, with its title as text.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/shell.hpp"
#include "programs.hpp"

namespace attnlab {
namespace {

/// Of each page the words, as pdftotext reads them, without spaces.
std::vector<std::string> page_words(const std::string& pdf) {
  std::vector<std::string> pages{""};
  for (const char letter : printed_by("pdftotext " + pdf + " -")) {
    if (letter == '\f') pages.emplace_back();
    if (letter != ' ' && letter != '\n' && letter != '\f') pages.back() += letter;
  }
  pages.pop_back();  // behind the last form feed
  return pages;
}

std::string without_spaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// Of each figure of the resolved document its title, without spaces.
std::vector<std::string> titles_of_figures(const std::string& document) {
  const std::string begin = "{.attnlab-figure title=\"";
  std::vector<std::string> titles;
  for (std::size_t at = document.find(begin); at != std::string::npos; at = document.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    titles.push_back(without_spaces(document.substr(from, document.find('"', from) - from)));
  }
  return titles;
}

}  // namespace

TEST_CASE("LibreOffice opens the slides of a deck, a page each, with their titles as text") {
  if (!is_installed("soffice") || !is_installed("pdftotext") || !is_installed("pandoc")) return;
  const Workplace place;
  for (const std::string language : {"ja", "en"}) {
    CAPTURE(language);
    place.write("m.md", "---\ntitle: Lecture\nlang: " + language + "\nlook: --preset slide-16x9\n---\n" +
                            "# First\n\nSpoken $d_k$.\n\n``` {.attnlab}\nsoftmax\n```\n\n" +
                            "``` {.attnlab}\nmasks --figure weights\n```\n\n" +
                            "::: question\nWhy?\n\n::: answer\nSo.\n:::\n:::\n\n" +
                            "# Second\n\nShown above it.\n\n$$\n\\frac{a}{b}\n$$\n");
    REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "pptx,markdown", "--quiet"}).exit_code == 0);
    const std::string folder = shell_path(place.path("pdf"));
    const std::string profile = "-env:UserInstallation=file://" + place.path("profile").string();
    REQUIRE(run_program("soffice " + shell_quoted(profile) + " --headless --convert-to pdf --outdir " +
                        folder + " " + shell_path(place.path("out/slides." + language + ".pptx"))) == 0);
    const std::vector<std::string> pages =
        page_words(shell_path(place.path("pdf/slides." + language + ".pdf")));
    // The first block's four figures are slides; that of the second is on the page alone, and its title is
    // spoken.
    std::vector<std::string> titles = titles_of_figures(place.read("out/lecture." + language + ".md"));
    REQUIRE(titles.size() == 5);
    const std::string aside = titles.back();
    titles.pop_back();
    if (language == "ja") titles[1] = titles[2] = "First";  // longer than a line: the heading
    std::vector<std::string> wanted{"Lecture"};
    wanted.insert(wanted.end(), titles.begin(), titles.end());
    for (const char* words : {"Why?", "So.", "Shownaboveit."}) wanted.emplace_back(words);
    REQUIRE(pages.size() == wanted.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
      CHECK_MESSAGE(contains(pages[i], wanted[i]), i, ": ", pages[i], " has no ", wanted[i]);
      CHECK_FALSE(contains(pages[i], aside));
      CHECK_FALSE(contains(pages[i], "Spoken"));
    }
  }
}

}  // namespace attnlab
