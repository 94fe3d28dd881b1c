// `attnlab build` as a user runs it: whole lectures, and what is said of documents that are wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "program.hpp"
#include "shell.hpp"
#include "source_dir.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::source_dir;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

std::string small_in(const std::string& language, const std::string& caption) {
  return "---\ntitle: Title\nlang: " + language + "\nformats: svg, png\nlook: --dpi 72\n---\n# Section\n\n" +
         "``` {.attnlab caption=\"" + caption +
         "\"}\nsoftmax --figure bars\n```\n\n``` {.attnlab}\nvectors --figure arrows --count 6\n```\n";
}

const std::string small = small_in("en", "Caption <1>");

/// The smallest lecture: a block with this command, in line 1.
std::string block(const std::string& command, const std::string& attributes = "") {
  return "``` {.attnlab" + (attributes.empty() ? "" : " " + attributes) + "}\n" + command + "\n```\n";
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

/// What is said of the document m.md, of which nothing comes.
std::string complaint(const std::string& document, const std::vector<std::string>& flags = {}) {
  const Workplace place;
  place.write("m.md", document);
  Words words{"build", "m.md", "-o", "out", "--lang", "en"};
  words.insert(words.end(), flags.begin(), flags.end());
  const Outcome outcome = place.run(words);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(place.files() == Words{"m.md"});
  CHECK_FALSE(place.has("out"));
  words[5] = "ja";
  const Outcome japanese = place.run(words);
  CHECK(contains(japanese.err, "m.md"));
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

std::string text_of(const fs::path& document) {
  std::ifstream stream(source_dir() / document);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// What stands between four backquotes.
std::string first_document_in(const fs::path& document) {
  const std::string text = text_of(document);
  const std::string fence = "````markdown\n";
  const std::size_t begin = text.find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t from = begin + fence.size();
  return text.substr(from, text.find("````", from) - from);
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

/// Both pages stand alone: nothing to be loaded, one script for the sliders and one for the talk.
void check_pages(const Workplace& place, const std::string& folder) {
  const std::map<std::string, std::string> files = contents(place, folder);
  for (const char* name : {"index.html", "index.en.html"}) {
    CAPTURE(name);
    const std::string& page = files.at(name);
    CHECK(contains(page, name == std::string("index.html") ? "<html lang=\"ja\">" : "<html lang=\"en\">"));
    const std::size_t script = page.find("<script>");
    REQUIRE(script != std::string::npos);
    const std::size_t talk = page.find("<script>", script + 1);
    REQUIRE(talk != std::string::npos);
    CHECK(page.find("<script>", talk + 1) == std::string::npos);
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

TEST_CASE("build writes figures, pages and data of documents in both languages, and the same bytes again") {
  const Workplace place;
  place.write("m.ja.md", small_in("ja", "説明 <1>"));
  place.write("m.en.md", small);
  const Outcome outcome = place.run({"build", "m.ja.md", "m.en.md", "-o", "one"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out == "15 files written: one/index.html\n");
  CHECK(place.run({"build", "m.ja.md", "m.en.md", "-o", "two/deep", "--quiet", "--lang", "ja"}).out.empty());
  const std::map<std::string, std::string> one = contents(place, "one");
  CHECK(one == contents(place, "two/deep"));
  Words names;
  for (const auto& [name, bytes] : one) names.push_back(name);
  CHECK(names == Words{"SHA256SUMS", "data/softmax-bars.csv", "data/softmax-bars.npz",
                       "data/vectors-arrows.csv", "data/vectors-arrows.npz", "en/softmax-bars.png",
                       "en/softmax-bars.svg", "en/vectors-arrows.png", "en/vectors-arrows.svg",
                       "index.en.html", "index.html", "ja/softmax-bars.png", "ja/softmax-bars.svg",
                       "ja/vectors-arrows.png", "ja/vectors-arrows.svg"});
  CHECK(attnlab::is_png(one.at("ja/softmax-bars.png")));
  CHECK(attnlab::is_svg(one.at("en/vectors-arrows.svg")));
  CHECK(contains(one.at("index.html"), "説明 &lt;1&gt;"));
  CHECK(contains(one.at("index.html"), "href=\"index.en.html\""));
  CHECK(contains(one.at("index.en.html"), "href=\"index.html\""));
  CHECK(contains(one.at("index.en.html"), "attnlab vectors --count 6"));
}

TEST_CASE("a lecture has one document in each language, with the same data") {
  const Workplace place;
  place.write("a.md", block("vectors --figure bars"));
  place.write("b.md", "文\n\n" + block("vectors --figure bars --count 3"));
  const Outcome twins = place.run({"build", "a.md", "a.md", "-o", "out"});
  CHECK(twins.exit_code == 2);
  CHECK(contains(twins.err, "two documents of the lecture have one language"));
  const Outcome other = place.run({"build", "a.md", "b.md", "-o", "out"});
  CHECK(other.exit_code == 1);
  CHECK(contains(other.err, "two documents make data/vectors-bars.npz different"));
  CHECK(place.files() == Words{"a.md", "b.md"});
}

TEST_CASE("SHA256SUMS names every other file, and sha256sum agrees") {
  const Workplace place;
  place.write("m.md", small);
  REQUIRE(place.run({"build", "m.md", "-o", "out"}).exit_code == 0);
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

TEST_CASE("the lectures in the documents can be built, and give the files that these name") {
  for (const char* document : {"docs/lectures.md", "docs/lectures.ja.md"}) {
    CAPTURE(document);
    const Workplace place;
    place.write("lecture.md", first_document_in(document));
    const Outcome outcome = place.run({"build", "lecture.md"});
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    CHECK(place.has("lecture/index.html"));
    CHECK(place.has("lecture/SHA256SUMS"));
    if (document != std::string("docs/lectures.md")) continue;
    for (const char* name :
         {"en/scaling-scatter.svg", "en/scaling-scatter.png", "en/masks-of-today.svg",
          "en/softmax-temperature.png", "data/scaling-scatter.npz", "data/softmax-bars.csv"}) {
      CHECK_MESSAGE(place.has("lecture/" + std::string(name)), name);
    }
  }
  std::string misspelt = first_document_in("docs/lectures.md");
  misspelt.replace(misspelt.find("--figure scatter"), 16, "--figure scater");
  const std::string reported = complaint(misspelt);
  CHECK(contains(text_of("docs/lectures.md"), "attnlab: lecture" + reported.substr(reported.find(".md:"))));
}

TEST_CASE("the lectures that come along are built, whole and by their documents, and stand alone") {
  check_pages(with_lecture("book"), "built");
#ifndef __SANITIZE_ADDRESS__  // each takes minutes, and runs the same code
  for (const char* name : {"slides", "course"}) CHECK(with_lecture(name).has("built/index.html"));
  const Workplace place;
  const Outcome printed = place.run({"build", "--print", "article", "--lang", "en"});
  CHECK(printed.exit_code == 0);
  CHECK(contains(printed.out, "``` {.attnlab"));
  place.write("mine.md", printed.out);
  const Outcome built = place.run({"build", "mine.md", "-o", "built", "--lang", "en"});
  CHECK(contains(built.out, "files written"));
  CHECK(built.err.empty());  // every figure has room for what it says
  CHECK(place.has("built/index.html"));
#endif
}

#ifndef __SANITIZE_ADDRESS__  // takes minutes, and runs the same code
TEST_CASE("the lectures that come along are decks of 15 to 25 slides, built without a warning") {
  if (!attnlab::is_installed("pandoc")) return;
  for (const char* name : {"article", "book", "course", "slides"}) {
    const Workplace place;
    const Outcome outcome = place.run({"build", name, "-o", "out", "--to", "revealjs", "--quiet"});
    CHECK(outcome.exit_code == 0);
    CHECK_MESSAGE(outcome.err.empty(), outcome.err);
    for (const char* slides : {"out/slides.en.html", "out/slides.ja.html"}) {
      CAPTURE(std::string(name) + " " + slides);
      const std::string html = place.read(slides);
      std::size_t sections = 0;
      for (std::size_t at = 0; (at = html.find("<section", at)) != std::string::npos; ++at) ++sections;
      CHECK(sections >= 15);
      CHECK(sections <= 25);
    }
  }
}
#endif

TEST_CASE("a lecture's name that is misspelt is told with the one meant") {
  const Outcome wrong = Workplace().run({"build", "--print", "artikle", "--lang", "en"});
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.err, "article"));
}

TEST_CASE("a mistake in a document is told with its file and line, and nothing is written") {
  CHECK(contains(complaint(""), "m.md:1: the document is empty"));
  CHECK(contains(complaint(std::string("\x89PNG\r\n\x1a\n\0\0", 10)), "m.md:1: this is no UTF-8"));
  CHECK(contains(complaint("---\nformats: gif\n---\n"), "m.md:2: formats cannot be 'gif'"));
  CHECK(contains(complaint("a\n\n" + block("sofmax")),
                 "m.md:3: there is no experiment 'sofmax'; did you mean softmax?\n"));
  CHECK(contains(complaint(block("train revers")), "m.md:1: there is no experiment 'train revers'; did you"));
  CHECK(
      contains(complaint(block("softmax --figure barz")), "m.md:1: there is no figure 'barz'; did you mean"));
  CHECK(contains(complaint(block("softmax --scorez 1")),
                 "m.md:1: softmax has no option '--scorez'; did you mean --scores?"));
  CHECK(contains(complaint(block("softmax bars")), "m.md:1: softmax takes no argument 'bars'"));
  CHECK(contains(complaint(block("train reverse again")), "m.md:1: train takes no argument 'again'"));
  CHECK(contains(complaint(block("vectors --count many")), "m.md:1: --count must be a whole number"));
  CHECK(contains(complaint(block("softmax --theme dork")), "m.md:1: --theme must be one of light, dark"));
  CHECK(contains(complaint(block("softmax --size 1x1in")), "m.md:1: "));
  CHECK(contains(complaint(block("softmax --title T --no-title")), "--title and --no-title cannot be given"));
  CHECK(contains(complaint(block("attend --x none.npy")), "m.md:1: "));
  CHECK(contains(complaint(block("softmax", ".reprot")), "m.md:1: there is no class 'reprot'; did you mean"));
  CHECK(
      contains(complaint(block("softmax", "captoin=x")), "m.md:1: there is no attribute 'captoin'; did you"));
  CHECK(contains(complaint(block("softmax", "caption=x")),
                 "m.md:1: a name and a caption belong to one figure"));
  CHECK(contains(complaint(block("softmax", ".report")), "m.md:1: the report's parts are not named"));
}

TEST_CASE("a document does not say where its files go, and has one language") {
  for (const char* flag :
       {"-o x.svg", "--output x.svg", "--output-dir x", "--format pdf", "--data x.npz", "--steps x", "--show",
        "--check x.npy", "--json", "--quiet", "--lang ja", "--help"}) {
    CAPTURE(flag);
    CHECK(contains(complaint(block("self-attention " + std::string(flag))), " has no place in a document"));
  }
  for (const char* flag : {"--save-model x.safetensors", "--film x.gif"})
    CHECK(contains(complaint(block("train reverse " + std::string(flag))), " has no place in a document"));
}

TEST_CASE("a mistake in the look of all figures is told with the line of that look") {
  const std::string figure = block("softmax");
  CHECK(
      contains(complaint("---\nlook: --dpi 1e9\n---\n" + figure), "m.md:2: --dpi must be a number from 36"));
  CHECK(contains(complaint("---\nlook: --colour red\n---\n" + figure),
                 "m.md:2: there is no look 'colour'; choose from "));
  CHECK(contains(complaint("---\nformats: png\nlook: --size 90x90in --dpi 1200\n---\n" + figure),
                 "m.md:5: a png of 108000 x 108000 pixels is too large"));
}

TEST_CASE("names of files cannot leave the folder or meet each other") {
  for (const char* name : {"../x", "/tmp/x", "a/b", "\"a b\"", ".hidden", "a.svg", "猫"}) {
    CAPTURE(name);
    CHECK(contains(complaint(block("softmax --figure bars", "label=" + std::string(name))),
                   "m.md:1: the name "));
  }
  const std::string bars = block("softmax --figure bars");
  CHECK(contains(complaint(bars + bars),
                 "m.md:4: there would be two figures softmax-bars, the other one of line 1"));
  const std::string loud = block("softmax --figure bars", "#Softmax-BARS");  // one file on a USB stick
  CHECK(
      contains(complaint(bars + loud, {"--to", "html"}), "m.md:4: there would be two figures Softmax-BARS"));
}

TEST_CASE("marks of HTML mean themselves in titles and captions") {
  const Workplace place;
  place.write("m.md", "---\ntitle: <b>&\nauthor: A & B\n---\n# 100 % <i>\n\n" +
                          block("softmax --figure bars", "caption=\"one <two>\""));
  REQUIRE(place.run({"build", "m.md", "-o", "out"}).exit_code == 0);
  const std::string page = place.read("out/index.html");
  for (const char* shown :
       {"<h1>&lt;b&gt;&amp;</h1>", "A &amp; B", "100 % &lt;i&gt;</h2>", "<p>one &lt;two&gt;</p>"})
    CHECK(contains(page, shown));
}

TEST_CASE("outputs are what --to says, looks and formats what the document says") {
  const Workplace place;
  place.write("m.md", "---\nformats: svg\nlook: --svg-text --title Mine\n---\n" +
                          block("softmax --figure bars", "#mine"));
  const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--to", "figures"});
  CHECK(outcome.out == "2 files written: out\n");
  CHECK(place.files() == Words{"m.md", "out/SHA256SUMS", "out/en/mine.svg"});
  CHECK(contains(place.read("out/en/mine.svg"), "<text"));
  CHECK(contains(place.read("out/en/mine.svg"), ">Mine</title>"));
  const Outcome wrong = place.run({"build", "m.md", "--to", "html,pptxx", "--lang", "en"});
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.err, "--to cannot be 'pptxx'; did you mean pptx?"));
}

TEST_CASE("a block's own look goes over the document's, key by key") {
  const Workplace place;
  place.write("m.md", "---\nformats: svg\nlook: --preset slide-4x3 --theme dark\n---\n" +
                          block("softmax --figure bars --preset slide-16x9"));
  REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "figures"}).exit_code == 0);
  const Outcome alone = place.run({"softmax", "--figure", "bars", "--preset", "slide-16x9", "--theme", "dark",
                                   "--lang", "en", "-o", "-", "--format", "svg"});
  CHECK(place.read("out/en/softmax-bars.svg") == alone.out);
}

TEST_CASE("Markdown with its commands carried out goes to a file with its pictures, and through a pipe") {
  const Workplace place;
  place.write("m.md", "text\n\n" + block("softmax --figure bars") + "\n" + block("claims A-order"));
  REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "markdown"}).exit_code == 0);
  CHECK(place.files() ==
        Words{"m.md", "out/SHA256SUMS", "out/lecture.en.md", "out/pictures/en/softmax-bars.svg"});
  CHECK(contains(place.read("out/lecture.en.md"), "(pictures/en/softmax-bars.svg){#softmax-bars"));
  CHECK_FALSE(contains(place.read("out/pictures/en/softmax-bars.svg"), "id=\"title\""));
  const std::string piped =
      attnlab::printed_by("printf '%s' " + attnlab::shell_quoted(block("claims A-order")) + " | " +
                          attnlab::shell_quoted(ATTNLAB_PROGRAM) + " build - --to markdown --lang ja");
  CHECK(contains(piped, "::: {.attnlab-claim verdict=\"holds\"}\n> "));
  CHECK(contains(piped, "**✓ 成り立つ**"));
}

TEST_CASE("a page that grew is told with the line of its figure") {
  const Workplace place;
  place.write("m.md", "a\n\n" + block("positional --figure relative --preset column"));
  const Outcome outcome = place.run({"build", "m.md", "-o", "out"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err,
                 "warning: m.md:3: positional relative: relative has no room on the page of column"));
}

/// A question that is answered in a figure, in line 1; the figure stands in line 4.
std::string guess(const std::string& stage, const std::string& command) {
  return "::: question\nWhich?\n\n" + block(command, "stage=\"" + stage + "\"") +
         "\n::: answer\nThis.\n:::\n:::\n";
}

TEST_CASE(
    "a question asks for the greatest of a row, or for one number, and knows what mistakes make of it") {
  const Workplace place;
  place.write("m.md", guess("weights[0,1]", "by-hand --figure weights") +
                          guess("weights[0,1]", "vectors --figure bars"));
  const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--to", "html,markdown"});
  REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
  const std::string page = unescaped(place.read("out/index.html"));
  std::vector<nlohmann::json> requested;
  const std::string start = "data-guess=\"";
  for (std::size_t at = page.find(start); at != std::string::npos; at = page.find(start, at + 1)) {
    const std::size_t begin = at + start.size();
    requested.push_back(nlohmann::json::parse(page.substr(begin, page.find("}\">", begin) + 1 - begin)));
  }
  REQUIRE(requested.size() == 2);
  CHECK(requested[0].at("answer") == 0.0);  // bank reads river
  const auto by_mistake = [&](double answer) {
    std::string what;
    for (const auto& [made, words] :
         requested[0].at("mistakes").get<std::vector<std::pair<double, std::string>>>())
      if (made == answer) what = words;
    return what;
  };
  CHECK(contains(by_mistake(2.0), "mask"));  // lends, which is hidden
  CHECK_FALSE(requested[0].contains("range"));
  // exp(cos 9°) over the sum of all ten, as a share of what the slider spans
  CHECK(requested[1].at("answer").get<double>() == doctest::Approx(0.2120759).epsilon(1e-6));
  CHECK(requested[1].at("range") == nlohmann::json{0.0, 0.5});
  const std::string above = page.substr(0, page.find("<details>"));
  CHECK_FALSE(contains(above, "bank reads"));  // neither the title nor what marks say tells the answer
  CHECK(contains(above, "role=\"button\""));
  const std::string document = place.read("out/lecture.en.md");
  CHECK(document.find("by-hand-weights-covered") < document.find("::: answer"));
  CHECK(document.find("(pictures/en/by-hand-weights)") > document.find("::: answer"));
}

TEST_CASE("a question whose answer its figure does not show, or that has two, is refused with its line") {
  CHECK(contains(complaint(guess("weights[0,2]", "by-hand --figure weights")),
                 "m.md:4: 'weights[0,2]' has no one greatest"));
  CHECK(contains(complaint(guess("weights[0,1]", "by-hand --figure words")), "figure words does not show"));
  CHECK(contains(complaint(guess("weights[0,9]", "by-hand --figure weights")),
                 "not inside the shape (2, 3, 3)"));
  CHECK(contains(complaint(guess("weights[x]", "by-hand --figure weights")), "cannot be read"));
  CHECK(contains(complaint(guess("wieghts[0,1]", "by-hand --figure weights")), "did you mean weights"));
  CHECK(contains(complaint("::: question\n![a](b.png)\n\n::: answer\nb\n:::\n:::\n"), "m.md:2: "));
  CHECK(contains(complaint(guess("weights[0,1]", "by-hand")), "what is to be guessed is not named"));
  CHECK(
      contains(complaint("::: question\na\n" + block("vectors --figure bars") + "::: answer\nb\n:::\n:::\n"),
               "m.md:3: what is to be guessed"));
}

TEST_CASE("every kind of block is built, in the order of the document and from the program's own numbers") {
  const Workplace place;
  place.write("m.md", "---\ntitle: T\n---\n# S\n\nfirst **bold** $d_k$\n\n$$\n\\frac{a}{b}\n$$\n\n" +
                          block("vectors", "stage=weights") +
                          block("vectors", ".report .say .misunderstanding") + block("vectors --explain") +
                          block("scaling --keys 7", ".report .table .note") + block("claims A-footnote-b") +
                          "::: steps\n" + block("vectors --figure bars") +
                          block("vectors --figure bars --count 6") + ":::\n\n" +
                          block("vectors --slide count=3,5", "#move") +
                          block("sweep vectors --figure bars --over count=3:6") +
                          "::: question\nWhy?\n\n::: answer\nSo.\n:::\n:::\n\n---\n\n" +
                          block("vectors --count 6 --code numpy"));
  const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--to", "html"});
  CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  CHECK(outcome.out == "2 files written: out/index.html\n");
  const std::string page = place.read("out/index.html");
  std::size_t at = 0;
  for (const char* part :
       {"<strong>bold</strong>", "<mfrac>", "<mi>weights</mi>", "callout say", "callout misunderstanding",
        "<ol>\n<li><p>", "<th scope=\"col\">", "callout note", "claim fails", "name=\"steps.1\"",
        "vectors-bars-step-2", "id=\"move\"", "data:image/gif;base64,", "<b>Question 1</b>",
        "<div class=\"break\">", "import numpy as np", "<h2>Answers</h2>"}) {
    const std::size_t found = page.find(part, at);
    CHECK_MESSAGE(found != std::string::npos, part);
    if (found != std::string::npos) at = found;
  }
  const Outcome program = place.run({"vectors", "--count", "6", "--code", "numpy", "--lang", "en"});
  const std::string shown =
      std::regex_replace(unescaped(page), std::regex("<span class=\"checks\">|</span>"), "");
  CHECK(contains(shown, program.out));
}

TEST_CASE("films follow the reader's setting, or the look's own theme") {
  const auto page = [](const std::string& look) {
    const Workplace place;
    place.write("m.md", block("sweep vectors --over count=3:5" + look));
    const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--to", "html"});
    REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
    return place.read("out/index.html");
  };
  const char* for_dark = "<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"data:image/gif;";
  CHECK(contains(page(""), for_dark));
  CHECK_FALSE(contains(page(" --theme dark"), "<source"));
  CHECK(page(" --theme dark") != page(" --theme light"));
}

TEST_CASE("blocks are checked where no page is written, too") {
  CHECK(contains(complaint(block("claims A-ordr"), {"--to", "data"}),
                 "m.md:1: there is no claim 'A-ordr'; did you mean A-order?"));
}

TEST_CASE("a training has no program, which is told with its line while the others are written") {
  const Workplace place;
  place.write("m.md", block("train induction --figure weights --model induction --no-control") +
                          block("softmax --figure bars"));
  const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--to", "code"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "m.md:1: there is no program of it: "));
  CHECK(place.has("out/code/softmax-bars.py"));
  CHECK_FALSE(place.has("out/code/train-induction-weights.py"));
}

TEST_CASE("on a telephone numbered maps stand below each other, and pictures with exponents fit the screen") {
  const Workplace place;
  std::string document;
  for (const char* command :
       {"masks --figure weights", "heads --figure weights", "variance --figure spread", "cost --figure cost"})
    document += block(command);
  place.write("m.md", document);
  REQUIRE(place.run({"build", "m.md", "-o", "out", "--quiet", "--to", "html"}).exit_code == 0);
  const std::string page = place.read("out/index.html");
  const std::regex narrow(
      "class=\"picture narrow scroll\"><svg viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\" style=\"min-width:([0-9]+)px");
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
  CHECK(contains(complaint(block("vectors --figure bars") +
                           block("vectors --figure bars --slide count=3,5", "#Vectors-bars")),
                 "m.md:4: there would be two figures Vectors-bars, the other one of line 1"));
}

TEST_CASE("sliders and films take values inside a text") {
  const Workplace place;
  place.write("m.md", block("masks --mask causal,window:@ --slide mask=1:3") +
                          block("sweep masks --mask window:@ --over mask=1:3"));
  const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--quiet"});
  CHECK(outcome.err.empty());
  CHECK(outcome.exit_code == 0);
  CHECK(contains(place.read("out/index.html"), "causal,window:1"));
}

TEST_CASE("what a block asks for and does not get is told with its line") {
  const auto reported = [](const std::string& command, const std::string& attributes = "") {
    return complaint("# S\n\n" + block(command, attributes));
  };
  CHECK(contains(reported("claims A-ordr"), "m.md:3: there is no claim 'A-ordr'; did you mean A-order?"));
  CHECK(contains(reported("claims"), "m.md:3: the claim is not named"));
  CHECK(contains(reported("vectors", "stage=weihgts"),
                 "m.md:3: there is no stage 'weihgts'; did you mean weights?"));
  CHECK(contains(reported("vectors", "stage=vectors"), "m.md:3: vectors is an input and has no formula"));
  CHECK(contains(complaint("a\n\n# S\n\n![a](b.png)\n"), "m.md:5: cannot read 'b.png'"));
  for (const char* wrong : {"![a](b.png)", "$\\unknown$", "[a](javascript:b)", "<img src=\"x\"> $\\unknown$"})
    CHECK(contains(complaint("# S\n\na\n\n- b\n\n  c $d$\n  " + std::string(wrong) + "\n"), "m.md:8: "));
  CHECK(contains(reported("vectors --slide cuont=3,5"),
                 "m.md:3: vectors has no parameter 'cuont'; did you mean"));
  CHECK(contains(reported("vectors --figure idea --slide count=3,5"),
                 "m.md:3: the figure idea does not change"));
  CHECK(contains(reported("train induction --model induction", ".sliders"),
                 "m.md:3: train induction has no slider"));
  CHECK(contains(reported("vectors", ".film"),
                 "m.md:3: a film of vectors needs sweep and --over; the numeric"));
  CHECK(contains(reported("sweep vectors --figure barz --over count=3:5"),
                 "m.md:3: vectors has no figure 'barz'"));
  CHECK(contains(reported("sweep"), "m.md:3: "));
  CHECK(contains(reported("sweep vectors"), "m.md:3: --over is missing"));
  CHECK(contains(reported("vectors --cuont 3 --code numpy"),
                 "m.md:3: vectors has no option '--cuont'; did you mean --count?"));
  CHECK(contains(reported("vectors", ".note"), "m.md:3: the report of vectors has no such part"));
  CHECK(contains(reported("train induction --model induction --code numpy"), "m.md:3: "));
}

TEST_CASE("files that the user's own attention is computed from count from the document") {
  const Workplace place;
  fs::create_directory(place.path("notes"));
  fs::copy_file(source_dir() / "data/attend/x.npy", place.path("notes/x.npy"));
  place.write("notes/m.md", block("attend --figure weights --query x.npy --key x.npy --value x.npy") +
                                block("attend --figure weights --x x.npy --heads 2", "#again"));
  const Outcome outcome = place.run({"build", "notes/m.md", "-o", "out"});
  CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  CHECK(place.has("out/en/attend-weights.svg"));
}

TEST_CASE("a block reads files of the document's folder and those below it alone, wherever links lead") {
  const Workplace place;
  fs::create_directories(place.path("notes/below"));
  const std::string x = "attend --figure weights --x x.npy";
  for (const char* copy : {"x.npy", "notes/x.npy", "notes/below/x.npy"})
    fs::copy_file(source_dir() / "data/attend/x.npy", place.path(copy));
  place.write("secret.txt", "SECRET\n");
  place.write("secret.json", "{\"scores\": [1, 2, 3]}");
  fs::create_symlink("../secret.txt", place.path("notes/link.txt"));
  fs::create_symlink("../x.npy", place.path("notes/link.npy"));
  fs::create_symlink("..", place.path("notes/up"));
  const std::string absolute = place.path("secret.txt").string();
  for (const std::string& command :
       std::vector<std::string>{x + " --labels " + absolute,
                                x + " --key-labels notes/../secret.txt",
                                x + " --labels notes/link.txt",
                                x + " --labels link.txt",
                                x + " --mask " + absolute,
                                x + " --mask ../x.npy",
                                x + " --mask link.npy",
                                x + " --image " + absolute,
                                x + " --projections ../x.npy",
                                "self-attention --labels " + absolute,
                                "self-attention --labels link.txt",
                                "self-attention --labels ../secret.json:scores",
                                "draw ../x.npy",
                                "draw x.npy --labels " + absolute,
                                "attend --x ../x.npy",
                                "attend --x link.npy",
                                "attend --x up/x.npy",
                                "attend --x -",
                                "attend --x /dev/stdin",
                                "attend --x " + place.path("x.npy").string(),
                                "softmax --input scores=../secret.json",
                                "softmax --input scores=up/secret.json",
                                "model --model .. --text a",
                                "model --model up --text a",
                                "model --model text --tokenizer ../secret.json --text a",
                                "model --model text --text -",
                                "heads --model .. --text a",
                                "generation --model up --text a",
                                "train pairs --pairs ../secret.txt",
                                "train pairs --pairs link.txt",
                                "train reverse --model ../x.npy",
                                x + " --mask @ --slide mask=" + absolute + "," + absolute}) {
    CAPTURE(command);
    place.write("notes/m.md", "text\n\n" + block(command));
    const Outcome outcome = place.run({"build", "notes/m.md", "-o", "out", "--lang", "en"});
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.err, "m.md:3: "));
    CHECK_FALSE(contains(outcome.err, "SECRET"));
    CHECK_FALSE(place.has("out"));
  }
  place.write("notes/m.md", block("attend --x below/x.npy --figure weights", "#two") +
                                block("attend --x up/notes/x.npy --figure weights", "#three"));
  const Outcome outcome = place.run({"build", "notes/m.md", "-o", "out", "--lang", "en"});
  CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  place.write("notes/m.md", block("model --model text --text -"));
  CHECK(contains(on_one_line(place.run({"build", "notes/m.md", "-o", "out", "--lang", "en"}).err),
                 "m.md:1: cannot read '-': it is standard input, which no block of a document reads"));
  place.write("notes/labels.txt", "two\nlines\n");
  place.write("notes/m.md", block(x + " --labels labels.txt"));
  CHECK(
      contains(place.run({"build", "notes/m.md", "-o", "out", "--lang", "en"}).err, "--labels has 2 labels"));
  place.write("notes/w.csv", "0.5,0.5\n0.25,0.75\n");
  place.write("notes/m.md", block("draw w.csv --labels labels.txt --figure weights", "#four") +
                                block("self-attention --labels labels.txt --figure weights", "#five"));
  const Outcome labelled = place.run({"build", "notes/m.md", "-o", "out", "--lang", "en"});
  CHECK_MESSAGE(labelled.exit_code == 0, labelled.err);
}

TEST_CASE("what pandoc makes of a document holds no file, no code and no server of its own") {
  if (!attnlab::is_installed("pandoc")) return;
  const Workplace place;
  place.write("secret.png", "SECRET");
  const std::string secret = place.path("secret.png").string();
  const std::string heading = "---\nlang: en\n---\ntext\n\n";
  const std::vector<std::pair<std::string, std::string>> refused{
      {"# ![x](" + secret + ")", "picture '"},
      {"# ![x][y]\n\n[y]: " + secret, "picture '"},
      {"# ![x](http://127.0.0.1:9/a.png)", "picture 'http"},
      {"a[^1]\n\n[^1]: b\n\n    ![x](" + secret + ")", "picture '"},
      {"| a |\n|---|\n| ![x](" + secret + ") |", "picture '"},
      {"# [a](javascript:alert(1))", "link cannot lead to 'javascript"},
      {"a[^1]\n\n[^1]: [a](JavaScript:alert(1))", "link cannot lead to"},
      {"# $\\input{/etc/passwd}$", "'\\input' is not known"},
      {"# $\\mathrm{\\directlua{x}}$", "cannot hold"},
      {"::: {.cell .code}\n```python\nimport os\n```\n:::", "class cell"},
      {"> ::: {.cell .code}\n> ```python\n> import os\n> ```\n> :::", "class cell"},
      {"```{.python command=\"x\"}\nimport os\n```", "attribute 'command=x'"},
      {"::: {.attnlab-figure title=\"a\" command=\"x\"}\na\n:::", "a figure cannot stand there"},
      {"> ``` {.attnlab}\n> vectors --steps 5\n> ```", "a figure cannot stand there"},
      {"## A {background-iframe=\"http://a.example\"}", "attribute 'background-iframe"},
      {"::: {style=\"background:url(http://a.example)\"}\na\n:::", "attribute 'style"}};
  for (const auto& entry : refused) {
    const auto& [text, problem] = entry;
    CAPTURE(entry.first);
    place.write("m.md", heading + text + "\n");
    const Outcome outcome = place.run({"build", "m.md", "-o", "out", "--to", "docx", "--lang", "en"});
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.err, problem));
    CHECK(contains(outcome.err, "m.md:"));
    CHECK_FALSE(contains(outcome.err, "m.md:1:"));
    CHECK_FALSE(place.has("out"));
  }
}

TEST_CASE("a document's own pictures lie inside of the page, and beside what shows them from there") {
  const Workplace place;
  fs::create_directories(place.path("notes/below"));
  const std::string dot =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><circle r=\"4\"/></svg>";
  place.write("notes/below/dot.svg", dot);
  fs::copy_file(source_dir() / "docs/pictures/vectors-arrows.en.png", place.path("notes/a.png"));
  place.write("notes/m.md",
              "---\nlang: en\n---\n![An *arrow*](a.png){width=60%}\n\na ![dot](below/dot.svg) b[^1]\n\n"
              "[^1]: ![again](./a.png)\n");
  const std::string outputs = attnlab::is_installed("pandoc") ? "html,revealjs,epub" : "html";
  const Outcome outcome = place.run({"build", "notes/m.md", "-o", "out", "--to", outputs});
  REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
  const std::string page = place.read("out/index.html");
  CHECK(contains(page, "style=\"width:60%;\"><figcaption>An arrow</figcaption>"));
  CHECK(contains(page, "a <img src=\"data:image/svg+xml;base64,"));
  CHECK(contains(page, "<li id=\"note.1\"><figure><img src=\"data:image/png;base64,iVBOR"));
  if (!attnlab::is_installed("pandoc")) return;
  CHECK(place.read("out/a.png") == place.read("notes/a.png"));
  CHECK(place.read("out/below/dot.svg") == dot);
  CHECK(contains(place.read("out/slides.en.html"), "<img data-src=\"a.png\""));
}

TEST_CASE(
    "a picture that is missing, elsewhere, no picture, or not just a picture is refused with its line") {
  const Workplace place;
  fs::create_directory(place.path("notes"));
  const auto svg = [&](const std::string& name, const std::string& inside) {
    place.write("notes/" + name, "<svg xmlns=\"http://www.w3.org/2000/svg\">" + inside + "</svg>");
  };
  svg("out.svg", "");
  fs::rename(place.path("notes/out.svg"), place.path("out.svg"));
  fs::create_symlink("../out.svg", place.path("notes/link.svg"));
  svg("script.svg", "<SCRIPT>alert(1)</SCRIPT>");
  svg("event.svg", "<g\nonload = 'alert(1)'/>");
  svg("entity.svg", "<!ENTITY x SYSTEM 'file:///etc/passwd'>");
  svg("file.svg", "<image href='/etc/passwd'/>");
  svg("style.svg", "<style>g { fill: url(http://a.example/a) }</style>");
  svg("good.svg", "<g fill='url(#a)'/><image href='data:image/png;base64,AAAA'/>");
  place.write("notes/text.png", "text");
  place.write("notes/broken.png", std::string("\x89PNG\r\n\x1a\n\0\0", 10));
  const std::vector<std::pair<std::string, std::string>> refused{
      {"none.png", "none.png"},
      {"../out.svg", "outside"},
      {"/etc/passwd", "outside"},
      {"link.svg", "folder"},
      {"http://a.example/a.png", "lies elsewhere"},
      {"data:image/png;base64,AA", "lies elsewhere"},
      {"script.svg", "script"},
      {"event.svg", "script"},
      {"entity.svg", "entity"},
      {"file.svg", "another file"},
      {"style.svg", "another file"},
      {"text.png", "no PNG"},
      {"broken.png", "damaged"},
      {"", "outside"}};
  for (const auto& entry : refused) {
    const auto& [target, problem] = entry;
    CAPTURE(entry.first);
    place.write("notes/m.md", "one\n\ntwo ![x](" + target + ")\n");
    const Outcome outcome = place.run({"build", "notes/m.md", "-o", "out", "--lang", "en"});
    CHECK(outcome.exit_code == 1);
    CHECK_MESSAGE(contains(outcome.err, "m.md:3: "), outcome.err);
    CHECK_MESSAGE(contains(outcome.err, problem), outcome.err);
    CHECK_FALSE(place.has("out"));
  }
  place.write("notes/m.md", "![x](good.svg)\n");
  CHECK(place.run({"build", "notes/m.md", "-o", "out"}).exit_code == 0);
  if (attnlab::is_installed("pandoc"))
    CHECK(contains(place.run({"build", "notes/m.md", "-o", "out2", "--to", "pptx", "--lang", "en"}).err,
                   "m.md:1: PowerPoint and Word cannot take the SVG"));
}

TEST_CASE(
    "HTML, TeX and Word's own XML of a document are text in what pandoc makes, and so is its front matter") {
  if (!attnlab::is_installed("pandoc")) return;
  const Workplace place;
  place.write(
      "m.md",
      "---\nlang: en\nsubtitle: '![x](http://127.0.0.1:9/s.png)'\nauthor: <b>A</b>\n---\n% title\n\n"
      "<script>alert(1)</script> \\input{/etc/passwd} `\\directlua{x}`{=latex} <img src=\"/etc/passwd\">\n\n"
      "```{=openxml}\n<w:evil/>\n```\n\n```{=latex}\n\\evil\n```\n\n<div class=\"cell code\">\nb\n</div>\n\n"
      "---\ncss: http://a.example/a.css\n...\n\n\\newcommand{\\two}{\\evil}\n\n" +
          block("softmax --figure bars"));
  const Outcome outcome =
      place.run({"build", "m.md", "-o", "out", "--to", "docx,revealjs,beamer,notebook", "--lang", "en"});
  REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
  const std::string page = place.read("out/slides.en.html");
  CHECK(contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "<img src=\"/etc"));
  CHECK_FALSE(contains(page, "href=\"http://a.example"));
  CHECK_FALSE(contains(page, "src=\"http://127"));
  const std::string slides = place.read("out/slides.en.tex");
  CHECK_FALSE(std::regex_search(slides, std::regex(R"((^|[^A-Za-z])\\(directlua|evil|input\{/etc))")));
  const nlohmann::json notebook = nlohmann::json::parse(place.read("out/notebook.en.ipynb"));
  int codes = 0;
  for (const nlohmann::json& cell : notebook.at("cells")) codes += cell.at("cell_type") == "code" ? 1 : 0;
  CHECK(codes == 2);  // the extension, and the figure
}

TEST_CASE("what is no document is refused, and so is what is no folder") {
  const Workplace place;
  fs::create_directory(place.path("folder"));
  place.write("m.md", small);
  const auto refused = [&](const Words& words, int exit_code) {
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    CHECK(place.files() == Words{"m.md"});
    return outcome.err;
  };
  CHECK(contains(refused({"build", "folder"}, 1), "cannot read 'folder': it is a folder"));
  CHECK(contains(refused({"build", "/dev/null"}, 1), "it is a device"));
  CHECK(
      contains(refused({"build", "bok"}, 1), "neither a file nor a lecture 'bok'; the lectures that come "));
  CHECK(contains(refused({"build"}, 2), "build needs a lecture"));
  CHECK(contains(refused({"build", ""}, 2), "build needs a lecture"));
  CHECK(contains(refused({"build", "m.md", "book"}, 2), "two documents of the lecture have one language"));
  CHECK(contains(refused({"build", "m.md", "-o", ""}, 2), "--output needs a value"));
  CHECK(contains(refused({"build", "m.md", "-o", "a", "-o", "b"}, 2), "--output was given 2 times"));
  CHECK(contains(refused({"build", "m.md", "--theme", "dark"}, 2), "no option '--theme'"));
  CHECK(contains(refused({"build", "m.md", "-o", "m.md"}, 1), "cannot create the folder 'm.md'"));
  CHECK(contains(refused({"build", "m.md", "-o", "m.md/below"}, 1), "cannot create the folder"));
  CHECK(contains(refused({"build", "m.md", "-o", "/sys"}, 1), "'/sys"));  // denied even to root
  CHECK(contains(refused({"build", "m.md", "-o", "/sys/new"}, 1), "'/sys"));
}

TEST_CASE("other files in the folder stay, and what stands in the way stops the build before it writes") {
  const Workplace place;
  place.write("m.md", small);
  fs::create_directories(place.path("out/en/softmax-bars.png"));
  place.write("out/notes.txt", "mine");
  place.write("out/index.html", "old");
  const Outcome stopped = place.run({"build", "m.md", "-o", "out"});
  CHECK(stopped.exit_code == 1);
  CHECK(contains(stopped.err, "softmax-bars.png"));
  CHECK(place.files() == Words{"m.md", "out/index.html", "out/notes.txt"});
  CHECK(place.read("out/index.html") == "old");
  fs::remove(place.path("out/en/softmax-bars.png"));
  CHECK(place.run({"build", "m.md", "-o", "out"}).exit_code == 0);
  CHECK(place.read("out/notes.txt") == "mine");
  CHECK(place.read("out/index.html") != "old");
  CHECK_FALSE(contains(place.read("out/SHA256SUMS"), "notes.txt"));
}

TEST_CASE("a full disk leaves every file whole: as it was, or new") {
  const Workplace place;
  place.write("m.md", small);
  REQUIRE(place.run({"build", "m.md", "-o", "out"}).exit_code == 0);
  const std::map<std::string, std::string> before = contents(place, "out");
  attnlab::Circumstances full;
  full.largest_file = 2000;
  const Outcome outcome = place.run({"build", "m.md", "-o", "out"}, full);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.empty());
  CHECK(contents(place, "out") == before);  // the bytes of both builds are the same
}

TEST_CASE("build --list names the lectures that come along") {
  const Workplace place;
  const Words lines = lines_of(place.run({"build", "--list", "--lang", "en"}).out);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].rfind("article   ", 0) == 0);
  CHECK(lines[1].rfind("book      Attention", 0) == 0);
  CHECK(lines[2].rfind("course    ", 0) == 0);
  CHECK(lines[3].rfind("slides    ", 0) == 0);
  CHECK(contains(place.run({"build", "--list", "--lang", "ja"}).out, "アテンション"));
}
