// `attnlab sweep` as a user runs it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"
#include "motion/decoded_film.hpp"
#include "program.hpp"

using attnlab::contains;
using attnlab::Outcome;
using attnlab::refused_call;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

bool is_gif(const std::string& bytes) { return bytes.substr(0, 6) == "GIF89a" && bytes.back() == ';'; }

const Words few_dims{"sweep", "scaling", "--over", "high-dim=2:64:log:5", "--size", "4x4in", "--dpi", "72"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("sweep writes every film that it is asked for and prints their paths") {
  const Workplace place;
  const Outcome outcome = place.run(with(few_dims, {"-o", "a.gif", "-o", "b.gif"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "a.gif\nb.gif\n");
  CHECK(contains(outcome.err, "5 frames of 288 x 288 pixels"));
  for (const char* file : {"a.gif", "b.gif"}) {
    CHECK(is_gif(place.read(file)));
    CHECK(contains(place.read(file), "attnlab sweep scaling --over high-dim=2:64:log:5"));
  }
}

TEST_CASE("forth and back a film shows the pictures between its ends twice") {
  const Workplace place;
  REQUIRE(place
              .run({"sweep", "vectors", "--over", "count=3,4,5,6", "--size", "4x3in", "--dpi", "72",
                    "--quiet", "--bounce", "-o", "b.gif"})
              .exit_code == 0);
  const attnlab::DecodedFilm film = attnlab::decode_gif(place.read("b.gif"));
  REQUIRE(film.frames.size() == 6);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(film.frames[i].values != film.frames[j].values);
  }
  CHECK(film.frames[4].values == film.frames[2].values);
  CHECK(film.frames[5].values == film.frames[1].values);
}

TEST_CASE(
    "the same sweep has the same bytes, without -o it goes to the folder of figures, and quiet it says nothing") {
  const Workplace place;
  const Outcome outcome = place.run(with(few_dims, {"--quiet"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  REQUIRE(place.files() == Words{"figures/scaling-scatter-high-dim.gif"});
  place.run(with(few_dims, {"-o", "again.gif"}));
  CHECK(place.read("again.gif") == place.read("figures/scaling-scatter-high-dim.gif"));
}

TEST_CASE("without a wish the film shows a figure in which something moves") {
  const Workplace place;
  const Words temperature{"sweep", "softmax", "--over", "temperature=0.5,2", "--size", "4x3in"};
  CHECK(place.run(temperature).out == "figures/softmax-temperature-temperature.gif\n");
  const Outcome still = place.run(with(temperature, {"--figure", "bars"}));
  CHECK(still.exit_code == 0);
  CHECK(contains(still.err, "the figure bars does not change with temperature"));
}

TEST_CASE("values may go into a larger text") {
  const Workplace place;
  const Outcome outcome = place.run({"sweep", "masks", "--mask", "causal,window:@", "--over", "mask=1:3",
                                     "--size", "6x3in", "-o", "m.gif"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "3 frames"));
  CHECK(contains(place.read("m.gif"), "attnlab sweep masks --mask causal,window:@ --over mask=1:3"));
}

TEST_CASE("a preset's page grows for a film as for a figure, and a page that was asked for does not") {
  const Workplace place;
  const Words relative{"sweep",    "positional", "--over", "offset=4,5", "--figure",
                       "relative", "-o",         "x.gif",  "--dpi",      "72"};
  const Outcome grown = place.run(with(relative, {"--preset", "column"}));
  CHECK(grown.exit_code == 0);
  CHECK(
      contains(grown.err, "warning: relative has no room on the page of column and is drawn on 3.91x3.1in"));
  CHECK(contains(grown.err, "2 frames of 282 x 224 pixels"));
  CHECK(is_gif(place.read("x.gif")));
  const Outcome fixed = place.run(with(relative, {"--preset", "column", "--size", "3.4x2.7in"}));
  CHECK(fixed.exit_code == 1);
  CHECK(contains(fixed.err, "has no room for the figure; --size 16x6in is enough"));
}

TEST_CASE("the caption of a film tells that the first key is left out") {
  const Workplace place;
  double largest = 0.0;
  for (const char* seed : {"0", "1"}) {
    const auto run = nlohmann::json::parse(
        place.run({"heads", "--heads", "1", "--tokens", "3", "--seed", seed, "--json", "--no-figure"}).out);
    const std::vector<double> weights = run.at("arrays").at("weights").at("data");
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (i % 3 != 0) largest = std::max(largest, weights[i]);
  }
  const auto frames = [&](const std::string& range, const Words& more) {
    const Words film{"sweep",  "heads",    "--heads", "1",  "--figure", "weights", "--tokens", "3",
                     "--over", "seed=0,1", "--dpi",   "72", "--range",  range,     "-o",       "x.gif"};
    REQUIRE(place.run(with(film, more)).exit_code == 0);
    std::vector<std::vector<std::uint32_t>> values;
    for (const attnlab::Pixels& frame : attnlab::decode_gif(place.read("x.gif")).frames)
      values.push_back(frame.values);
    return values;
  };
  const std::string same = "0:" + fmt::format("{}", largest);
  CHECK(frames("rest", {"--no-caption"}) == frames(same, {"--no-caption"}));
  CHECK(frames("rest", {}) != frames(same, {}));
}

TEST_CASE("an mp4 is made by ffmpeg: without it one line says so, and its failure is told with its words") {
  const Workplace place;
  attnlab::Circumstances bare;
  bare.environment = {"PATH=" + place.path("bin").string(), "LC_ALL=C.UTF-8", "XDG_CONFIG_HOME=/nowhere"};
  const Outcome without = place.run(with(few_dims, {"-o", "x.mp4"}), bare);
  CHECK(without.exit_code == 1);
  CHECK(
      without.err ==
      "attnlab: an mp4 is made by ffmpeg, which is not installed; install it (apt install ffmpeg), or write "
      "-o film.gif\n");
  std::filesystem::create_directory(place.path("bin"));
  // A program of that name which keeps its words, and the GIF that it was given in place of a film.
  place.write("bin/ffmpeg",
              "#!/bin/sh\n[ \"$1\" = -version ] && exit\nfor word; do last=$word; done\n"
              "/bin/cp film.gif \"$last\" && echo \"$*\" >>\"$last\"\n");
  std::filesystem::permissions(place.path("bin/ffmpeg"), std::filesystem::perms::owner_all);
  REQUIRE(place.run(with(few_dims, {"-o", "x.mp4", "-o", "x.gif"}), bare).exit_code == 0);
  CHECK(place.read("x.mp4").find(place.read("x.gif")) == 0);
  CHECK(contains(place.read("x.mp4"), "comment=attnlab sweep scaling --over high-dim=2:64:log:5"));
  place.write("bin/ffmpeg", "#!/bin/sh\n[ \"$1\" = -version ] && exit\necho no codec >&2\nexit 1\n");
  const Outcome failed = place.run(with(few_dims, {"-o", "y.mp4"}), bare);
  CHECK(failed.exit_code == 1);
  CHECK(contains(failed.err, "ffmpeg could not make the mp4"));
  CHECK(contains(failed.err, "no codec"));
}

TEST_CASE("an interruption leaves no film, neither a part nor the temporary file") {
  const Workplace place;
  attnlab::Circumstances interrupted;
  for (const unsigned after : {20000U, 200000U, 600000U}) {
    interrupted.interrupt_after = after;
    const Outcome outcome = place.run(
        {"sweep", "positional", "--over", "base=10:1e6:log:900", "-o", "x.gif", "-o", "y.gif"}, interrupted);
    CHECK(outcome.exit_code == 128 + SIGINT);
    CHECK(place.files().empty());
  }
}

TEST_CASE("a full disk is an error that spares the film that was there") {
  const Workplace place;
  place.write("x.gif", "old");
  attnlab::Circumstances small;
  small.largest_file = 1000;
  const Outcome outcome = place.run(with(few_dims, {"-o", "x.gif"}), small);
  CHECK(outcome.exit_code == 1);
  CHECK(place.read("x.gif") == "old");
  CHECK(place.files() == Words{"x.gif"});
}

TEST_CASE("sweep explains what is missing or wrong") {
  CHECK(contains(refused_call({"sweep"}),
                 "sweep needs an experiment; for example attnlab sweep scaling --over"));
  CHECK(contains(refused_call({"sweep", "scailng", "--over", "x=1:2"}), "did you mean scaling?"));
  CHECK(contains(refused_call({"sweep", "--over", "high-dim=1:2", "scaling"}),
                 "scaling must stand right after sweep"));
  CHECK(contains(refused_call({"sweep", "scaling"}), "--over is missing"));
  CHECK(contains(refused_call({"sweep", "scaling", "--over", "high-dim"}), "names no values"));
  CHECK(contains(
      refused_call({"sweep", "scaling", "--over", "hihg-dim=1:2"}),
      "did you mean high-dim? the numeric parameters of scaling are low-dim, high-dim, keys, clip, seed"));
  CHECK(contains(refused_call({"sweep", "scaling", "--over", "rng=1:2"}), "--rng is not a single number"));
  CHECK(contains(refused_call({"sweep", "scaling", "--high-dim", "9", "--over", "high-dim=2:9"}),
                 "--high-dim and --over high-dim both give its value"));
  CHECK(
      contains(refused_call({"sweep", "scaling", "--over", "high-dim=2:9", "-o", "x.webm"}), ".gif or .mp4"));
  CHECK(contains(refused_call({"sweep", "scaling", "--over", "high-dim=2:9", "--figure", "scater"}),
                 "did you mean scatter?"));
  CHECK(contains(
      refused_call({"sweep", "scaling", "--over", "high-dim=2:9", "--size", "12x12in", "--dpi", "600"}),
      "a film of 7200 x 7200 pixels is too large"));
  CHECK(contains(refused_call({"--lang", "ja", "sweep", "scaling", "--over", "hihg-dim=1:2"}),
                 "high-dim のことですか"));
}

TEST_CASE("the help of sweep names the parameters of the experiment") {
  const Workplace place;
  CHECK(contains(place.run({"sweep", "--help"}).out, "Usage: attnlab sweep EXPERIMENT"));
  const std::string help = attnlab::on_one_line(place.run({"sweep", "scaling", "--help"}).out);
  CHECK(contains(help, "Usage: attnlab sweep scaling"));
  CHECK(contains(help, "the numeric parameters of scaling are low-dim, high-dim, keys, clip, seed"));
  CHECK(contains(help, "--keys 2..2000"));
}

TEST_CASE("no flag of sweep has the name of a parameter") {
  for (const attnlab::Experiment& experiment : attnlab::experiments()) {
    std::set<std::string> names;
    for (const attnlab::FlagGroup& group : attnlab::sweep_command(&experiment).groups) {
      for (const attnlab::Flag& flag : group.flags) CHECK_MESSAGE(names.insert(flag.name).second, flag.name);
    }
  }
}
