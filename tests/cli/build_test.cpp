// `attnlab build` as a user runs it: whole lectures, and what is said of manifests that are wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "program.hpp"
#include "shell.hpp"
#include "source_dir.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::source_dir;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

const std::string small = R"(title = { ja = "題", en = "Title" }
formats = ["svg", "png"]
look = { dpi = 72 }
[[section]]
title = { ja = "節", en = "Section" }
[[section.figure]]
experiment = "softmax"
figure = "bars"
caption = { ja = "説明 <1>", en = "Caption <1>" }
[[section.figure]]
experiment = "vectors"
figure = "arrows"
parameters = { count = 6 }
)";

/// The smallest lecture, with these lines in its figure; the figure stands in line 4.
std::string with_figure(const std::string& lines) {
  return "title = \"T\"\n[[section]]\ntitle = \"S\"\n[[section.figure]]\n" + lines + "\n";
}

/// The lecture of that name, which comes along, in a folder `built`; once for all tests.
const Workplace& with_lecture(const std::string& name) {
  static std::map<std::string, Workplace> places;
  const Workplace& place = places[name];
  if (!place.has("built")) {
    fs::create_directory(place.path(name));  // is in nobody's way
    const Outcome outcome = place.run({"build", name, "-o", "built", "--quiet"});
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.err.empty());  // every figure has room for what it says
  }
  return place;
}

/// What is said of the manifest m.toml, of which nothing comes.
std::string complaint(const std::string& manifest) {
  const Workplace place;
  place.write("m.toml", manifest);
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(place.files() == Words{"m.toml"});
  CHECK_FALSE(place.has("out"));
  const Outcome japanese = place.run({"build", "m.toml", "-o", "out", "--lang", "ja"});
  CHECK(contains(japanese.err, "m.toml"));
  CHECK(japanese.err != outcome.err);
  return outcome.err;
}

std::map<std::string, std::string> contents(const Workplace& place, const std::string& folder) {
  std::map<std::string, std::string> found;
  for (const std::string& file : place.files()) {
    if (file.rfind(folder + "/", 0) == 0) found[file.substr(folder.size() + 1)] = place.read(file);
  }
  return found;
}

std::string first_toml_block(const fs::path& document) {
  std::ifstream stream(source_dir() / document);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::string fence = "```toml\n";
  const std::size_t begin = text.find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t from = begin + fence.size();
  return text.substr(from, text.find("```", from) - from);
}

/// A page's text without the words for marks.
std::string unescaped(std::string page) {
  for (const auto& [word, mark] : std::vector<std::pair<std::string, std::string>>{
           {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&#39;", "'"}, {"&amp;", "&"}}) {
    for (std::size_t at = page.find(word); at != std::string::npos; at = page.find(word, at + 1))
      page.replace(at, word.size(), mark);
  }
  return page;
}

/// What a page's attributes name that a browser would load or follow.
std::vector<std::string> references(const std::string& page) {
  std::vector<std::string> found;
  for (const std::string attribute : {"href", "src", "srcset", "data", "action", "poster"}) {
    const std::string opening = attribute + "=\"";
    for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1)) {
      const std::size_t begin = at + opening.size();
      found.push_back(page.substr(begin, page.find('"', begin) - begin));
    }
  }
  return found;
}

/// Both pages stand alone: nothing to be loaded, and one script for the sliders.
void check_pages(const Workplace& place, const std::string& folder) {
  const std::map<std::string, std::string> files = contents(place, folder);
  for (const char* name : {"index.html", "index.en.html"}) {
    CAPTURE(name);
    const std::string& page = files.at(name);
    CHECK(contains(page, name == std::string("index.html") ? "<html lang=\"ja\">" : "<html lang=\"en\">"));
    const std::size_t script = page.find("<script>");
    REQUIRE(script != std::string::npos);
    CHECK(page.find("<script>", script + 1) == std::string::npos);
    for (const char* active : {"<script src", "<link", "<iframe", "<object", "<embed", "@import",
                               "javascript:", "onclick=", "onload=", " src=\"http", "url(http"}) {
      CHECK_MESSAGE(!contains(page, active), active);
    }
    const std::vector<std::string> targets = references(page);
    for (const std::string& target : targets) {
      if (target.rfind("data:image/png;base64,", 0) == 0) continue;
      const bool is_inside = target[0] == '#' && contains(page, "id=\"" + target.substr(1) + "\"");
      CHECK_MESSAGE((is_inside || files.count(target) == 1), target.substr(0, 80));
    }
    CHECK(targets.size() > 100);
  }
}

}  // namespace

TEST_CASE("build writes figures, pages, snippets and data, and the same bytes again") {
  const Workplace place;
  place.write("m.toml", small);
  const Outcome outcome = place.run({"build", "m.toml", "-o", "one"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out == "33 files written: one/index.html\n");
  CHECK(place.run({"build", "m.toml", "-o", "two/deep", "--quiet", "--lang", "ja"}).out.empty());
  const std::map<std::string, std::string> one = contents(place, "one");
  CHECK(one == contents(place, "two/deep"));
  Words names;
  for (const auto& [name, bytes] : one) names.push_back(name);
  CHECK(names == Words{"SHA256SUMS",
                       "beamer.en.tex",
                       "beamer.ja.tex",
                       "captions.en.txt",
                       "captions.ja.txt",
                       "data/softmax-bars.csv",
                       "data/softmax-bars.npz",
                       "data/vectors-arrows.csv",
                       "data/vectors-arrows.npz",
                       "en/softmax-bars.png",
                       "en/softmax-bars.svg",
                       "en/vectors-arrows.png",
                       "en/vectors-arrows.svg",
                       "index.en.html",
                       "index.html",
                       "ja/softmax-bars.png",
                       "ja/softmax-bars.svg",
                       "ja/vectors-arrows.png",
                       "ja/vectors-arrows.svg",
                       "notebook.en.ipynb",
                       "notebook.ja.ipynb",
                       "slides.en.md",
                       "slides.en.pptx",
                       "slides.ja.md",
                       "slides.ja.pptx",
                       "slides/en/softmax-bars.pdf",
                       "slides/en/softmax-bars.svg",
                       "slides/en/vectors-arrows.pdf",
                       "slides/en/vectors-arrows.svg",
                       "slides/ja/softmax-bars.pdf",
                       "slides/ja/softmax-bars.svg",
                       "slides/ja/vectors-arrows.pdf",
                       "slides/ja/vectors-arrows.svg"});
  CHECK(attnlab::is_png(one.at("ja/softmax-bars.png")));
  CHECK(attnlab::is_svg(one.at("en/vectors-arrows.svg")));
  CHECK(contains(one.at("captions.ja.txt"), "説明 <1>"));
  CHECK(contains(one.at("beamer.en.tex"), "{slides/en/softmax-bars.pdf}"));
  CHECK(contains(one.at("index.en.html"), "attnlab vectors --count 6"));
}

TEST_CASE("SHA256SUMS names every other file, and sha256sum agrees") {
  const Workplace place;
  place.write("m.toml", small);
  REQUIRE(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
  Words listed;
  for (const std::string& line : lines_of(place.read("out/SHA256SUMS"))) {
    REQUIRE(line.size() > 66);
    CHECK(line.substr(64, 2) == "  ");
    listed.push_back(line.substr(66));
  }
  Words names;
  for (const auto& [name, bytes] : contents(place, "out")) {
    if (name != "SHA256SUMS") names.push_back(name);
  }
  CHECK(listed == names);
  if (!attnlab::is_installed("sha256sum")) return;
  const std::string folder = attnlab::shell_quoted(place.path("out").string());
  CHECK(
      attnlab::printed_by("cd " + folder + " && sha256sum --check --strict --quiet SHA256SUMS 2>&1").empty());
}

TEST_CASE("the manifests of the documents can be built, and give the files that the page names") {
  for (const char* document : {"docs/lectures.md", "docs/lectures.ja.md"}) {
    CAPTURE(document);
    const Workplace place;
    place.write("lecture.toml", first_toml_block(document));
    const Outcome outcome = place.run({"build", "lecture.toml"});
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    CHECK(place.has("lecture/index.html"));
    CHECK(place.has("lecture/SHA256SUMS"));
    if (document != std::string("docs/lectures.md")) continue;
    for (const char* name :
         {"index.html", "index.en.html", "ja/scaling-scatter.svg", "ja/scaling-scatter.png",
          "en/masks-of-today.svg", "en/softmax-temperature.png", "captions.ja.txt", "beamer.en.tex",
          "slides.ja.md", "slides.ja.pptx", "notebook.en.ipynb", "slides/ja/scaling-scatter.svg",
          "data/scaling-scatter.npz", "data/softmax-bars.csv", "SHA256SUMS"}) {
      CHECK_MESSAGE(place.has("lecture/" + std::string(name)), name);
    }
  }
  std::string misspelt = first_toml_block("docs/lectures.md");
  misspelt.replace(misspelt.find("\"scatter\""), 9, "\"scater\"");
  CHECK(complaint(misspelt) == "attnlab: m.toml:10: there is no figure 'scater'; did you mean scatter?\n");
}

TEST_CASE("the lectures that come along are built, whole and by their manifests, and stand alone") {
  check_pages(with_lecture("book"), "built");
#ifndef __SANITIZE_ADDRESS__  // each takes minutes, and runs the same code
  CHECK(with_lecture("slides").has("built/index.html"));
  const Workplace place;
  const Outcome printed = place.run({"build", "--print", "article"});
  CHECK(printed.exit_code == 0);
  CHECK(contains(printed.out, "[[section]]"));
  place.write("mine.toml", printed.out);
  const Outcome built = place.run({"build", "mine.toml", "-o", "built", "--lang", "en"});
  CHECK(contains(built.out, "files written"));
  CHECK(built.err.empty());  // every figure has room for what it says
  CHECK(place.has("built/index.html"));
#endif
}

TEST_CASE("a lecture's name that is misspelt is told with the one meant") {
  const Outcome wrong = Workplace().run({"build", "--print", "artikle", "--lang", "en"});
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.err, "article"));
}

TEST_CASE("a mistake in a manifest is told with its file and line, and nothing is written") {
  CHECK(contains(complaint("title = "), "m.toml:1 is no TOML"));
  CHECK(contains(complaint("title = \"T\"\nx = [1,\n"), "m.toml:2 is no TOML"));
  CHECK(contains(complaint(""), "m.toml:1: title is missing"));
  CHECK(contains(complaint(std::string("\x89PNG\r\n\x1a\n\0\0", 10)), "m.toml:1 is no TOML"));
  CHECK(contains(complaint("\ntitel = \"T\"\n"), "m.toml:2: there is no key 'titel'; choose from title, "));
  CHECK(contains(complaint("title = \"T\"\nlanguages = [\"ja\", \"fr\"]\n"),
                 "m.toml:2: languages cannot have 'fr'"));
  CHECK(contains(complaint("title = \"T\"\nformats = \"svg\"\n"), "m.toml:2: formats must be a list"));
  CHECK(contains(complaint(with_figure("experiment = 3")), "m.toml:5: experiment must be a string"));
  CHECK(contains(complaint(with_figure("experiment = \"sofmax\"")),
                 "m.toml:4: there is no experiment 'sofmax'; did you mean softmax?\n"));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nfigure = \"barz\"")),
                 "m.toml:4: there is no figure 'barz'; did you mean bars?\n"));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nparameters = { scorez = 1 }")),
                 "m.toml:4: there is no parameter 'scorez'; did you mean scores?\n"));
  CHECK(contains(complaint(with_figure("experiment = \"vectors\"\nparameters = { count = \"many\" }")),
                 "m.toml:4: --count must be a whole number"));
  CHECK(contains(complaint(with_figure("experiment = \"cost\"\nparameters = { measure = \"a lot\" }")),
                 "m.toml:4: --measure must be on or off"));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nlook = { colour = \"red\" }")),
                 "m.toml:4: there is no look 'colour'; choose from preset, theme, "));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nlook = { theme = \"dork\" }")),
                 "m.toml:4: --theme must be one of light, dark, print"));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nlook = { theme = false }")),
                 "m.toml:4: --theme must be one of light, dark, print"));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nlook = { log-colour = \"very\" }")),
                 "m.toml:4: log-colour cannot be 'very'; write true or false"));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nlook = { size = \"1x1in\" }")),
                 "m.toml:4: "));
  CHECK(contains(complaint(with_figure("experiment = \"softmax\"\nlook = { annotate = true, blank = true }")),
                 "m.toml:4: --annotate and --blank cannot be given together"));
  CHECK(contains(complaint(with_figure("experiment = \"attend\"\nparameters = { x = \"none.npy\" }")),
                 "m.toml:4: "));
}

TEST_CASE("a mistake in the look of all figures is told with the line of that look") {
  const std::string figure = with_figure("experiment = \"softmax\"");
  CHECK(contains(complaint("look = { dpi = 1e9 }\n" + figure), "m.toml:1: --dpi must be a number from 36"));
  CHECK(contains(complaint("formats = [\"png\"]\nlook = { size = \"90x90in\", dpi = 1200 }\n" + figure),
                 "m.toml:6: a png of 108000 x 108000 pixels is too large"));
}

TEST_CASE("names of files cannot leave the folder or meet each other") {
  for (const char* name : {"../x", "/tmp/x", "a/b", "a b", ".hidden", "a.svg", "猫", "a\\nb", "a\\\"b"}) {
    CAPTURE(name);
    const std::string figure = "experiment = \"softmax\"\nfigure = \"bars\"\nname = \"" + std::string(name);
    CHECK(contains(complaint(with_figure(figure + "\"")), "m.toml:7: the name "));
  }
  const std::string bars = "experiment = \"softmax\"\nfigure = \"bars\"\n";
  CHECK(contains(complaint(with_figure(bars + "[[section.figure]]\n" + bars)),
                 "m.toml:7: there would be two figures softmax-bars, the other one of line 4"));
  const std::string loud = bars + "name = \"Softmax-BARS\"\n";  // one file on a USB stick
  CHECK(contains(complaint("outputs = [\"html\"]\n" + with_figure(bars + "[[section.figure]]\n" + loud)),
                 "m.toml:8: there would be two figures Softmax-BARS"));
}

TEST_CASE("texts of several lines stand in one, and marks of HTML and TeX mean themselves") {
  const Workplace place;
  place.write("m.toml",
              "title = \"<b>&\"\nlanguages = [\"en\"]\n[[section]]\ntitle = \"100 %\"\n"
              "[[section.figure]]\nexperiment = \"softmax\"\nfigure = \"bars\"\n"
              "caption = \"\"\"one\n  two\n\"\"\"\n");
  REQUIRE(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
  CHECK(contains(place.read("out/index.html"), "<h1>&lt;b&gt;&amp;</h1>"));
  CHECK(contains(place.read("out/captions.en.txt"), "\none two\n"));
  CHECK(contains(place.read("out/beamer.en.tex"), "\\section{100 \\%}"));
  CHECK(contains(place.read("out/beamer.en.tex"), "{\\footnotesize one two\\par}"));
  CHECK_FALSE(place.has("out/index.ja.html"));
}

TEST_CASE("outputs and looks of figures are what the manifest says") {
  const Workplace place;
  place.write("m.toml", "outputs = [\"figures\"]\nformats = [\"svg\"]\nlook = { svg-text = true }\n" +
                            with_figure("experiment = \"softmax\"\nfigure = \"bars\"\nname = \"mine\""));
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out"});
  CHECK(outcome.out == "3 files written: out\n");
  CHECK(place.files() == Words{"m.toml", "out/SHA256SUMS", "out/en/mine.svg", "out/ja/mine.svg"});
  CHECK(contains(place.read("out/en/mine.svg"), "<text"));
}

TEST_CASE("a look's title is the figure's in every output") {
  const Workplace place;
  place.write("m.toml",
              "languages = [\"en\"]\n" +
                  with_figure("experiment = \"softmax\"\nfigure = \"bars\"\nlook = { title = \"Mine\" }"));
  REQUIRE(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
  CHECK(contains(place.read("out/captions.en.txt"), "softmax-bars\nMine\n"));
  CHECK(contains(place.read("out/beamer.en.tex"), "\\begin{frame}{Mine}"));
  CHECK(contains(place.read("out/en/softmax-bars.svg"), ">Mine</title>"));
}

TEST_CASE("pictures of slides are drawn for the outputs that show them alone") {
  const auto pictures = [](const std::string& output) {
    const Workplace place;
    place.write("m.toml", "languages = [\"en\"]\noutputs = [\"" + output + "\"]\n" +
                              with_figure("experiment = \"softmax\"\nfigure = \"bars\""));
    CHECK(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
    Words files = place.files();
    files.erase(files.begin(), files.begin() + 2);  // m.toml, SHA256SUMS
    return files;
  };
  CHECK(pictures("beamer") == Words{"out/beamer.en.tex", "out/slides/en/softmax-bars.pdf"});
  CHECK(pictures("markdown") == Words{"out/slides.en.md", "out/slides/en/softmax-bars.svg"});
  CHECK(pictures("pptx") == Words{"out/slides.en.pptx"});
  CHECK(pictures("notebook") == Words{"out/notebook.en.ipynb"});
  CHECK(pictures("captions") == Words{"out/captions.en.txt"});
}

TEST_CASE("a page that grew is told with the line of its figure") {
  const Workplace place;
  place.write(
      "m.toml",
      with_figure("experiment = \"positional\"\nfigure = \"relative\"\nlook = { preset = \"column\" }"));
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err,
                 "warning: m.toml:4: positional-relative (en): relative has no room on the page of column"));
}

TEST_CASE("every kind of block is built, in the order of the manifest and from the program's own numbers") {
  const Workplace place;
  place.write("m.toml", R"(title = "T"
languages = ["en"]
outputs = ["html"]
[[section]]
title = "S"
[[section.text]]
ja = "*b*"
en = "first **bold** $`d_k`$"
[[section.equation]]
tex = '\frac{a}{b}'
[[section.equation]]
experiment = "vectors"
stage = "weights"
[[section.report]]
experiment = "vectors"
parts = ["say", "misunderstanding", "explain"]
[[section.report]]
experiment = "scaling"
parameters = { keys = 7 }
parts = ["table", "note"]
[[section.claim]]
id = "A-footnote-b"
[[section.steps]]
experiment = "vectors"
figure = "bars"
each = [{}, { parameters = { count = 6 } }]
[[section.sliders]]
experiment = "vectors"
slide = "count=3,5"
name = "move"
[[section.film]]
experiment = "vectors"
figure = "bars"
over = "count=3:6"
[[section.question]]
question = "Why?"
answer = "So."
[[section.break]]
[[section.code]]
experiment = "vectors"
parameters = { count = 6 }
)");
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out", "--lang", "en"});
  CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  CHECK(outcome.out == "2 files written: out/index.html\n");
  const std::string page = place.read("out/index.html");
  std::size_t at = 0;
  for (const char* part :
       {"<strong>bold</strong>", "<mfrac>", "<mi>weights</mi>", "callout say", "callout misunderstanding",
        "<ol>\n<li><p>", "<th scope=\"col\">", "callout note", "claim fails", "name=\"steps.1\"",
        "vectors-bars-step-2", "id=\"move\"", "data:image/webp;base64,", "<b>Question 1</b>",
        "<div class=\"break\">", "import numpy as np", "<h2>Answers</h2>"}) {
    const std::size_t found = page.find(part, at);
    CHECK_MESSAGE(found != std::string::npos, part);
    if (found != std::string::npos) at = found;
  }
  const Outcome program = place.run({"vectors", "--count", "6", "--code", "numpy", "--lang", "en"});
  CHECK(contains(unescaped(page), program.out));
}

TEST_CASE("films follow the reader's setting, or the look's own theme") {
  const auto page = [](const std::string& look) {
    const Workplace place;
    place.write("m.toml",
                "title = \"T\"\nlanguages = [\"en\"]\noutputs = [\"html\"]\n[[section]]\ntitle = \"S\"\n"
                "[[section.film]]\nexperiment = \"vectors\"\nover = \"count=3:5\"\n" +
                    look);
    const Outcome outcome = place.run({"build", "m.toml", "-o", "out"});
    REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
    return place.read("out/index.html");
  };
  const char* for_dark =
      "<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"data:image/webp;";
  CHECK(contains(page(""), for_dark));
  CHECK_FALSE(contains(page("look = { theme = \"dark\" }\n"), "<source"));
  CHECK(page("look = { theme = \"dark\" }\n") != page("look = { theme = \"light\" }\n"));
}

TEST_CASE("blocks are checked where no page is written, too") {
  CHECK(contains(complaint("title = \"T\"\noutputs = [\"captions\"]\n[[section]]\ntitle = \"S\"\n"
                           "[[section.claim]]\nid = \"A-ordr\"\n"),
                 "m.toml:5: there is no claim 'A-ordr'; did you mean A-order?"));
}

TEST_CASE("a training has no program, which is told with its line while the others are written") {
  const Workplace place;
  place.write("m.toml",
              "title = \"T\"\noutputs = [\"code\"]\n[[section]]\ntitle = \"S\"\n"
              "[[section.figure]]\nexperiment = \"train induction\"\nfigure = \"weights\"\n"
              "parameters = { model = \"induction\", no-control = true }\n"
              "[[section.figure]]\nexperiment = \"softmax\"\nfigure = \"bars\"\n");
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "m.toml:5: there is no program of it: a training depends on every number"));
  CHECK(place.has("out/code/softmax-bars.py"));
  CHECK_FALSE(place.has("out/code/train-induction-weights.py"));
}

TEST_CASE("on a telephone numbered maps stand below each other, and pictures with exponents fit the screen") {
  const Workplace place;
  std::string manifest =
      "title = \"T\"\nlanguages = [\"en\"]\noutputs = [\"html\"]\n[[section]]\ntitle = \"S\"\n";
  for (const std::string which : {"\"masks\"\nfigure = \"weights\"", "\"heads\"\nfigure = \"weights\"",
                                  "\"variance\"\nfigure = \"spread\"", "\"cost\"\nfigure = \"cost\""})
    manifest += "[[section.figure]]\nexperiment = " + which + "\n";
  place.write("m.toml", manifest);
  REQUIRE(place.run({"build", "m.toml", "-o", "out", "--quiet"}).exit_code == 0);
  const std::string page = place.read("out/index.html");
  const std::regex narrow(
      "class=\"picture narrow scroll\"><svg viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\" "
      "style=\"min-width:([0-9]+)px");
  std::size_t pictures = 0;
  for (std::sregex_iterator one(page.begin(), page.end(), narrow); one != std::sregex_iterator(); ++one) {
    CAPTURE((*one)[0].str());
    CHECK(std::stoi((*one)[3]) <= 360);
    const bool has_four_maps = pictures < 2;  // each as wide as the screen
    CHECK(std::stod((*one)[2]) / std::stod((*one)[1]) > (has_four_maps ? 2.5 : 1.0));
    ++pictures;
  }
  CHECK(pictures == 4);
}

TEST_CASE("sliders cannot have the name of a figure") {
  const std::string bars = "experiment = \"vectors\"\nfigure = \"bars\"\n";
  CHECK(contains(complaint(with_figure(bars + "[[section.sliders]]\n" + bars +
                                       "slide = \"count=3,5\"\nname = \"Vectors-bars\"")),
                 "m.toml:7: there would be two figures Vectors-bars, the other one of line 4"));
}

TEST_CASE("sliders and films take values inside a text") {
  const Workplace place;
  place.write("m.toml",
              "title = \"T\"\nlanguages = [\"en\"]\n[[section]]\ntitle = \"S\"\n"
              "[[section.sliders]]\nexperiment = \"masks\"\nparameters = { mask = \"causal,window:@\" }\n"
              "slide = \"mask=1:3\"\n"
              "[[section.film]]\nexperiment = \"masks\"\nparameters = { mask = \"window:@\" }\n"
              "over = \"mask=1:3\"\n");
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out", "--quiet"});
  CHECK(outcome.err.empty());
  CHECK(outcome.exit_code == 0);
  CHECK(contains(place.read("out/index.html"), "causal,window:3"));
}

TEST_CASE("what a block asks for and does not get is told with its line") {
  const auto block = [](const std::string& lines) {
    return complaint("title = \"T\"\n[[section]]\ntitle = \"S\"\n" + lines + "\n");
  };
  CHECK(contains(block("[[section.claim]]\nid = \"A-ordr\""),
                 "m.toml:4: there is no claim 'A-ordr'; did you mean A-order?"));
  CHECK(contains(block("[[section.equation]]\nexperiment = \"vectors\"\nstage = \"weihgts\""),
                 "m.toml:4: there is no stage 'weihgts'; did you mean weights?"));
  CHECK(contains(block("[[section.equation]]\nexperiment = \"vectors\"\nstage = \"vectors\""),
                 "m.toml:4: vectors is an input and has no formula"));
  CHECK(contains(block("[[section.text]]\nja = \"a\"\nen = \"![a](b.png)\""),
                 "m.toml:4: a text cannot have the picture 'b.png'"));
  CHECK(contains(block("[[section.sliders]]\nexperiment = \"vectors\"\nslide = \"cuont=3,5\""),
                 "m.toml:4: vectors has no parameter 'cuont'; did you mean count?"));
  CHECK(contains(
      block("[[section.sliders]]\nexperiment = \"vectors\"\nfigure = \"idea\"\nslide = \"count=3,5\""),
      "m.toml:4: the figure idea does not change with count"));
  CHECK(contains(block("[[section.film]]\nexperiment = \"vectors\""),
                 "m.toml:4: a film of vectors needs over; the numeric parameters of vectors are count, "));
  CHECK(contains(block("[[section.film]]\nexperiment = \"vectors\"\nfigure = \"barz\"\nover = \"count=3:5\""),
                 "m.toml:4: there is no figure 'barz'; did you mean bars?"));
  CHECK(contains(block("[[section.code]]\nexperiment = \"vectors\"\nparameters = { cuont = 3 }"),
                 "m.toml:4: there is no parameter 'cuont'; did you mean count?"));
  CHECK(contains(
      block("[[section.report]]\nexperiment = \"cost\"\nparameters = { seed = 1 }\nparts = [\"say\"]"),
      "m.toml:4: "));
}

TEST_CASE("files that the user's own attention is computed from count from the manifest") {
  const Workplace place;
  fs::create_directory(place.path("notes"));
  fs::copy_file(source_dir() / "data/attend/x.npy", place.path("notes/x.npy"));
  place.write("notes/m.toml",
              with_figure("experiment = \"attend\"\nfigure = \"weights\"\n"
                          "parameters = { query = \"x.npy\", key = \"x.npy\", value = \"x.npy\" }"));
  const Outcome outcome = place.run({"build", "notes/m.toml", "-o", "out"});
  CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  CHECK(place.has("out/ja/attend-weights.svg"));
}

TEST_CASE("what is no manifest is refused, and so is what is no folder") {
  const Workplace place;
  fs::create_directory(place.path("folder"));
  place.write("m.toml", small);
  const auto refused = [&](const Words& words, int exit_code) {
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    CHECK(place.files() == Words{"m.toml"});
    return outcome.err;
  };
  CHECK(contains(refused({"build", "folder"}, 1), "cannot read 'folder': it is a folder"));
  CHECK(contains(refused({"build", "/dev/null"}, 1), "it is a device"));
  CHECK(
      contains(refused({"build", "bok"}, 1), "neither a file nor a lecture 'bok'; the lectures that come "));
  CHECK(contains(refused({"build"}, 2), "build needs a lecture"));
  CHECK(contains(refused({"build", ""}, 2), "build needs a lecture"));
  CHECK(contains(refused({"build", "m.toml", "book"}, 2), "build takes no argument 'book'"));
  CHECK(contains(refused({"build", "m.toml", "-o", ""}, 2), "--output needs a value"));
  CHECK(contains(refused({"build", "m.toml", "-o", "a", "-o", "b"}, 2), "--output was given 2 times"));
  CHECK(contains(refused({"build", "m.toml", "--theme", "dark"}, 2), "no option '--theme'"));
  CHECK(contains(refused({"build", "m.toml", "-o", "m.toml"}, 1), "cannot create the folder 'm.toml'"));
  CHECK(contains(refused({"build", "m.toml", "-o", "m.toml/below"}, 1), "cannot create the folder"));
  CHECK(contains(refused({"build", "m.toml", "-o", "/sys"}, 1), "'/sys"));  // denied even to root
  CHECK(contains(refused({"build", "m.toml", "-o", "/sys/new"}, 1), "'/sys"));
}

TEST_CASE("other files in the folder stay, and what stands in the way stops the build before it writes") {
  const Workplace place;
  place.write("m.toml", small);
  fs::create_directories(place.path("out/ja/softmax-bars.png"));
  place.write("out/notes.txt", "mine");
  place.write("out/index.html", "old");
  const Outcome stopped = place.run({"build", "m.toml", "-o", "out"});
  CHECK(stopped.exit_code == 1);
  CHECK(contains(stopped.err, "softmax-bars.png"));
  CHECK(place.files() == Words{"m.toml", "out/index.html", "out/notes.txt"});
  CHECK(place.read("out/index.html") == "old");
  fs::remove(place.path("out/ja/softmax-bars.png"));
  CHECK(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
  CHECK(place.read("out/notes.txt") == "mine");
  CHECK(place.read("out/index.html") != "old");
  CHECK_FALSE(contains(place.read("out/SHA256SUMS"), "notes.txt"));
}

TEST_CASE("a full disk leaves every file whole: as it was, or new") {
  const Workplace place;
  place.write("m.toml", small);
  REQUIRE(place.run({"build", "m.toml", "-o", "out"}).exit_code == 0);
  const std::map<std::string, std::string> before = contents(place, "out");
  attnlab::Circumstances full;
  full.largest_file = 2000;
  const Outcome outcome = place.run({"build", "m.toml", "-o", "out"}, full);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.empty());
  CHECK(contents(place, "out") == before);  // the bytes of both builds are the same
}

TEST_CASE("build --list names the lectures that come along") {
  const Workplace place;
  const Words lines = lines_of(place.run({"build", "--list", "--lang", "en"}).out);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].rfind("book      Attention", 0) == 0);
  CHECK(lines[1].rfind("article   ", 0) == 0);
  CHECK(lines[2].rfind("slides    ", 0) == 0);
  CHECK(contains(place.run({"build", "--list", "--lang", "ja"}).out, "アテンション"));
}
