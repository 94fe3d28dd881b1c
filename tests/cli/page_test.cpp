// `attnlab EXPERIMENT -o page.html` as a user runs it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"
#include "program.hpp"

using attnlab::contains;
using attnlab::Outcome;
using attnlab::refused_call;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

const Words angles{"vectors", "-o", "page.html", "--slide", "query-angle=0:350:36"};

Words and_also(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("36 frames of vectors are a page of 150 kB at most, and a run as ever besides") {
  const Workplace place;
  const Outcome outcome = place.run(angles);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(contains(outcome.out, "largest"));
  CHECK(attnlab::lines_of(outcome.out).back() == "page.html");
  CHECK(place.files() == Words{"page.html"});
  const std::string page = place.read("page.html");
  CHECK(page.size() <= 150'000);
  CHECK(page.substr(0, 15) == "<!DOCTYPE html>");
  CHECK(contains(page, ">attnlab vectors --slide query-angle=0:350:36 --lang en -o page.html</code>"));
}

TEST_CASE("Two sliders make a grid of 2 MB at most") {
  const Workplace place;
  const Outcome outcome = place.run(
      {"vectors", "-o", "page.html", "--slide", "query-angle=0:342:40", "--slide", "count=3:12", "--quiet"});
  CHECK(outcome.exit_code == 0);
  const std::string page = place.read("page.html");
  CHECK(page.size() <= 2'000'000);
  CHECK(contains(page, "id=\"slider-1\""));
}

TEST_CASE("400 frames of a map that grows are a page of 2 MB at most") {
  const Workplace place;
  const Outcome outcome = place.run(
      {"self-attention", "-o", "page.html", "--slide", "tokens=2:11", "--slide", "seed=0:39:40", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CHECK(place.read("page.html").size() <= 2'000'000);
}

TEST_CASE("The same page has the same bytes, beside other figures, too") {
  const Workplace place;
  REQUIRE(place.run(and_also(angles, {"--quiet"})).exit_code == 0);
  const std::string page = place.read("page.html");
  REQUIRE(place.run(and_also(angles, {"-o", "still.svg", "--quiet"})).exit_code == 0);
  CHECK(place.files() == Words{"page.html", "still.svg"});
  CHECK(place.read("page.html") == page);
}

TEST_CASE("Every experiment has sliders that change a figure, on a page of 2 MB at most") {
  for (const attnlab::Experiment& experiment : attnlab::experiments()) {
    CAPTURE(experiment.name);
    REQUIRE_FALSE(experiment.sliders.empty());
    const Workplace place;
    const Outcome outcome = place.run({experiment.name, "-o", "page.html", "--quiet"});
    CHECK(outcome.exit_code == 0);
    CHECK_FALSE(contains(outcome.err, "no frame"));
    CHECK(place.read("page.html").size() <= (experiment.name == "vectors" ? 150'000 : 2'000'000));
  }
}

TEST_CASE("A value may go into a larger text on a page, too") {
  const Workplace place;
  const Words masks{"masks",    "--mask", "causal,window:@", "--slide",
                    "mask=1:3", "-o",     "page.html",       "--quiet"};
  CHECK(place.run(masks).exit_code == 0);
  CHECK(contains(place.read("page.html"),
                 "attnlab masks --mask causal,window:@ --slide mask=1:3 --lang en -o page.html"));
}

TEST_CASE("Cells that a later frame brings answer, too") {
  const Workplace place;
  REQUIRE(place.run({"self-attention", "--slide", "tokens=2,4", "-o", "page.html", "--lang", "en", "--quiet"})
              .exit_code == 0);
  const std::string page = place.read("page.html");
  for (const char* last : {"data-at=\"0 3 3\"", "data-at=\"0 3 0\"", "data-at=\"0 1 1\""})
    CHECK_MESSAGE(contains(page, last), last);
  CHECK_FALSE(contains(page, "data-at=\"0 4 0\""));
}

TEST_CASE("Where there is no slider a page stands still, and its marks answer") {
  const Workplace place;
  place.write("x.csv", "1,0\n0,1\n1,1\n");
  const Outcome outcome = place.run(
      {"attend", "--query", "x.csv", "--key", "x.csv", "--value", "x.csv", "-o", "page.html", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(place.read("page.html"), "data-at=\"0 2 2\""));
  CHECK(contains(place.read("page.html"), "-o page.html</code>"));
  CHECK_FALSE(contains(place.read("page.html"), "id=\"slider-0\""));
}

TEST_CASE("A map of many cells is an image that answers, one for the day and one for the night") {
  const Workplace place;
  const Outcome outcome =
      place.run({"self-attention", "--tokens", "200", "--slide", "seed=0,1", "-o", "page.html", "--quiet"});
  CHECK(outcome.exit_code == 0);
  const std::string page = place.read("page.html");
  CHECK(contains(page, "<image data-grid=\"0\""));
  CHECK(contains(page, "class=\"by-day\""));
  CHECK(contains(page, "class=\"by-night\""));
}

TEST_CASE("Labels on a page are text") {
  const Workplace place;
  const std::string label = "</script><b onclick=x>";
  REQUIRE(
      place.run({"self-attention", "--labels", label + ",b,c,d", "-o", "page.html", "--quiet"}).exit_code ==
      0);
  CHECK_FALSE(contains(place.read("page.html"), "<b onclick"));
}

TEST_CASE("A page that few networks carry says so") {
  const Workplace place;
  const Outcome outcome = place.run({"filters", "--slide", "seed=0:99:100", "-o", "page.html", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, " MB; fewer frames of --slide make it smaller"));
  CHECK(place.read("page.html").size() > 2000000);
}

TEST_CASE("A figure that the experiment's own sliders do not change is a page that stands still") {
  const Workplace place;
  for (const Words& words : {Words{"softmax", "--figure", "bars"}, Words{"mistakes", "off-by-one"}}) {
    const Outcome outcome = place.run(and_also(words, {"-o", "page.html", "--quiet"}));
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK_FALSE(contains(place.read("page.html"), "id=\"slider-0\""));
  }
}

TEST_CASE("Of the experiment's own sliders those stay that change the figure") {
  const Workplace place;
  REQUIRE(place.run({"rope", "--figure", "wavelengths", "-o", "page.html", "--lang", "en", "--quiet"})
              .exit_code == 0);
  const std::string page = place.read("page.html");
  CHECK(contains(page, "base of the frequencies"));
  CHECK_FALSE(contains(page, "distance m − n that the figures mark"));
  CHECK(contains(page, "id=\"slider-0\""));
  CHECK_FALSE(contains(page, "id=\"slider-1\""));
}

/// The value with which the first slider opens.
std::string opening_value(const Words& words) {
  const Workplace place;
  const Outcome outcome = place.run(and_also(words, {"-o", "page.html", "--quiet"}));
  CHECK(outcome.exit_code == 0);
  const std::string page = place.read("page.html");
  const std::string mark = "aria-valuetext=\"";
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + mark.size();
  return page.substr(begin, page.find('"', begin) - begin);
}

TEST_CASE("A page opens on the run's own value, which is among those of a slider that nobody asked for") {
  CHECK(opening_value({"vectors"}) == "45");
  CHECK(opening_value({"vectors", "--query-angle", "33.5"}) == "33.5");
  CHECK(opening_value({"scaling"}) == "100");
  CHECK(opening_value({"self-attention"}) == "default");
  CHECK(opening_value({"lookup"}) == "Mori");
  CHECK(opening_value({"softmax"}) == "1.00");  // the middle one of those that are compared
  CHECK(opening_value({"dot-product"}) == "1.2,0.9");
  CHECK(opening_value({"dot-product", "--a", "3,1"}) == "3,1");
  CHECK(opening_value({"vectors", "--slide", "count=3,9,12"}) == "9");           // next to 10
  CHECK(opening_value({"self-attention", "--slide", "scale=0.1,1,10"}) == "1");  // the middle one
  // What was given and cannot be moved stands still.
  CHECK(opening_value({"vectors", "--queries", "0,90"}) == "");
  CHECK(opening_value({"softmax", "--temperature", "0.5,3"}) == "");
}

TEST_CASE("The smallest numbers that there are stand on a page") {
  const Workplace place;
  const Outcome outcome = place.run({"softmax", "--scores", "0,-744", "-o", "page.html", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
}

TEST_CASE("What cannot be a page is refused before anything is written") {
  CHECK(contains(refused_call({"vectors", "-o", "x.html", "--slide", "query-angl=0:9"}),
                 "did you mean query-angle?"));
  CHECK(contains(refused_call(and_also(angles, {"--slide", "count=3,4", "--slide", "scale=1,2"})),
                 "there are 3 sliders"));
  CHECK(
      contains(refused_call(and_also(angles, {"--slide", "count=2:14"})), "36 × 13 frames; the most is 400"));
  CHECK(contains(refused_call({"vectors", "-o", "x.html", "--slide", "query-angle=9:9"}),
                 "both ends are the same"));
  CHECK(contains(
      refused_call(and_also(angles, {"--figure", "idea"})),
      "the figure idea does not change with query-angle; choose another parameter, or another figure with --figure: arrows"));
  CHECK(contains(refused_call({"vectors", "--slide", "query-angle=0:9"}), "add -o page.html"));
  CHECK(contains(refused_call({"vectors", "-o", "x.png", "--slide", "query-angle=0:9"}), "add -o page.html"));
  CHECK(contains(refused_call({"vectors", "-o", "x.html", "--figure", "all"}), "a page shows one figure"));
  CHECK(contains(refused_call({"vectors", "-o", "x.html", "--no-figure"}), "cannot be given together"));
  CHECK(contains(refused_call(and_also(angles, {"--slide", "query-angle=1,2"})), "stands there twice"));
  CHECK(contains(refused_call({"all", "-o", "x.html"}), "names no format"));
}
