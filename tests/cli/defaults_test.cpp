// attnlab.toml as a user writes it: in the folder, above it, and the user's own.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "program.hpp"
#include "shell.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::Workplace;

TEST_CASE("attnlab.toml says what holds where the command line says nothing, and a flag always wins") {
  const Workplace place;
  place.write("attnlab.toml",
              "lang = \"ja\"\ntheme = \"dark\"\npreset = \"slide-16x9\"\nno-caption = true\n");
  const Outcome plain = place.run({"vectors", "--figure", "bars", "-o", "v.svg"});
  CHECK(plain.exit_code == 0);
  CHECK(contains(plain.out, "要点"));
  CHECK(contains(place.read("v.svg"),
                 "--theme dark"));  // the picture says how it is made again, without a file
  CHECK(contains(place.read("v.svg"), "--preset slide-16x9"));
  const Outcome typed =
      place.run({"vectors", "--figure", "bars", "--theme", "light", "--lang", "en", "-o", "w.svg"});
  CHECK(contains(typed.out, "Key point"));
  CHECK_FALSE(contains(place.read("w.svg"), "--theme dark"));
  CHECK(contains(place.run({"about"}).out, "theme = dark"));
  CHECK(contains(place.run({"about"}).out, "attnlab.toml"));
  const Outcome json = place.run({"vectors", "--json", "--no-figure"});  // has no look: nothing to change
  CHECK(json.exit_code == 0);
  CHECK(json.err.empty());
}

TEST_CASE("a file in the folder goes before the one above it and before the user's own") {
  const Workplace place;
  std::filesystem::create_directories(place.path("home/attnlab"));
  place.write("home/attnlab/attnlab.toml", "theme = \"print\"\ndpi = 72\nlang = \"ja\"\n");
  place.write("attnlab.toml", "theme = \"dark\"\n");
  attnlab::Circumstances own;
  own.environment = {"XDG_CONFIG_HOME=" + place.path("home").string()};
  const Outcome outcome = place.run({"vectors", "--figure", "bars", "-o", "v.svg"}, own);
  CHECK(contains(outcome.out, "要点"));
  CHECK(contains(place.read("v.svg"), "--theme dark"));
  CHECK(contains(place.read("v.svg"), "--dpi 72"));
}

TEST_CASE("a model of attnlab.toml is that of `model` and `generation`, and `attnlab model` still lists") {
  const Workplace place;
  place.write("attnlab.toml", "model = \"world.en\"\n");
  const Outcome read = place.run({"model", "--text", "the dog", "--no-figure", "--lang", "en"});
  CHECK_MESSAGE(read.exit_code == 0, read.err);
  CHECK(contains(place.run({"model"}).out, "world.en"));
  CHECK(place.run({"heads", "--no-figure"}).exit_code == 0);  // its weights are still drawn
}

TEST_CASE("what is wrong in attnlab.toml is told with the file, in one line, and nothing is done") {
  const auto complaint = [](const std::string& text) {
    const Workplace place;
    place.write("attnlab.toml", text);
    const Outcome outcome = place.run({"vectors", "-o", "v.png", "--lang", "en"});
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(contains(outcome.err, "attnlab.toml: "));
    CHECK_FALSE(place.has("v.png"));
    CHECK(place.run({"vectors", "--help"}).exit_code == 0);  // which helps
    return outcome.err;
  };
  CHECK(contains(complaint("palete = \"greys\"\n"), "there is no default 'palete'; did you mean palette?"));
  CHECK(contains(complaint("palette = \"magma\"\n"), "there is no palette 'magma'"));
  CHECK(contains(complaint("dpi = 5\n"), "--dpi"));
  CHECK(contains(complaint("dpi = [96]\n"), "dpi takes one word or number"));
  CHECK(contains(complaint("theme = \"dark\n"), "not TOML in line 1"));
  CHECK(contains(complaint("lang = \"fr\"\n"), "ja"));
  CHECK(contains(complaint("output = \"x.png\"\n"), "there is no default 'output'"));
}
