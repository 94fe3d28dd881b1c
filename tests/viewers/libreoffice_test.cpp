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
  if (!is_installed("soffice") || !is_installed("pdftotext")) return;
  const Workplace place;
  place.write("m.toml",
              "title = { ja = \"講義\", en = \"A lecture\" }\noutputs = [\"pptx\", \"captions\"]\n"
              "[look]\npreset = \"slide-16x9\"\n[[section]]\ntitle = { ja = \"節\", en = \"Section\" }\n"
              "[[section.figure]]\nexperiment = \"softmax\"\n"
              "[[section.figure]]\nexperiment = \"masks\"\nfigure = \"weights\"\n");
  REQUIRE(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
  for (const std::string language : {"ja", "en"}) {
    CAPTURE(language);
    const std::string folder = shell_path(place.path("pdf"));
    const std::string profile = "-env:UserInstallation=file://" + place.path("profile").string();
    REQUIRE(run_program("soffice " + shell_quoted(profile) + " --headless --convert-to pdf --outdir " +
                        folder + " " + shell_path(place.path("out/slides." + language + ".pptx"))) == 0);
    const std::vector<std::string> pages =
        page_words(shell_path(place.path("pdf/slides." + language + ".pdf")));
    const std::vector<std::string> captions = lines_of(place.read("out/captions." + language + ".txt"));
    const std::size_t figures = (captions.size() + 1) / 4;  // name, title, caption, an empty line
    REQUIRE(pages.size() == figures + 2);
    CHECK(pages[0] == (language == "ja" ? "講義" : "Alecture"));
    for (std::size_t i = 0; i < figures; ++i)
      CHECK(contains(pages[i + 2], without_spaces(captions[4 * i + 1])));
  }
}

}  // namespace attnlab
