// A model that was opened, the text that it reads, and what a run wants to know.
#pragma once

#include <mutex>

#include "experiments/framework/experiment.hpp"
#include "model/model.hpp"
#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

struct OpenedModel {  // NOLINT(bugprone-exception-escape): that of moving JSON
  Checkpoint checkpoint;
  LanguageModel model;
  std::optional<Tokenizer> tokenizer;
};

/// The files of a run: the model, and the text where it came from elsewhere than the command line.
struct ModelFiles : OpenedFiles {
  std::shared_ptr<const OpenedModel> opened;
  std::string text;
};

/// Opens what the arguments name; the model that was opened last stays open, since a page or a film asks for
/// the same one again and again. Throws Error.
std::shared_ptr<const OpenedFiles> open_model_files(const Arguments& provided);

/// How the next token is chosen.
struct Sampling {
  double temperature = 0.0;  // 0: always the likeliest
  std::size_t top_k = 0;     // 0: all
  double top_p = 1.0;
  std::uint32_t seed = 0;
};

struct ModelSettings {
  std::optional<std::size_t> layer;
  std::optional<std::size_t> head;
  std::string query;  // "", a place or a word
  Ablation without;
  std::string without_text;
  std::size_t generate = 0;
  Sampling sampling;
  bool ablates = false;
  std::string token;    // "", a word or a number: whose logit is explained
  std::string against;  // likewise, from whose logit it is distinguished
};

/// Throws Error (usage) for layers and heads that the model does not have.
ModelSettings model_settings(const Arguments& arguments, const Architecture& architecture);

/// The tokens of the run: typed, or of the text. Throws Error (usage) where there are none.
Tokens tokens_of_run(const Arguments& provided, const ModelFiles& files);

/// Those of `corrupt`, which is written as the text is; none where it is not set. Throws Error (usage) for
/// another number of tokens.
Tokens corrupt_tokens(const Arguments& provided, const ModelFiles& files, std::size_t tokens);

/// The token that is written so, or has this number; of several the one with the largest logit. Throws Error
/// (usage) where there is none.
std::size_t token_of_word(const OpenedModel& opened, const std::string& word, const float* logits);

/// Its text, or its number without a tokenizer.
std::string label_of(const OpenedModel& opened, std::size_t token);

std::vector<Parameter> model_parameters();

/// Of these those with one of the names; the text has a default.
std::vector<Parameter> some_model_parameters(const std::set<std::string>& names);

/// The experiment as one over a model on the user's disk.
Experiment over_own_model(Experiment experiment, std::vector<DeclaredSlider> (*sliders)(Arguments&));

/// Those of `model`, of an experiment that has some of them, whose defaults count as typed; whoever reads
/// arguments here takes them so.
Arguments arguments_of_model(const Arguments& provided);

/// What this folder's sentences.toml says.
Text model_sentence(const std::string& key, const SentenceValues& values = {});
[[noreturn]] void refuse_model(const std::string& key, const SentenceValues& values = {});

}  // namespace attnlab
