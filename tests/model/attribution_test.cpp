// Why this token: contributions and patches against NumPy (tests/model/reference/make_explained.py).
#include "model/attribution.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/named.hpp"
#include "model/model_experiment.hpp"
#include "model/patching.hpp"
#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

constexpr double explained_rounding = 1e-4;

struct Explained {
  Config reference;
  Config whole;
  Folder folder;
  LanguageModel model;
  std::vector<std::size_t> tokens;
  LogitQuestion question;

  explicit Explained(const std::string& family)
      : reference(reference_of("explained")[family]), whole(reference_of(family)), tokens(tokens_of(whole)) {
    write_model(whole, folder);
    model = model_of(open_checkpoint(folder.path().string()));
    question = {reference["token"].get<std::size_t>(), reference["against"].get<std::size_t>()};
  }
  std::size_t last() const { return tokens.size() - 1; }
  Attribution attribution(const ForwardPass& pass, const Ablation& without = {}) const {
    return attribution_of(model, pass, without, last(), question);
  }
  double logit_in(const ForwardPass& pass) const {
    return logit_of(question, pass.logits.data() + last() * pass.logits.shape()[1]);
  }
};

double contribution_in(const Config& reference, const StreamPart& part) {
  switch (part.kind) {
    case StreamPartKind::embedding: return reference["embedding"].get<double>();
    case StreamPartKind::head: return reference["heads"][part.layer][part.head].get<double>();
    case StreamPartKind::mlp: return reference["mlps"][part.layer].get<double>();
    case StreamPartKind::biases: break;
  }
  return reference["biases"].get<double>();
}

double size_of(const Attribution& attribution) {
  double size = 0.0;
  for (const StreamPart& part : attribution.parts) size += std::abs(part.contribution);
  return size;
}

const std::array<const char*, 5> families{"gpt2", "llama", "gpt_neox", "olmo2", "gemma3"};

std::string explanation_refusal(const std::vector<std::pair<std::string, std::string>>& settings) {
  Arguments arguments(model_experiment().parameters);
  for (const auto& [name, value] : settings) arguments.set(name, value);
  try {
    run(model_experiment(), arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("each part adds to the logit what NumPy says, and all of them sum to it") {
  for (const char* family : families) {
    CAPTURE(family);
    const Explained explained(family);
    const ForwardPass pass = pass_of(explained.model, explained.tokens);
    const Attribution attribution = explained.attribution(pass);
    const double size = size_of(attribution);
    for (const StreamPart& part : attribution.parts)
      CHECK(std::abs(part.contribution - contribution_in(explained.reference, part)) <
            explained_rounding * size);
    CHECK(std::abs(attribution.sum() - attribution.logit) < 1e-10 * size);
    CHECK(std::abs(attribution.logit - explained.reference["logit"].get<double>()) <
          explained_rounding * size);
    CHECK(std::abs(attribution.logit - explained.logit_in(pass)) < explained_rounding * size);
  }
}

TEST_CASE("an ablated head adds nothing, and the sum is the logit without it") {
  for (const char* family : families) {
    const Explained explained(family);
    const Ablation without{{{1, 2}}, {0}, {}};
    const ForwardPass pass = pass_of(explained.model, explained.tokens, without);
    const Attribution attribution = explained.attribution(pass, without);
    for (const StreamPart& part : attribution.parts) {
      if (part.kind == StreamPartKind::biases) continue;  // Llama has none
      const bool is_ablated = (part.kind == StreamPartKind::head && part.layer == 1 && part.head == 2) ||
                              (part.kind == StreamPartKind::mlp && part.layer == 0);
      CHECK((part.contribution == 0.0) == is_ablated);
    }
    CHECK(std::abs(attribution.sum() - explained.logit_in(pass)) < explained_rounding * size_of(attribution));
  }
}

TEST_CASE("restored vectors recover what NumPy says: nothing before the corrupted token, all at it") {
  for (const char* family : families) {
    CAPTURE(family);
    const Explained explained(family);
    const auto corrupt = explained.reference["corrupt"].get<std::vector<std::size_t>>();
    const ForwardPass corrupted = pass_of(explained.model, corrupt);
    const Patching patching =
        patching_of(explained.model, pass_of(explained.model, explained.tokens), corrupted, {},
                    explained.last(), explained.question, one_after_another, {});
    const Config& recovered = explained.reference["recovered"];
    double largest = 1.0;
    for (const auto& value : recovered) largest = std::max(largest, std::abs(value.get<double>()));
    for (std::size_t i = 0; i < recovered.size(); ++i)
      CHECK(std::abs(patching.recovered.flat(i) - recovered[i].get<double>()) < 1e-3 * largest);
    CHECK(patching.recovered(0, 2) == 0.0);
    CHECK(std::abs(patching.recovered(0, 3) - 1.0) < explained_rounding);
  }
}

TEST_CASE("the parts sum to the logit with linear biases, with shared keys and with MLPs beside attention") {
  for (const char* name : {"opt", "bloom", "falcon_7b", "falcon_40b"}) {
    CAPTURE(name);
    const Config reference = reference_of(name);
    const Folder folder;
    write_model(reference, folder);
    const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
    const ForwardPass pass = pass_of(model, tokens_of(reference));
    for (std::size_t place = 0; place < pass.logits.shape()[0]; ++place) {
      const Attribution attribution = attribution_of(model, pass, {}, place, {5, 9});
      const Config& logits = reference["stages"]["logits"];
      const std::size_t row = place * pass.logits.shape()[1];
      const double expected = logits[row + 5].get<double>() - logits[row + 9].get<double>();
      CHECK(std::abs(attribution.sum() - expected) < explained_rounding * size_of(attribution));
    }
  }
}

TEST_CASE("a text that cannot be compared, and a word that there is not, are refused") {
  const std::vector<std::pair<std::string, std::string>> world{{"model", "world"},
                                                               {"text", "the books above the tree"}};
  const auto with = [&](const std::string& name, const std::string& value) {
    auto settings = world;
    settings.emplace_back(name, value);
    return explanation_refusal(settings);
  };
  CHECK(contains(with("corrupt", "the book"), "--corrupt has 3 tokens, but the text has 6"));
  CHECK(contains(with("corrupt", "the books near the tree"), "same most likely token"));
  CHECK(contains(with("token", "nosuchword"), "the vocabulary has no token"));
  CHECK(contains(with("against", "100000"), "the vocabulary has no token"));
  CHECK(with("corrupt", "the book above the tree").empty());
  auto same = world;
  same.emplace_back("token", "3");
  same.emplace_back("against", "3");
  CHECK(contains(explanation_refusal(same), "the token that is explained"));
}

TEST_CASE("the logits of BERT and Gemma 2 are no sum over parts: that is said where a token is named") {
  for (const char* family : {"bert", "gemma2"}) {
    CAPTURE(family);
    const Folder folder;
    write_model(reference_of(family), folder);
    CHECK_FALSE(is_attributable(model_of(open_checkpoint(folder.path().string()))));
    const std::vector<std::pair<std::string, std::string>> unnamed{{"model", folder.path().string()},
                                                                   {"tokens", "3,7,1"}};
    auto named = unnamed;
    named.emplace_back("token", "5");
    CHECK(explanation_refusal(unnamed).empty());
    CHECK(contains(explanation_refusal(named), "no sum over its parts"));
  }
}
