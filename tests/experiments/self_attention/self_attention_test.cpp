// The self-attention experiment: the article's weights, what holds for any weights, labels and colour ranges.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

const HeatMap& heat_map(const Report& report) {
  return std::get<HeatMap>(figure(report, "weights").panels.at(0).content);
}

int decimals(const Flags& flags) {
  const Report report = run_with(self_attention_experiment(), flags);
  return heat_map(report).decimals;
}

}  // namespace

TEST_CASE("self-attention agrees with the article's code in NumPy") {
  check_reference(self_attention_experiment(), "self-attention/default.json");
  check_reference(self_attention_experiment(), "self-attention/scaled.json");
}

TEST_CASE("every row of weights sums to 1 and every output lies among the values") {
  const std::size_t tokens = 7;
  const std::size_t width = 3;
  const Report report =
      run_with(self_attention_experiment(), {{"tokens", "7"}, {"width", "3"}, {"scale", "20"}});
  check_form(report);
  const std::vector<double>& weights = values(report, "weights");
  const std::vector<double>& value = values(report, "value");
  const std::vector<double>& output = values(report, "output");
  for (std::size_t query = 0; query < tokens; ++query) {
    double sum = 0.0;
    for (std::size_t key = 0; key < tokens; ++key) sum += weights[query * tokens + key];
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-14));
    for (std::size_t i = 0; i < width; ++i) {
      double low = value[i];
      double high = value[i];
      for (std::size_t key = 0; key < tokens; ++key) {
        low = std::min(low, value[key * width + i]);
        high = std::max(high, value[key * width + i]);
      }
      CHECK(output[query * width + i] >= low - 1e-12);
      CHECK(output[query * width + i] <= high + 1e-12);
    }
  }
}

TEST_CASE("the invariants of self-attention hold for any stream and scale") {
  for (const char* rng : {"numpy", "torch"}) {
    for (const char* scale : {"default", "none", "1000"}) {
      const Report report = run_with(self_attention_experiment(), {{"rng", rng}, {"scale", scale}});
      INFO(rng, " ", scale);
      CHECK(report.invariants.size() == 2);
      check_invariants_hold(report);
    }
  }
}

TEST_CASE("the caption tells whose random numbers were drawn") {
  const Report torch = run_with(self_attention_experiment(), {{"rng", "torch"}});
  CHECK(contains(figure(torch, "weights").caption.en(), "Seed 42 (PyTorch)."));
  const Report numpy = run_with(self_attention_experiment(), {});
  CHECK(contains(figure(numpy, "weights").caption.en(), "Seed 42."));
}

TEST_CASE("a tiny scale attends to all tokens alike") {
  const Report report = run_with(self_attention_experiment(), {{"scale", "1e-12"}});
  for (const double weight : values(report, "weights")) CHECK(std::abs(weight - 0.25) < 1e-11);
  CHECK(scalar(report, "largest_asymmetry") < 1e-11);
  CHECK(contains(figure(report, "weights").title.en(), "almost uniform"));
  CHECK_FALSE(contains(figure(report, "weights").title.en(), "Small random weights"));  // the scale's doing
  CHECK_FALSE(contains(paragraphs(report, Role::misunderstanding), " attends to "));    // 0.250 both ways
}

TEST_CASE("small projections are named as the cause only where all scores are near 0") {
  const Report narrow = run_with(self_attention_experiment(), {});
  for (const double score : values(narrow, "scores")) CHECK(std::abs(score) < 0.25);
  CHECK(contains(paragraphs(narrow, Role::say), "all scores are near 0"));
  CHECK(contains(figure(narrow, "weights").title.en(), "Small random weights"));

  const Report wide = run_with(self_attention_experiment(), {{"width", "64"}});
  CHECK(scalar(wide, "largest_weight") > 0.5);  // just as untrained
  CHECK_FALSE(contains(paragraphs(wide, Role::say), "near 0"));
}

TEST_CASE("without a scale the scores are the raw dot products") {
  const Report report = run_with(self_attention_experiment(), {{"scale", "none"}});
  CHECK(values(report, "scores") == values(report, "raw_scores"));
  CHECK(values(report, "masked") == values(report, "scores"));
}

TEST_CASE("the title names the strongest link once attention is uneven") {
  const Report report = run_with(self_attention_experiment(), {{"scale", "100"}});
  const std::vector<double>& weights = values(report, "weights");
  const auto place =
      static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  const std::string link =
      "Token " + std::to_string(place / 4) + " attends to Token " + std::to_string(place % 4);
  CHECK(contains(figure(report, "weights").title.en(), link));
}

TEST_CASE(
    "weights are coloured from 0 to 1, and what differs from even ones has a panel and colours of its own") {
  const Report report = run_with(self_attention_experiment(), {});
  CHECK(heat_map(report).scale.low == 0.0);
  CHECK(heat_map(report).scale.high == 1.0);
  const auto& differences = std::get<HeatMap>(figure(report, "weights").panels.at(1).content);
  CHECK(differences.scale.low == -differences.scale.high);
  CHECK(differences.scale.high == doctest::Approx(scalar(report, "largest_weight") - 0.25).epsilon(1e-12));
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(differences.values.values.at(i) + 0.25 ==
          doctest::Approx(values(report, "weights")[i]).epsilon(1e-12));
  }
}

TEST_CASE("labels name rows and columns and the caption says that they are only words") {
  const Report report = run_with(self_attention_experiment(), {{"labels", "neko"}});
  const std::vector<std::string> words{"吾輩", "は", "猫", "で"};
  CHECK(words_of(heat_map(report).row_labels) == words);
  CHECK(words_of(heat_map(report).column_labels) == words);
  CHECK(contains(figure(report, "weights").caption.en(), "only labels"));
  const Report numbered = run_with(self_attention_experiment(), {});
  CHECK_FALSE(contains(figure(numbered, "weights").caption.en(), "only labels"));
}

TEST_CASE("the numbers in the cells keep to what a cell can hold") {
  CHECK(decimals({}) == 3);
  CHECK(decimals({{"tokens", "12"}}) == 2);
  CHECK(decimals({{"tokens", "40"}}) == no_numbers);
}

TEST_CASE("the first figure is a sentence that was learned, with a readable weight in both languages") {
  const Report report = run_with(self_attention_experiment(), {});
  const Figure& sentence = report.figures.front();
  CHECK(sentence.name == "sentence");
  CHECK(sentence.title.en() == "“tree” attends to “books”, 0.98");
  CHECK(sentence.title.ja() == "「毎日」は「作家」に注目する：0.98");
  for (const auto& [language, query, key] :
       {std::tuple{Language::en, "tree", "books"}, {Language::ja, "毎日", "作家"}}) {
    const Figure shown = in_language(sentence, language);
    const auto& map = std::get<HeatMap>(shown.panels.at(0).content);
    const std::size_t n = map.values.rows;
    const auto framed = std::find(map.marked.begin(), map.marked.end(), true) - map.marked.begin();
    const auto place = static_cast<std::size_t>(framed);
    CHECK(map.row_labels[place / n].in(language) == query);
    CHECK(map.column_labels[place % n].in(language) == key);
    CHECK(map.values.values[place] >= 0.6);
    const auto& chart = std::get<Chart>(shown.panels.at(1).content);
    const std::vector<double>& probability = std::get<Bars>(chart.layers.at(0)).values;
    CHECK(probability.at(1) < 0.25 * probability.at(0));
  }
  CHECK(contains(figure(report, "weights").caption.en(), "Untrained: almost uniform."));
}

TEST_CASE("whoever chooses a parameter or an array sees what it makes, and no other sentence") {
  CHECK(run_with(self_attention_experiment(), {{"seed", "42"}}).figures.front().name ==
        "sentence");  // the default
  for (const Flags& flags :
       {Flags{{"seed", "1"}}, Flags{{"labels", "a,b,c,d"}}, Flags{{"example", "by-hand"}}})
    CHECK(run_with(*find_named(experiments(), "self-attention"), flags).figures.front().name == "weights");
  const InputArray x = own("x", {4, 8}, std::vector<double>(32, 0.5));
  CHECK(run_with(self_attention_experiment(), {}, {x}).figures.front().name == "weights");
}

TEST_CASE("the example on the blackboard has its words, and an output of both heads' values") {
  const Report report = run_with(*find_named(experiments(), "self-attention"), {{"example", "by-hand"}});
  CHECK(report.figures.front().name == "weights");
  const HeatMap& map = heat_map(report);
  CHECK(map.row_labels.at(1).in(Language::en) == "bank");
  CHECK(map.column_labels.at(2).in(Language::en) == "lends");
  // Head 1's values, 2, 0 and -2, cancel; head 2's, 0, 1 and 0, leave what a word gives bank.
  const std::vector<double>& weights = values(report, "weights");
  const std::vector<double>& output = values(report, "output");
  for (std::size_t word = 0; word < 3; ++word) {
    CHECK(std::abs(output[3 * word]) < 1e-15);
    CHECK(output[3 * word + 1] == doctest::Approx(weights[3 * word + 1]));
  }
}

}  // namespace attnlab
