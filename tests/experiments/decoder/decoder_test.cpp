// The decoder experiment: NumPy's numbers, a future that does not leak, and words that are not in the
// vocabulary.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/framework/traces.hpp"

namespace attnlab {
namespace {

const Flags small{{"vocabulary", "a,b,c"}, {"prompt", "c,a,a,b"}, {"layers", "3"},
                  {"width", "6"},          {"heads", "2"},        {"seed", "7"}};

}  // namespace

TEST_CASE("the stack of causal layers agrees with GPT's arrangement in NumPy") {
  check_reference(decoder_experiment(), "decoder/default.json");
  check_reference(decoder_experiment(), "decoder/small.json");
}

TEST_CASE("every invariant of the decoder holds for other sizes and seeds and PyTorch's stream") {
  const std::string long_prompt = "a,b,a,a,b,b,a,b,a,a,b,b,a,b,a,a,b,b,a,b,a,a,b,b,a,b,a,a,b,b,a,b";
  for (const Flags& flags : std::vector<Flags>{{},
                                               small,
                                               {{"prompt", "猫"}},
                                               {{"layers", "4"}, {"width", "64"}, {"heads", "8"}},
                                               {{"rng", "torch"}, {"seed", "3"}},
                                               {{"vocabulary", "a,b"}, {"prompt", long_prompt}},
                                               {{"width", "2"}, {"heads", "1"}}}) {
    const Report report = run_with(decoder_experiment(), flags);
    check_form(report);
    CHECK(report.invariants.size() == 6);
    check_invariants_hold(report);
  }
}

TEST_CASE("a changed word moves its own output and later ones and no earlier one") {
  const Report report = run_with(decoder_experiment(), {});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK((values(report, "reaction")[i * 5 + j] > 1e-12) == (j <= i));
      CHECK(values(report, "reaction_without_mask")[i * 5 + j] > 0.1);  // the mask, not the model, hides them
    }
  }
}

TEST_CASE("other last words leave the logits of all earlier positions as they are") {
  const Report one = run_with(decoder_experiment(), {{"prompt", "吾輩,は,猫,で,ある"}});
  const Report other = run_with(decoder_experiment(), {{"prompt", "吾輩,は,猫,名前,ない"}});
  for (std::size_t i = 0; i < 5; ++i) {
    bool equal = true;
    for (std::size_t word = 0; word < 9; ++word) {
      equal = equal &&
              std::abs(values(one, "logits")[i * 9 + word] - values(other, "logits")[i * 9 + word]) < 1e-12;
    }
    CHECK(equal == (i < 3));
  }
}

TEST_CASE("the same word at two positions is predicted differently because positions are added") {
  const Report report = run_with(decoder_experiment(), {{"prompt", "猫,猫"}});
  const std::vector<double>& probabilities = values(report, "probabilities");
  CHECK_FALSE(std::equal(probabilities.begin(), probabilities.begin() + 9, probabilities.begin() + 9));
}

TEST_CASE(
    "with nested draws one layer more or less changes neither the vocabulary matrix nor the other layers") {
  for (const char* rng : {"numpy", "torch"}) {
    const Report usual = run_with(decoder_experiment(), {{"rng", rng}});
    for (const char* layers : {"1", "3", "4"}) {
      const Report other =
          nested_run(*find_named(experiments(), "decoder"), {{"rng", rng}, {"layers", layers}});
      CHECK(values(other, "w_vocabulary") == values(usual, "w_vocabulary"));
      CHECK(values(other, "layer_0_w_2") == values(usual, "layer_0_w_2"));
      if (has_stage(other, "layer_1_w_2"))
        CHECK(values(other, "layer_1_w_2") == values(usual, "layer_1_w_2"));
    }
  }
}

TEST_CASE("the array of weights holds the weights of every layer in order") {
  const Report report = run_with(decoder_experiment(), small);
  const Array& weights = stage(report, "weights").array;
  CHECK(weights.shape == std::vector<std::size_t>{3, 2, 4, 4});
  std::vector<double> joined;
  for (const char* name : {"layer_0_weights", "layer_1_weights", "layer_2_weights"}) {
    joined.insert(joined.end(), values(report, name).begin(), values(report, name).end());
  }
  CHECK(weights.data == joined);
}

TEST_CASE("every computed stage of the decoder names earlier stages as its operands") {
  check_derivations(run_with(decoder_experiment(), small));
}

TEST_CASE("words outside the vocabulary and vocabularies with one word or a word twice are refused") {
  CHECK(
      usage_error(decoder_experiment(), {{"prompt", "吾輩,犬"}}) ==
      "--prompt: '犬' is not in the vocabulary; choose from 吾輩,は,猫,で,ある,。,名前,まだ,ない, or give another --vocabulary");
  CHECK(contains(usage_error(decoder_experiment(), {{"vocabulary", "a"}, {"prompt", "a"}}),
                 "got 1 (1 different)"));
  CHECK(contains(usage_error(decoder_experiment(), {{"vocabulary", "a,b,a"}, {"prompt", "a"}}),
                 "got 3 (2 different)"));
  CHECK(contains(usage_error(decoder_experiment(), {{"heads", "3"}}), "choose a divisor of 16"));
  std::string words = "は";
  for (int i = 0; i < 32; ++i) words += ",は";
  CHECK(contains(usage_error(decoder_experiment(), {{"prompt", words}}), "33 words, more than 32"));
}

TEST_CASE("every caption of the decoder says that its weights are untrained") {
  const Report report = run_with(decoder_experiment(), {});
  REQUIRE(report.figures.size() == 6);
  for (const Figure& one : report.figures) {
    if (one.name == "architecture") continue;  // shows sizes and no number that a weight makes
    CHECK(contains(one.caption.en(), "untrained"));
    CHECK(contains(one.caption.ja(), "学習していない"));
  }
  CHECK(contains(paragraphs(report, Role::note), "untrained"));
}

TEST_CASE("the title names the most probable next word") {
  const Report report = run_with(decoder_experiment(), {});
  CHECK(contains(figure(report, "next-token").title.en(), "an untrained decoder predicts “is” (23%)"));
}

TEST_CASE("the decoder's figures name the words of the sentence in their own language") {
  const Report report = run_with(decoder_experiment(), {});
  const auto& bars = std::get<Chart>(figure(report, "next-token").panels.at(0).content);
  CHECK(bars.x.categories.at(4).in(Language::en) == "cat");
  CHECK(bars.x.categories.at(4).in(Language::ja) == "ある");
}

TEST_CASE("with an own last map of zeros every word is as probable") {
  const Experiment experiment = decoder_experiment();
  const Flags flags{{"vocabulary", "a,b"}, {"prompt", "b,a"}, {"layers", "1"}, {"heads", "1"}};
  const Report report = run_with(experiment, flags, {own("w_vocabulary", {2, 2}, Numbers(4, 0.0))});
  CHECK(values(report, "probabilities") == Numbers(4, 0.5));
  check_invariants_hold(report, 6);
  CHECK(contains(figure(report, "leak").caption.en(), "w_vocabulary: w_vocabulary.npy"));
  CHECK(contains(usage_error(experiment, flags, {own("layer_1_w_1", {2, 8}, Numbers(16, 0.0))}),
                 "has no layer_1_w_1"));
}

}  // namespace attnlab
