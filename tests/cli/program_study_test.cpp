// --explain, --check and --blank as a student uses them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "program.hpp"

using attnlab::Circumstances;
using attnlab::contains;
using attnlab::experiments;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::OutputKind;
using attnlab::Workplace;
using Json = nlohmann::json;

namespace {

/// What the tool computed, as a student's file.
void save(const Workplace& place, const std::string& experiment, const std::vector<std::string>& files,
          const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{experiment, "--no-figure", "--quiet"};
  for (const std::string& file : files) words.insert(words.end(), {"--data", file});
  words.insert(words.end(), more.begin(), more.end());
  REQUIRE(place.run(words).exit_code == 0);
}

}  // namespace

// --- --explain ---------------------------------------------------------------------------------------------

TEST_CASE("every experiment explains itself in both languages instead of reporting") {
  const Workplace place;
  for (const attnlab::Experiment& experiment : experiments()) {
    CAPTURE(experiment.name);
    const Outcome english = place.run({experiment.name, "--explain", "--no-figure", "--lang", "en"});
    CHECK(english.exit_code == 0);
    CHECK(contains(english.out, "The computation of " + experiment.name));
    CHECK(contains(english.out, "\n1. "));
    CHECK(!contains(english.out, "[Key point]"));
    const Outcome japanese = place.run({experiment.name, "--explain", "--no-figure", "--lang", "ja"});
    CHECK(japanese.exit_code == 0);
    CHECK(contains(japanese.out, "行 0 を書き出します"));
  }
}

TEST_CASE("explanations go to Markdown and LaTeX files beside the report") {
  const Workplace place;
  const Outcome outcome =
      place.run({"self-attention", "--explain", "-o", "a.md", "-o", "a.tex", "--row", "2", "--lang", "ja"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "a.md\na.tex\n"));
  CHECK(contains(outcome.out, "【要点】"));
  CHECK(contains(place.read("a.md"), "$$"));
  CHECK(contains(place.read("a.tex"), "\\documentclass[a4paper]{ltjsarticle}"));
  CHECK(contains(place.read("a.tex"), "[ 2 ]"));
  CHECK(place.files() == std::vector<std::string>{"a.md", "a.tex"});
}

TEST_CASE("a row that does not exist is wrong usage and leaves no file") {
  const Workplace place;
  const Outcome outcome = place.run({"self-attention", "--explain", "-o", "a.md", "--row", "4"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "rows 0 to 3"));
  CHECK(place.files().empty());
  CHECK(place.run({"self-attention", "--row", "1"}).exit_code == 2);
  CHECK(place.run({"self-attention", "--explain", "--row", "-1"}).exit_code == 2);
  CHECK(place.run({"self-attention", "--explain", "--row", "x"}).exit_code == 2);
  CHECK(contains(place.run({"self-attention", "-o", "a.md"}).err, "-o 'a.md' needs --explain"));
  CHECK(place.run({"self-attention", "--explain", "--quiet"}).exit_code == 2);
}

TEST_CASE("with JSON an explanation is part of the JSON") {
  const Workplace place;
  const Outcome outcome = place.run({"self-attention", "--explain", "--json", "--no-figure"});
  const Json json = Json::parse(outcome.out);
  REQUIRE(json.at("explanation").size() > 5);
  CHECK(json.at("explanation")[0].at("title").at("ja") == "入力");
  CHECK(!Json::parse(place.run({"self-attention", "--json", "--no-figure"}).out).contains("explanation"));
}

// --- --check -----------------------------------------------------------------------------------------------

TEST_CASE("the tool's own arrays agree with it in every format and nothing is drawn") {
  const Workplace place;
  save(place, "self-attention", {"own.npz", "own.csv"});
  for (const std::string file : {"own.npz", "own.csv", "weights=own.npz", "output=own.csv"}) {
    CAPTURE(file);
    const Outcome outcome = place.run({"self-attention", "--check", file});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "PASS"));
    CHECK(!contains(outcome.out, "FAIL"));
    CHECK(outcome.err.empty());
  }
  CHECK(place.files() == std::vector<std::string>{"own.csv", "own.npz"});
}

TEST_CASE("a wrong array fails with its place and both values") {
  const Workplace place;
  place.write("weights.csv",
              "0.235,0.264,0.246,0.255\n0.257,0.235,0.244,0.265\n"
              "0.268,0.243,0.254,0.235\n0.242,0.259,0.248,0.151\n");
  const Outcome outcome = place.run({"self-attention", "--check", "weights.csv"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "FAIL"));
  CHECK(contains(outcome.out, "[queries 3, keys 3]"));
  CHECK(contains(outcome.out, "0.151"));
  CHECK(contains(on_one_line(outcome.out), "1 of 16 values differs"));
  const Outcome japanese = place.run({"self-attention", "--check", "weights.csv", "--lang", "ja"});
  CHECK(japanese.exit_code == 1);
  CHECK(contains(japanese.out, "不合格"));
}

TEST_CASE("the three digits that the article prints agree as three digits") {
  const Workplace place;
  const std::string article =
      "0.235,0.264,0.246,0.255\n0.257,0.235,0.244,0.265\n0.268,0.243,0.254,0.235\n0.242,0.259,0.248,0.251\n";
  place.write("mine.csv", article);  // the name says nothing: chosen by shape and values
  const Outcome outcome = place.run({"self-attention", "--check", "mine.csv"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "weights (4, 4), chosen by shape and values"));
  CHECK(contains(outcome.out, "3 decimals"));
}

TEST_CASE("another seed does not agree, which is said even if nothing else is to be") {
  const Workplace place;
  save(place, "self-attention", {"other.npz"}, {"--seed", "7"});
  const Outcome outcome = place.run({"self-attention", "--check", "weights=other.npz", "--quiet"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.rfind("FAIL other.npz:weights: weights (4, 4)\n", 0) == 0);
  CHECK(contains(on_one_line(outcome.out), "it is right for those of --seed 7"));
  save(place, "self-attention", {"rare.npz"}, {"--seed", "98765"});  // one that nobody would guess
  const Outcome rare = place.run({"self-attention", "--check", "weights=rare.npz", "--quiet"});
  CHECK(rare.exit_code == 1);
  CHECK(!contains(rare.out, "--seed"));
  const Outcome agreeing =
      place.run({"self-attention", "--seed", "7", "--check", "other.npz", "--quiet", "-o", "a.svg"});
  CHECK(agreeing.exit_code == 0);
  CHECK(contains(agreeing.out, "PASS other.npz:weights"));
  CHECK(!contains(agreeing.out, "a.svg"));
  CHECK(place.run({"self-attention", "--quiet"}).out.empty());
}

TEST_CASE("a check is JSON when JSON is asked for") {
  const Workplace place;
  save(place, "self-attention", {"own.npz"});
  const Outcome good = place.run({"self-attention", "--check", "own.npz", "--json"});
  CHECK(good.exit_code == 0);
  const Json json = Json::parse(good.out);
  CHECK(json.at("agrees") == true);
  CHECK(json.at("checks").size() >= 7);
  CHECK(json.at("checks")[0].at("chosen_by") == "name");
  save(place, "self-attention", {"bad.npz"}, {"--seed", "1"});
  const Outcome bad = place.run({"self-attention", "--check", "weights=bad.npz", "--json"});
  CHECK(bad.exit_code == 1);
  CHECK(Json::parse(bad.out).at("agrees") == false);
  CHECK(Json::parse(bad.out).at("checks")[0].at("index").size() == 2);
}

TEST_CASE("names that are no arrays of the experiment are reported with the nearest") {
  const Workplace place;
  save(place, "scaling", {"scaling.npz"});
  const Outcome none = place.run({"self-attention", "--check", "scaling.npz"});
  CHECK(none.exit_code == 1);
  CHECK(contains(none.err, "holds no array of self-attention"));
  const Outcome misspelt = place.run({"self-attention", "--check", "wieghts=scaling.npz"});
  CHECK(misspelt.exit_code == 2);
  CHECK(contains(misspelt.err, "did you mean weights?"));
  place.write("some.csv", "array,indices,value\nweigths,0,1\noutput,0 0,1\n");
  const Outcome some = place.run({"self-attention", "--check", "some.csv"});
  CHECK(contains(some.err, "did you mean weights?"));
  CHECK(contains(some.out, "its shape is (1, 1); (4, 8) is needed"));
}

TEST_CASE("files that cannot be checked are one line and exit code 1") {
  const Workplace place;
  place.write("broken.npy", "\x93NUMPY");
  place.write("broken.npz", "PK");
  place.write("ragged.csv", "1,2\n3\n");
  place.write("shape.csv", "1,2,3,4,5,6,7\n");
  for (const std::string file : {"broken.npy", "broken.npz", "ragged.csv", "shape.csv", "missing.npy"}) {
    CAPTURE(file);
    const Outcome outcome = place.run({"self-attention", "--check", file});
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, file));
    CHECK(attnlab::lines_of(outcome.err).size() == 1);
  }
  CHECK(place.run({"self-attention", "--check", "a.dat"}).exit_code == 2);
  CHECK(place.run({"self-attention", "--check", "a.npy", "--explain"}).exit_code == 2);
}

TEST_CASE("a verdict has colour on a terminal unless it is not wanted") {
  const Workplace place;
  save(place, "vectors", {"own.npz"});
  auto terminal = attnlab::on_terminal({"TERM=xterm"});
  CHECK(contains(place.run({"vectors", "--check", "own.npz"}, terminal).out, "\x1b[1;32mPASS"));
  terminal.environment.emplace_back("NO_COLOR=1");
  CHECK(!contains(place.run({"vectors", "--check", "own.npz"}, terminal).out, "\x1b["));
}

// --- --blank -----------------------------------------------------------------------------------------------

TEST_CASE("blank figures get names of their own and say how they were made") {
  const Workplace place;
  CHECK(place.run({"self-attention", "--blank", "--quiet", "--format", "svg", "--figure", "weights"})
            .exit_code == 0);
  REQUIRE(place.files().size() == 1);
  const std::string file = place.files().front();
  CHECK(contains(file, "-blank.svg"));
  const std::string svg = place.read(file);
  CHECK(contains(svg, "--blank"));
  CHECK(!contains(svg, "weights[0,0].text"));
  CHECK(place.run({"self-attention", "--blank", "-o", "sheet.svg", "--quiet", "--figure", "weights"})
            .exit_code == 0);
  CHECK(place.has("sheet.svg"));
  CHECK(place.run({"self-attention", "--blank", "--no-figure"}).exit_code == 2);
}

TEST_CASE("every figure of every experiment can be blank") {
  const Workplace place;
  for (const std::string language : {"ja", "en"}) {
    const Outcome outcome = place.run({"all", "--blank", "--format", "svg", "--lang", language});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(!outcome.out.empty());
  }
}
