// Where the numbers of a model stop being numbers: the first stage that holds NaN or an infinity.
#pragma once

#include "model/model.hpp"

namespace attnlab {

/// The first in the order of the computation; a masked score's -inf does not count. Of a long text, whose
/// stages are not kept, the first of those that are.
struct Breakdown {
  std::size_t depth = 0;  // of the embedding; 1 in layer 0
  std::string stage;      // "scores"
  bool is_nan = false;    // else an infinity
};
std::optional<Breakdown> breakdown_of(const LanguageModel& model, const ForwardPass& pass);

/// "the scores of layer 0 hold an infinity"
Text reported_of(const Breakdown& breakdown);

/// Throws Error (failed) that says where the numbers broke down, unless that row of the logits gives
/// probabilities; `read` tokens stand before the one that would be chosen.
void require_probabilities(const LanguageModel& model, const ForwardPass& pass, std::size_t row,
                           std::size_t read);

}  // namespace attnlab
