// Activation patching: which vectors of a text give back the answer that a corrupted text has lost.
#pragma once

#include "model/attribution.hpp"
#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

struct Patching {
  LogitQuestion question;
  Tokens corrupt = {};
  double clean_difference = 0.0;    // logit difference of the text,
  double corrupt_difference = 0.0;  // and of the corrupted one
  /// (layers, tokens): what the corrupted text recovers of the difference when its stream before a layer
  /// takes, at one token, the vector of the text: 0 nothing, 1 all of it.
  Tensor<double> recovered = {};
};

/// The text's tokens and the corrupted ones, as many; both were read without `without`. The question's logits
/// are those at `place`. Throws Error (usage) where both texts have the same difference. Source: Meng et al.
/// 2022, “Locating and Editing Factual Associations in GPT”; Wang et al. 2022, “Interpretability in the
/// Wild”.
Patching patching_of(const LanguageModel& model, const ForwardPass& clean, const ForwardPass& corrupt,
                     const Ablation& without, std::size_t place, const LogitQuestion& question,
                     const ForEach& for_each, const std::function<void(double)>& progress);

}  // namespace attnlab
