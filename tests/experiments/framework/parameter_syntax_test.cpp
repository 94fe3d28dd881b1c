// The parameters that several experiments share: what scale, range and labels accept, mean and refuse.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK_FALSE(error.message(Language::ja).empty());
    return error.message(Language::en);
  }
  return "";
}

Arguments with_labels(const std::string& labels) {
  Arguments arguments({labels_parameter()});
  if (!labels.empty()) arguments.set("labels", labels);
  return arguments;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("a scale of none multiplies by 1 and default leaves the choice to attention") {
  CHECK(parse_scale("none") == 1.0);
  CHECK_FALSE(parse_scale("default").has_value());
  CHECK(parse_scale("0.125") == 0.125);
  CHECK(parse_scale("1e-3") == 0.001);
  CHECK(parse_scale("+2") == 2.0);
}

TEST_CASE("a scale that is no positive number is refused with the remedy") {
  for (const char* text : {"", "wide", "None", "0", "-1", "nan", "inf", "2x", "1e7", "0x10", "+-1"}) {
    INFO(text);
    CHECK(contains(error_of([text] { parse_scale(text); }), "--scale 0.5"));
  }
}

TEST_CASE("without labels tokens are numbered from 0") {
  CHECK(token_labels(with_labels(""), 3) == Labels{"Token 0", "Token 1", "Token 2"});
  CHECK(token_labels(with_labels(""), 0).empty());
}

TEST_CASE("labels are taken as typed in any script") {
  CHECK(token_labels(with_labels("the,cat,眠る"), 3) == Labels{"the", "cat", "眠る"});
}

TEST_CASE("a comma behind a backslash belongs to its word") {
  CHECK(token_labels(with_labels(R"(a\,b,c\\)"), 2) == Labels{"a,b", "c\\"});
}

TEST_CASE("neko names the first words of the novel") {
  CHECK(token_labels(with_labels("neko"), 4) == Labels{"吾輩", "は", "猫", "で"});
  const Labels all = token_labels(with_labels("neko"), 11);
  std::string sentence;
  for (const std::string& word : all) sentence += word;
  CHECK(sentence == "吾輩は猫である。名前はまだない。");
}

TEST_CASE("labels that do not fit the tokens are refused with the number that is needed") {
  CHECK(error_of([] { token_labels(with_labels("a,b,c"), 4); }) ==
        "--labels names 3 of 4 tokens; give 4 words separated by commas");
  CHECK(
      error_of([] { token_labels(with_labels("neko"), 12); }) ==
      "--labels neko has 11 words, too few for 12 tokens; use at most 11 tokens, or give 12 words separated by commas");
}

TEST_CASE("typed labels make as many tokens, unless another number or --input says how many there are") {
  const Experiment one = self_attention_experiment();
  const Report five = run_with(one, {{"labels", "今日,は,良い,天気,だ"}});
  CHECK(stage(five, "x").array.shape == std::vector<std::size_t>{5, 8});
  const Report novel = run_with(one, {{"labels", "neko"}});
  CHECK(stage(novel, "x").array.shape == std::vector<std::size_t>{4, 8});
  CHECK(contains(usage_error(one, {{"labels", "a,b,c"}, {"tokens", "4"}}), "names 3 of 4 tokens"));
  CHECK(contains(usage_error(one, {{"labels", "a,b,c"}}, {own("x", {2, 1}, {1, 2})}), "names 3 of 2 tokens"));
  CHECK(usage_error(one, {{"labels", "a"}}) ==
        "--labels has 1 word, and --tokens is from 2 to 256; give another number of words");
}

TEST_CASE("every experiment with labels takes five of them by themselves") {
  std::size_t taking = 0;
  for (const Experiment& experiment : experiments()) {
    const Parameter* labels = find_named(experiment.parameters, "labels");
    if (labels == nullptr || labels->help.en() != labels_parameter().help.en()) continue;
    INFO(experiment.name);
    const Flags five{{"labels", "today,the,weather,is,fine"}};
    CHECK(usage_error(experiment, five).empty());
    ++taking;
  }
  CHECK(taking == 5);
  CHECK(usage_error(heads_experiment(), {{"variant", "course"}, {"labels", "a,b,c"}}).empty());
  CHECK(contains(usage_error(heads_experiment(), {{"variant", "parity"}, {"labels", "a,b,c,d"}}),
                 "--labels is fixed"));
}

TEST_CASE("the shared declarations accept their own defaults") {
  CHECK_NOTHROW(Arguments({scale_parameter("none"), labels_parameter(), seed_parameter("0")}));
  Arguments arguments({seed_parameter("42")});
  CHECK(arguments.integer("seed") == 42);
  arguments.set("seed", "4294967295");
  CHECK(arguments.integer("seed") == 4294967295LL);
  CHECK_FALSE(error_of([&arguments] { arguments.set("seed", "4294967296"); }).empty());
}

}  // namespace attnlab
