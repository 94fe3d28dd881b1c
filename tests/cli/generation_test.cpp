// `attnlab generation`: what it writes is what `model --generate` writes, and the numbers beside it are
// right.
#include <doctest/doctest.h>

#include "core/json.hpp"
#include "model_folder.hpp"
#include "program.hpp"

namespace attnlab {
namespace {

Json json_of(const Workplace& place, std::vector<std::string> words) {
  words.insert(words.end(), {"--json", "--no-figure", "--lang", "en"});
  const Outcome outcome = place.run(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.out);
}

std::vector<double> array_in(const Json& json, const std::string& name) {
  return json.at("arrays").at(name).at("data").get<std::vector<double>>();
}

}  // namespace

TEST_CASE("generation without a word begins with the small world, and keeps what a text decides") {
  const Workplace place;
  const Outcome outcome = place.run(
      {"generation", "world", "the dog had run all day . it did not cross", "--lang", "en", "--no-figure"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(on_one_line(outcome.out), "because it was too tired"));
  CHECK(place.run({"generation", "--lang", "ja", "--no-figure"}).exit_code == 0);
}

TEST_CASE("a page says which of a model's steps, layers and heads its sliders do not reach") {
  const Workplace place;
  const std::string note = "step reaches 20 of 40; --slide step=A,B,... takes others";
  const Outcome some = place.run({"generation", "world", "the dog", "--temperature", "4", "--choice",
                                  "temperature", "--generate", "40", "--lang", "en", "-o", "some.html"});
  CHECK(some.exit_code == 0);
  CHECK(contains(some.err, "warning: " + note));
  CHECK(contains(place.read("some.html"), note));
  const Outcome all = place.run({"generation", "world", "--generate", "4", "--lang", "en", "-o", "all.html"});
  CHECK(!contains(all.err, "reaches"));
  CHECK(!contains(place.read("all.html"), "reaches"));
}

TEST_CASE("generation writes what model --generate writes, however it is chosen") {
  const Workplace place;
  const std::vector<std::vector<std::string>> ways{
      {}, {"--temperature", "1.5", "--seed", "3"}, {"--top-k", "3", "--temperature", "1"}};
  const std::vector<std::vector<std::string>> choices{
      {},
      {"--choice", "temperature", "--temperature", "1.5", "--seed", "3"},
      {"--choice", "top-k", "--top-k", "3"}};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    std::vector<std::string> model{
        "model", "world", "i am a cat . my name is", "--generate", "9", "--lang", "en", "--no-figure"};
    model.insert(model.end(), ways[i].begin(), ways[i].end());
    std::vector<std::string> generation{"generation", "world", "i am a cat . my name is", "--generate", "9"};
    generation.insert(generation.end(), choices[i].begin(), choices[i].end());
    const Json json = json_of(place, generation);
    CHECK(array_in(json, "tokens").size() <= 9 + 9);
    const std::string written = on_one_line(place.run(model).out);
    generation.insert(generation.end(), {"--lang", "en", "--no-figure"});
    const std::string reported = on_one_line(place.run(generation).out);
    const std::string opening = ": “";
    const std::size_t begin = reported.find(opening) + opening.size();
    const std::string words = reported.substr(begin, reported.find("”", begin) - begin);
    INFO(words);
    CHECK(words.size() > 10);
    CHECK(contains(written, words));
  }
}

TEST_CASE("probabilities sum to one, and the cache saves what the sizes say") {
  const Workplace place;
  const Json json = json_of(place, {"generation", "world.en", "the dog", "--generate", "4"});
  double sum = 0.0;
  for (const double share : array_in(json, "next_probabilities")) sum += share;
  CHECK(sum == doctest::Approx(1.0));
  // 4 layers of width 64 with an MLP of 256 behind 443 words; three tokens (¶ the dog), then four.
  const double words = 64.0 * static_cast<double>(array_in(json, "next_probabilities").size());
  const auto token = [](double before) {
    return 4.0 * (4.0 * 64.0 * 64.0 + 2.0 * 64.0 * 256.0 + 2.0 * 64.0 * (before + 1.0));
  };
  double with = words;
  for (double before = 0.0; before < 3.0; ++before) with += token(before);
  for (double before = 3.0; before < 6.0; ++before) with += token(before) + words;
  double without = 0.0;
  for (double tokens = 3.0; tokens < 7.0; ++tokens) {
    without += words;
    for (double before = 0.0; before < tokens; ++before) without += token(before);
  }
  CHECK(json.at("scalars").at("saved_by_cache").get<double>() ==
        doctest::Approx(without / with).epsilon(1e-9));
}

TEST_CASE("generation is drawn, filmed and put on a page; what cannot write is refused") {
  const Workplace place;
  CHECK(place.run({"generation", "--figure", "all", "-o", "g.pdf", "--lang", "en"}).exit_code == 0);
  CHECK(place.run({"generation", "--generate", "3", "-o", "g.html", "--lang", "ja"}).exit_code == 0);
  CHECK(
      place.run({"sweep", "generation", "--over", "step=1:4:4", "--figure", "map", "-o", "g.gif", "--quiet"})
          .exit_code == 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"generation", "topic", "猫"},
                                             {"generation", "world", "the elephant"},
                                             {"generation", "world", "the", "--layer", "4"},
                                             {"generation", "nope"},
                                             {"generation", "world", ""}}) {
    const std::vector<std::string> before = place.files();
    const Outcome outcome = place.run(words);
    CAPTURE(words.back());
    CHECK((outcome.exit_code == 1 || outcome.exit_code == 2));
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(place.files() == before);
  }
}

}  // namespace attnlab
