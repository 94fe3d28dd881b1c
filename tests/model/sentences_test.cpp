// The recorded sentences of `self-attention` and `heads` against the models that have read them.
#include <doctest/doctest.h>

#include "core/named.hpp"
#include "experiments/framework/learned_sentence.hpp"
#include "model/experiments/experiments.hpp"
#include "model/model_experiment.hpp"

using namespace attnlab;

namespace {

constexpr double rounded_to_four =
    0.5e-4 + 1e-5;  // four decimals are stored, of what was computed in float32

Report sentence_run(const LearnedSentence& sentence, const char* ablate = "on") {
  Arguments arguments(model_experiment().parameters);
  arguments.set("model", sentence.model);
  arguments.set("text", sentence.text);
  arguments.set("ablate", ablate);
  return run(model_experiment(), arguments);
}

const std::vector<double>& stage_numbers(const Report& report, const std::string& stage) {
  return find_named(report.stages, stage)->array.data;
}

/// The likeliest next word's probability.
double largest_probability(const Report& report) {
  const Array& logits = find_named(report.stages, "logits")->array;
  const auto words = static_cast<std::ptrdiff_t>(logits.shape.at(1));
  const double most = *std::max_element(logits.data.end() - words, logits.data.end());
  double sum = 0.0;
  for (auto logit = logits.data.end() - words; logit != logits.data.end(); ++logit)
    sum += std::exp(*logit - most);
  return 1.0 / sum;
}

const std::vector<Language> both_languages{Language::ja, Language::en};

}  // namespace

TEST_CASE("a recorded sentence has the weights of its model, and no head adds more to its next word") {
  for (const Language language : both_languages) {
    const LearnedSentence& sentence = learned_sentence(language);
    CAPTURE(sentence.text);
    const Report report = sentence_run(sentence);
    const std::vector<double>& weights = stage_numbers(report, "weights");
    const std::size_t begin = sentence.layer * sentence.weights.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < sentence.weights.size(); ++i)
      largest = std::max(largest, std::abs(weights.at(begin + i) - sentence.weights.flat(i)));
    CHECK(largest < rounded_to_four);
    const double probability = largest_probability(report);
    CHECK(std::abs(probability - sentence.probability) < rounded_to_four);
    const std::vector<double>& changes = stage_numbers(report, "ablation");
    const std::size_t heads = sentence.without.size();
    const auto least = std::min_element(changes.begin(), changes.end()) - changes.begin();
    CHECK(static_cast<std::size_t>(least) == sentence.layer * heads + sentence.head);
    for (std::size_t head = 0; head < heads; ++head) {
      const double without = probability * std::exp(changes[sentence.layer * heads + head]);
      CHECK(std::abs(without - sentence.without[head]) < rounded_to_four);
    }
    const Figure& next = *find_named(report.figures, "next");
    CHECK(next.title.in(language).find(text("「{0}」", "“{0}”", sentence.next).in(language)) !=
          std::string::npos);
  }
}

TEST_CASE("a small model opens on the head that adds most to the next word, whether it is ablated or not") {
  for (const Language language : both_languages) {
    const LearnedSentence& sentence = learned_sentence(language);
    for (const char* ablate : {"on", "off"}) {
      const std::string title = sentence_run(sentence, ablate).figures.front().title.en();
      CHECK(title.rfind(fmt::format("L{} H{}: ", sentence.layer, sentence.head), 0) == 0);
    }
  }
  const std::string title = sentence_run(learned_sentence(Language::en), "off").figures.front().title.en();
  CHECK(title == "L3 H3: “tree” attends to “books”, 0.98");
}

TEST_CASE("self-attention over a model shows the same head without being told which") {
  const LearnedSentence& sentence = learned_sentence(Language::en);
  Arguments arguments(experiment_over_model("self-attention")->parameters);
  arguments.set("model", "world");
  const Report report = run(*experiment_over_model("self-attention"), arguments);  // the default text
  CHECK(report.figures.front().title.en() == title_of(sentence).en());
}
