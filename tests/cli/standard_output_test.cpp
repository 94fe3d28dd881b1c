// `-o -`: a figure on standard output, alone and whole.
#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

#include "program.hpp"

using attnlab::Circumstances;
using attnlab::contains;
using attnlab::lines_of;
using attnlab::on_terminal;
using attnlab::Outcome;
using attnlab::OutputKind;
using attnlab::refused_call;
using attnlab::Workplace;
using Words = std::vector<std::string>;

TEST_CASE("-o - writes the bytes that a file would hold, and nothing else") {
  for (const std::string format : {"svg", "png", "pdf"}) {
    CAPTURE(format);
    const Workplace place;
    const Outcome piped = place.run({"masks", "-o", "-", "--format", format, "--figure", "alignment"});
    CHECK(piped.exit_code == 0);
    CHECK(piped.err.empty());
    CHECK(place.files().empty());
    REQUIRE(place.run({"masks", "-o", "masks." + format, "--figure", "alignment"}).exit_code == 0);
    CHECK(piped.out == place.read("masks." + format));
  }
}

TEST_CASE("-o - writes svg where no format is named, of the main figure where none is") {
  const Workplace place;
  REQUIRE(place.run({"vectors", "-o", "main.svg"}).exit_code == 0);
  const Outcome piped = place.run({"vectors", "-o", "-"});
  CHECK(attnlab::is_svg(piped.out));
  CHECK(piped.out == place.read("main.svg"));
  CHECK(piped.err.empty());
}

TEST_CASE("-o - goes together with files") {
  const Workplace place;
  const Outcome piped =
      place.run({"softmax", "-o", "-", "-o", "bars.png", "--data", "softmax.npz", "--quiet"});
  CHECK(piped.exit_code == 0);
  CHECK(attnlab::is_svg(piped.out));
  CHECK(place.files() == Words{"bars.png", "softmax.npz"});
}

TEST_CASE("-o - takes several figures as the pages of a pdf alone") {
  CHECK(contains(refused_call({"vectors", "-o", "-", "--figure", "all"}),
                 "choose one with --figure (arrows, "));
  CHECK(contains(refused_call({"all", "-o", "-"}), "-o - --format pdf"));
  const Workplace place;
  CHECK(attnlab::is_pdf(place.run({"vectors", "-o", "-", "--figure", "all", "--format", "pdf"}).out));
  CHECK(attnlab::is_pdf(place.run({"all", "-o", "-", "--format", "pdf"}).out));
  CHECK(place.files().empty());
}

TEST_CASE("-o - leaves no room on standard output for a report") {
  for (const Words& more : {Words{"--json"}, Words{"--show"}, Words{"--explain"}, Words{"--verbose"},
                            Words{"--check", "o.npy"}, Words{"--code", "numpy"}, Words{"--no-figure"},
                            Words{"--output-dir", "x"}, Words{"-o", "-"}, Words{"--format", "svg,png"}}) {
    CAPTURE(more.front());
    Words words{"softmax", "-o", "-"};
    words.insert(words.end(), more.begin(), more.end());
    refused_call(words);
  }
}

TEST_CASE("-o - writes letters to a terminal, and keeps pictures of bytes from it") {
  const Workplace place;
  for (const char* format : {"png", "pdf"}) {
    const Outcome outcome = place.run({"softmax", "-o", "-", "--format", format}, on_terminal());
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.out, "cannot go to a terminal; write a file (-o figure."));
  }
  CHECK(contains(place.run({"softmax", "-o", "-"}, on_terminal()).out, "</svg>"));
}

TEST_CASE("-o - into a pipe that closed ends quietly, into a full disk with an error") {
  const Workplace place;
  Circumstances circumstances;
  circumstances.output = OutputKind::closed_pipe;
  const Outcome closed = place.run({"softmax", "-o", "-"}, circumstances);
  CHECK(closed.exit_code == 128 + SIGPIPE);
  CHECK(closed.err.empty());
  circumstances.output = OutputKind::full_device;
  const Outcome full = place.run({"softmax", "-o", "-"}, circumstances);
  CHECK(full.exit_code == 1);
  CHECK(contains(full.err, "cannot write to standard output: No space left"));
}

TEST_CASE("- is no folder and no table: only a figure goes to standard output") {
  CHECK(contains(refused_call({"build", "book", "-o", "-", "--lang", "en"}), "takes a figure alone"));
  CHECK(contains(refused_call({"vectors", "--output-dir", "-", "--lang", "en"}), "write ./-"));
  CHECK(contains(refused_call({"vectors", "--steps", "-", "--lang", "ja"}), "標準出力"));
  const Workplace place;
  CHECK(place.run({"vectors", "--output-dir", "./-", "--figure", "bars", "--quiet"}).exit_code == 0);
  CHECK(place.files() == Words{"-/vectors-bars.png"});
}
