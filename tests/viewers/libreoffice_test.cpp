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

}  // namespace

TEST_CASE("LibreOffice opens the slides, a page each, with their titles as text") {
  if (!is_installed("soffice") || !is_installed("pdftotext") || !is_installed("pandoc")) return;
  const Workplace place;
  for (const std::string language : {"ja", "en"}) {
    CAPTURE(language);
    place.write(
        "m.md",
        "---\ntitle: Lecture\nlang: " + language + "\nlook: --preset slide-16x9\n---\n# Section\n\n" +
            "text $d_k$\n\n``` {.attnlab}\nsoftmax\n```\n\n``` {.attnlab}\nmasks --figure weights\n```\n\n::: question\nWhy?\n\n::: answer\nSo.\n:::\n:::\n");
    REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "pptx,markdown"}).exit_code == 0);
    const std::string folder = shell_path(place.path("pdf"));
    const std::string profile = "-env:UserInstallation=file://" + place.path("profile").string();
    REQUIRE(run_program("soffice " + shell_quoted(profile) + " --headless --convert-to pdf --outdir " +
                        folder + " " + shell_path(place.path("out/slides." + language + ".pptx"))) == 0);
    const std::vector<std::string> pages =
        page_words(shell_path(place.path("pdf/slides." + language + ".pdf")));
    CHECK(pages[0] == "Lecture");
    std::size_t next = 1;  // titles stand on successive pages, the answer behind its question
    std::vector<std::string> wanted{"Section"};
    const std::string document = place.read("out/lecture." + language + ".md");
    const std::string begin = "{.attnlab-figure title=\"";
    for (std::size_t at = document.find(begin); at != std::string::npos; at = document.find(begin, at + 1)) {
      const std::size_t from = at + begin.size();
      wanted.push_back(without_spaces(document.substr(from, document.find('"', from) - from)));
    }
    wanted.insert(wanted.end(), {"Why?", "So."});
    for (const std::string& words : wanted) {
      while (next < pages.size() && !contains(pages[next], words)) ++next;
      CHECK_MESSAGE(next < pages.size(), words);
    }
  }
}

}  // namespace attnlab
