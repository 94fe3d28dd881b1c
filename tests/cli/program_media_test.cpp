// A whole lecture as one pdf, figures for LaTeX, and SVG with text, as a user asks for them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "program.hpp"

using attnlab::Circumstances;
using attnlab::contains;
using attnlab::lines_of;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::refused_call;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {}  // namespace

TEST_CASE("all writes a lecture: one pdf, a page per figure, a heading per experiment") {
  const Workplace place;
  const Outcome outcome = place.run({"all", "-o", "lecture.pdf"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "lecture.pdf\n");
  CHECK(outcome.err.empty());
  CHECK(place.files() == Words{"lecture.pdf"});
  const std::string lecture = place.read("lecture.pdf");
  CHECK(attnlab::is_pdf(lecture));
  const Outcome quiet = place.run({"all", "--output-dir", "f", "--format", "svg", "--quiet"});
  REQUIRE(quiet.exit_code == 0);
  CHECK(quiet.out.empty());
  const std::size_t figures = place.files().size() - 1;
  CHECK(contains(lecture, "/Count " + std::to_string(figures)));
  CHECK(contains(lecture, "/Title (attnlab: attention and the Transformer)"));
  for (const attnlab::Experiment& experiment : attnlab::experiments()) {
    const std::string heading = experiment.name + ": " + experiment.shows.en();
    const bool is_ascii = std::all_of(heading.begin(), heading.end(), [](char c) { return c > 0; });
    const bool is_plain = heading.find_first_of("()\\") == std::string::npos;
    if (is_ascii && is_plain) CHECK(contains(lecture, "/Title (" + heading + ")"));
  }
}

TEST_CASE("a lecture has the same bytes again, and its language and theme may be chosen") {
  const Workplace place;
  REQUIRE(place.run({"all", "-o", "one.pdf", "--quiet", "--lang", "ja", "--theme", "dark"}).exit_code == 0);
  REQUIRE(place.run({"all", "-o", "two.pdf", "--quiet", "--lang", "ja", "--theme", "dark"}).exit_code == 0);
  CHECK(place.read("one.pdf") == place.read("two.pdf"));
  CHECK(contains(place.read("one.pdf"), "/Lang (ja)"));
}

TEST_CASE("a lecture is a pdf and nothing else, written once") {
  for (const char* file : {"x.png", "x.svg"})
    CHECK(contains(refused_call({"all", "-o", file}), "-o lecture.pdf"));
  refused_call({"all", "-o", "x"});
  refused_call({"all", "-o", "x.pdf", "-o", "x.pdf"});
  CHECK(contains(refused_call({"all", "-o", "x.pdf", "--output-dir", "y"}), "--output-dir"));
  CHECK(contains(refused_call({"all", "-o", "x.pdf", "--format", "pdf"}), "--format"));
}

TEST_CASE("a lecture that cannot be written leaves what was there") {
  const Workplace place;
  place.write("x.pdf", "precious");
  Circumstances full;
  full.largest_file = 2000;
  const Outcome outcome = place.run({"all", "-o", "x.pdf"}, full);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.empty());
  CHECK(place.read("x.pdf") == "precious");
  CHECK(place.files() == Words{"x.pdf"});
  CHECK(place.run({"all", "-o", "missing/x.pdf"}).exit_code == 1);
  CHECK(place.run({"all", "-o", "/sys/x.pdf"}).exit_code == 1);
}

TEST_CASE("svg holds outlines unless text is asked for") {
  const Workplace place;
  CHECK(place.run({"vectors", "-o", "x.svg", "--quiet"}).exit_code == 0);
  CHECK_FALSE(contains(place.read("x.svg"), "<text"));
  CHECK(place.run({"vectors", "-o", "x.svg", "--svg-text", "--quiet"}).exit_code == 0);
  CHECK(attnlab::is_svg(place.read("x.svg")));
  CHECK(contains(place.read("x.svg"), "<text"));
}

TEST_CASE("a flag about a format that no figure has is refused") {
  CHECK(contains(refused_call({"vectors", "--svg-text"}), "--format svg"));
  CHECK(contains(refused_call({"vectors", "--svg-text", "-o", "x.pdf"}), "-o figure.svg"));
}
