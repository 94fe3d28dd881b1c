// Standard output that is full, closed, a terminal or a reader gone away, and interruptions.
#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "program.hpp"

using attnlab::Circumstances;
using attnlab::contains;
using attnlab::lines_of;
using attnlab::on_terminal;
using attnlab::Outcome;
using attnlab::OutputKind;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

Circumstances with_output(OutputKind kind) {
  Circumstances circumstances;
  circumstances.output = kind;
  return circumstances;
}

}  // namespace

TEST_CASE("a full or closed standard output is an error") {
  const Workplace place;
  for (const OutputKind kind : {OutputKind::full_device, OutputKind::closed}) {
    for (const Words& arguments : {Words{"vectors", "--no-figure"}, Words{"vectors", "--no-figure", "--json"},
                                   Words{"list"}, Words{"--help"}, Words{"--version"}, Words{"all"}}) {
      const Outcome outcome = place.run(arguments, with_output(kind));
      CHECK(outcome.exit_code == 1);
      CHECK(lines_of(outcome.err).size() == 1);
      CHECK(contains(outcome.err, "standard output"));
    }
  }
  CHECK(place.run({"vectors", "--quiet"}, with_output(OutputKind::full_device)).exit_code == 0);
}

TEST_CASE("a closed standard output never becomes part of a figure") {
  const Workplace place;
  place.run({"vectors", "-o", "closed.png", "--figure", "all"}, with_output(OutputKind::closed));
  CHECK(place.run({"vectors", "-o", "open.png", "--figure", "all"}).exit_code == 0);
  const std::vector<std::string> files = place.files();
  CHECK(files.size() % 2 == 0);
  for (std::size_t i = 0; i < files.size() / 2; ++i) {
    CHECK(place.read(files[i]) == place.read(files[i + files.size() / 2]));
  }
}

TEST_CASE("a reader that went away ends the program quietly") {
  const Workplace place;
  const Outcome outcome = place.run({"list"}, with_output(OutputKind::closed_pipe));
  CHECK(outcome.exit_code == 128 + SIGPIPE);
  CHECK(outcome.err.empty());
}

TEST_CASE("colour goes to a terminal only and can be refused") {
  const Workplace place;
  const Words arguments = {"vectors", "--no-figure"};
  const std::string escape = "\x1b[";
  CHECK_FALSE(contains(place.run(arguments).out, escape));
  CHECK(contains(place.run(arguments, on_terminal()).out, escape));
  for (const std::string setting : {"NO_COLOR=1", "TERM=dumb"}) {
    CHECK_FALSE(contains(place.run(arguments, on_terminal({setting})).out, escape));
  }
  CHECK(contains(place.run(arguments, on_terminal({"NO_COLOR="})).out, escape));
}

TEST_CASE("progress is shown on a terminal only and is gone at the end") {
  const Workplace place;
  CHECK(place.run({"all"}).err.empty());
  const std::string shown = place.run({"all", "--quiet"}, on_terminal()).out;
  CHECK(contains(shown, "100% all"));
  const std::string cleared = "\r\x1b[K";
  REQUIRE(shown.size() > cleared.size());
  CHECK(shown.substr(shown.size() - cleared.size()) == cleared);
}

TEST_CASE("a measurement shows its progress on a terminal only and other runs show none") {
  const Workplace place;
  const Words measure{"cost", "--measure", "--longest", "128", "--quiet", "--no-figure"};
  CHECK(place.run(measure).err.empty());
  const std::string shown = place.run(measure, on_terminal()).out;
  CHECK(contains(shown, "0% cost"));
  CHECK(contains(shown, "100% cost"));
  const std::string cleared = "\r\x1b[K";
  REQUIRE(shown.size() > cleared.size());
  CHECK(shown.substr(shown.size() - cleared.size()) == cleared);
  CHECK(place.run({"cost", "--quiet", "--no-figure"}, on_terminal()).out.empty());
}

TEST_CASE("a measurement can be interrupted") {
  const Workplace place;
  Circumstances interrupted;
  interrupted.interrupt_after = 300'000;
  const Outcome outcome =
      place.run({"cost", "--measure", "--width", "1024", "-o", "x.png", "--quiet"}, interrupted);
  CHECK(outcome.exit_code == 128 + SIGINT);
  CHECK(place.files().empty());
}

TEST_CASE("an interruption leaves whole files or none") {
  for (unsigned delay = 0; delay < 120'000; delay += 6'000) {
    const Workplace place;
    place.write("x.png", "precious");
    Circumstances interrupted;
    interrupted.interrupt_after = delay;
    const Outcome outcome =
        place.run({"scaling", "-o", "x.png", "--size", "12x12in", "--quiet"}, interrupted);
    CHECK((outcome.exit_code == 0 || outcome.exit_code == 128 + SIGINT));
    CHECK(place.files() == Words{"x.png"});
    const std::string bytes = place.read("x.png");
    CHECK((bytes == "precious" || attnlab::is_png(bytes)));
  }
}
