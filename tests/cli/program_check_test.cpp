// --check on files as they come: another experiment's, one array under another name, measured times.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

/// What the tool computed, as a student's file.
void save(const Workplace& place, std::vector<std::string> words, const std::string& file) {
  words.insert(words.end(), {"--no-figure", "--quiet", "--data", file});
  REQUIRE(place.run(words).exit_code == 0);
}

}  // namespace

TEST_CASE("weights of scores that were not scaled are told so") {
  const Workplace place;
  save(place, {"self-attention", "--scale", "none"}, "w.npz");
  const Outcome outcome = place.run({"self-attention", "--check", "weights=w.npz"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(on_one_line(outcome.out), "raw_scores is not scaled"));
  const Outcome japanese = place.run({"self-attention", "--check", "weights=w.npz", "--lang", "ja"});
  CHECK(contains(japanese.out, "スケール 0.353553 を掛けていません"));
}

TEST_CASE("scaled weights where the experiment has unscaled ones are told so") {
  const Workplace place;
  save(place, {"scaling"}, "own.csv");
  std::string scaled;
  for (const std::string& line : lines_of(place.read("own.csv"))) {
    const std::string name = "weights_high_scaled,";
    if (line.rfind(name, 0) == 0) scaled += "weights_high," + line.substr(name.size()) + "\n";
  }
  place.write("wrong.csv", "array,indices,value\n" + scaled);
  const Outcome outcome = place.run({"scaling", "--check", "wrong.csv"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(on_one_line(outcome.out), "divided by √100; here they must not be scaled"));
}

TEST_CASE("a model's weights of scores that were not scaled, not masked or divided by d are told so") {
  const Workplace place;
  const std::vector<std::string> model{"model", "text", "Alice was"};
  save(place, model, "own.csv");
  std::map<std::string, std::vector<double>> values;
  for (const std::string& line : lines_of(place.read("own.csv"))) {
    for (const char* name : {"layer_0_query,", "layer_0_key,", "layer_0_scores,"}) {
      if (line.rfind(name, 0) == 0) values[name].push_back(std::stod(line.substr(line.rfind(',') + 1)));
    }
  }
  const std::vector<double>& query = values["layer_0_query,"];
  const std::vector<double>& key = values["layer_0_key,"];
  const std::size_t cells = values["layer_0_scores,"].size();  // 4 heads of n × n
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(cells) / 4.0)));
  const std::size_t d = query.size() / (4 * n);
  const auto recorded = [&](double scale, bool is_masked) {
    std::string wrong = "array,indices,value\n";
    for (std::size_t row = 0; row < 4 * n; ++row) {
      std::vector<double> terms;
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        double score = 0.0;
        for (std::size_t i = 0; i < d; ++i) score += query[row * d + i] * key[(row / n * n + j) * d + i];
        terms.push_back(is_masked && j > row % n ? 0.0 : std::exp(scale * score));
        sum += terms.back();
      }
      for (std::size_t j = 0; j < n; ++j)
        wrong += fmt::format("layer_0_weights,{} {} {},{:.9g}\n", row / n, row % n, j, terms[j] / sum);
    }
    place.write("wrong.csv", wrong);
    std::vector<std::string> words = model;
    words.insert(words.end(), {"--check", "wrong.csv"});
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == 1);
    return on_one_line(outcome.out);
  };
  const double root = std::sqrt(static_cast<double>(d));
  CHECK(contains(recorded(1.0, true), "is not scaled"));
  CHECK(contains(recorded(1.0 / static_cast<double>(d), true), "dividing by d instead of √d"));
  CHECK(contains(recorded(1.0 / root, false), "the mask is not added"));
}

TEST_CASE("heads of one matrix that reshape split are told so in the notebook's layer") {
  const Workplace place;
  const std::vector<std::string> layer{"heads",   "--variant", "notebook", "--width", "4",
                                       "--heads", "2",         "--tokens", "3"};
  save(place, layer, "own.csv");
  std::string wrong = "array,indices,value\n";
  std::size_t next = 0;
  for (const std::string& line : lines_of(place.read("own.csv"))) {
    if (line.rfind("projected_query,", 0) != 0) continue;
    // P (1, 3, 4) read as (1, 2, 3, 2)
    const std::string place_of =
        std::to_string(next / 6) + " " + std::to_string(next / 2 % 3) + " " + std::to_string(next % 2);
    wrong += "query,0 " + place_of + line.substr(line.rfind(',')) + "\n";
    ++next;
  }
  REQUIRE(next == 12);
  place.write("wrong.csv", wrong);
  std::vector<std::string> check = layer;
  check.insert(check.end(), {"--check", "wrong.csv"});
  const Outcome outcome = place.run(check);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(on_one_line(outcome.out), "split by reshape alone"));
}

TEST_CASE("a file of another experiment is one line that names what it holds") {
  const Workplace place;
  save(place, {"scaling"}, "other.npz");
  const Outcome outcome = place.run({"self-attention", "--check", "other.npz"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(contains(outcome.err, "holds no array of self-attention but 'query_low', "));
  CHECK(contains(outcome.err, "choose from x, w_query"));
}

TEST_CASE("several arrays without a stage are one warning") {
  const Workplace place;
  save(place, {"dot-product"}, "own.csv");
  place.write("own.csv", place.read("own.csv") + "mine,0,1\nyours,0,2\n");
  const Outcome outcome = place.run({"dot-product", "--check", "own.csv"});
  CHECK(outcome.exit_code == 0);
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(contains(outcome.err, "holds 'mine', 'yours', which dot-product has not"));
}

TEST_CASE("a file's only array under a name of its own is compared where one stage has its shape") {
  const Workplace place;
  place.write("bits.csv", "array,indices,value\nmine,0,0\nmine,1,1\n");
  const Outcome query = place.run({"lookup", "--query", "Mori", "--check", "bits.csv"});
  CHECK(query.exit_code == 1);  // query and hard_output have two numbers each
  CHECK(query.out.empty());
  CHECK(contains(query.err, "holds no array of lookup but 'mine'"));
  place.write(
      "x.csv",
      "array,indices,value\nmine,0 0,1\nmine,0 1,2\nmine,1 0,3\nmine,1 1,4\nmine,2 0,1\nmine,2 1,2\n");
  const Outcome vectors = place.run({"dot-product", "--check", "x.csv"});
  CHECK(vectors.exit_code == 1);
  CHECK(contains(vectors.out, "x.csv:mine: vectors (3, 2), chosen by shape"));
}

TEST_CASE("a file's only array that is compared under another name is mentioned") {
  const Workplace place;
  place.write("w.csv", "array,indices,value\nmine,0 0,1\n");
  const Outcome outcome = place.run({"self-attention", "--check", "weights=w.csv"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.err, "has no weights; its only array, 'mine', is compared"));
}

TEST_CASE("measured times are not compared") {
  const Workplace place;
  const std::vector<std::string> measure{"cost", "--measure", "--longest", "128", "--width", "2"};
  save(place, measure, "own.npz");
  std::vector<std::string> check = measure;
  check.insert(check.end(), {"--check", "own.npz"});
  const Outcome outcome = place.run(check);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "length (2,)"));
  CHECK(!contains(outcome.out, "seconds"));
  CHECK(contains(
      outcome.err,
      "'seconds', 'seconds_of_layers', 'seconds_of_heads', 'intensity', 'rate' are measured anew by every run: not compared"));
  check.back() = "seconds=own.npz";
  CHECK(place.run(check).exit_code == 2);
}

TEST_CASE("what a training learned is not compared, and nobody says that a clock gave it") {
  const Workplace place;
  const std::vector<std::string> learn{"train", "kernel", "--steps", "2"};
  save(place, learn, "own.npz");
  std::vector<std::string> check = learn;
  check.insert(check.end(), {"--check", "weights=own.npz"});
  const Outcome outcome = place.run(check);
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "came out of a training"));
}

TEST_CASE("a checked file is never overwritten") {
  const Workplace place;
  save(place, {"vectors"}, "own.npz");
  const std::string before = place.read("own.npz");
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--data", "own.npz"},
                                               {"--data", "./own.npz"},
                                               {"--explain", "-o", "a.md"}}) {
    std::vector<std::string> words{"vectors", "--count", "9", "--check", "weights=own.npz"};
    words.insert(words.end(), more.begin(), more.end());
    CHECK(place.run(words).exit_code == 2);
  }
  CHECK(place.read("own.npz") == before);
  CHECK(place.files() == std::vector<std::string>{"own.npz"});
}
