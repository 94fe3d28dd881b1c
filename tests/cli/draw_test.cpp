// `attnlab draw` as a user runs it, and the words of files as labels everywhere.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "attend_files.hpp"
#include "program.hpp"

using attnlab::contains;
using attnlab::Outcome;
using attnlab::Tensor;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

const Tensor<double> two_heads{{{0.5, 0.5}, {0.25, 0.75}}, {{0.9, 0.1}, {0.2, 0.8}}};

/// What is said of a call that is refused in one line, with nothing written.
std::string refusal(const Workplace& place, Words words) {
  const Words before = place.files();
  words.insert(words.end(), {"--lang", "en", "-o", "never.png"});
  const Outcome outcome = place.run(words);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(attnlab::lines_of(outcome.err).size() == 1);
  CHECK(place.files() == before);
  return outcome.err;
}

}  // namespace

TEST_CASE("draw writes pictures, pages, films and arrays of a file of weights") {
  const Workplace place;
  Tensor<double> layers = Tensor<double>::from_shape({3, 1, 2, 2, 2});
  for (std::size_t i = 0; i < layers.size(); ++i) layers.flat(i) = two_heads.flat(i % 8);
  place.write("w.npy", attnlab::test::npy(layers));
  const Outcome drawn = place.run({"draw", "w.npy",  "--labels", "the,cat", "--layer", "1",     "--lang",
                                   "en",   "-o",     "w.svg",    "-o",      "w.png",   "-o",    "w.pdf",
                                   "-o",   "w.html", "--figure", "weights", "--data",  "d.json"});
  CHECK(drawn.exit_code == 0);
  CHECK(drawn.err.empty());
  CHECK(contains(drawn.out, "The largest weight: “the” → “the”, 0.90 (layer 1, head 1)."));
  CHECK(attnlab::is_svg(place.read("w.svg")));
  CHECK(attnlab::is_png(place.read("w.png")));
  CHECK(attnlab::is_pdf(place.read("w.pdf")));
  CHECK(contains(place.read("w.html"), "min=\"0\" max=\"2\" value=\"1\""));  // a slider of layers
  const auto saved = nlohmann::json::parse(place.read("d.json"));
  CHECK(saved.at("arrays").at("weights").at("data") ==
        nlohmann::json{0.5, 0.5, 0.25, 0.75, 0.9, 0.1, 0.2, 0.8});
  CHECK(place.run({"sweep", "draw", "w.npy", "--over", "layer=0:2", "-o", "f.gif"}).exit_code == 0);
  CHECK(place.run({"draw", "w.npy", "--code", "numpy"}).exit_code == 2);
}

TEST_CASE("draw says in one line what are no weights, and draws them") {
  const Workplace place;
  place.write("w.csv", "1,-1\n2,3\n");
  const Outcome drawn =
      place.run({"draw", "w.csv", "--lang", "en", "--quiet", "--figure", "weights", "-o", "w.svg"});
  CHECK(drawn.exit_code == 0);
  CHECK(attnlab::lines_of(drawn.err).size() == 1);
  CHECK(contains(drawn.err, "1 number below 0 (least -1), 2 of 2 rows do not sum to 1 (row 0: 0)"));
  CHECK(place.has("w.svg"));
}

TEST_CASE("draw refuses what it cannot draw in one line, and writes nothing") {
  const Workplace place;
  place.write("w.npy", attnlab::test::npy(two_heads));
  place.write("none.npy", attnlab::test::npy(Tensor<double>::from_shape({0, 3})));
  CHECK(contains(refusal(place, {"draw"}), "draw needs a file of weights"));
  CHECK(contains(refusal(place, {"draw", "w.npy", "--labels", "a,b,c"}), "3 labels, but 2 are needed"));
  CHECK(contains(refusal(place, {"draw", "w.npy", "--labels", "a,\x1b[31m"}), "control characters"));
  CHECK(contains(refusal(place, {"draw", "none.npy"}), "(0, 3)"));
  CHECK(contains(refusal(place, {"draw", "w.npy", "--head", "2"}), "from 0 to 1"));
}

TEST_CASE("attend leads to draw") {
  const Workplace place;
  CHECK(contains(place.run({"attend", "--help-all", "--lang", "en"}).out, "attnlab draw FILE"));
  CHECK(contains(refusal(place, {"attend"}), "attnlab draw w.npy"));
}

TEST_CASE("Labels are words, or the words of a file, in every experiment") {
  const Workplace place;
  place.write("words.txt", "the\nc,t\nsat\n");
  place.write("t.json", R"({"tokens": ["one", "two"], "weights": [[0.5, 0.5], [0.25, 0.75]]})");
  const Outcome lines = place.run({"self-attention", "--labels", "words.txt", "--json", "--no-figure"});
  const auto json = nlohmann::json::parse(lines.out);
  CHECK(json.at("parameters").at("labels") == Words{"the", "c,t", "sat"});
  CHECK(json.at("arrays").at("x").at("shape") == nlohmann::json{3, 8});
  CHECK(contains(
      place.run({"draw", "t.json:weights", "--labels", "t.json:tokens", "--lang", "en", "--no-figure"}).out,
      "“two” → “two”, 0.75"));
  CHECK(contains(place.run({"draw", "t.json:weights", "--labels", "=t.json:tokens", "--lang", "en"}).err,
                 "1 label, but 2 are needed"));
}
