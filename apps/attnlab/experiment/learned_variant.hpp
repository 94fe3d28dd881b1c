// `--learned`: an experiment with random weights, as a model that comes along shows it.
#pragma once

#include "attnlab/experiment/experiment_request.hpp"

namespace attnlab {

/// The task whose model stands for the experiment's random weights, and the experiment's parameter with the
/// words to be read.
struct LearnedVariant {
  std::string experiment;
  std::string task;
  std::string words;
};

/// Nothing where the experiment has none.
const LearnedVariant* learned_variant_of(const Experiment& experiment);

/// The flag, for such an experiment.
Flag learned_flag(const LearnedVariant& variant);

/// The task, and its arguments: the model that comes along, over the words that were typed. Throws Error
/// (usage) for the experiment's other flags, which have no meaning for a model that is finished.
struct LearnedRequest {
  const Experiment* task = nullptr;
  Arguments arguments{{}};
};
LearnedRequest learned_request(const ParsedCommand& parsed, const LearnedVariant& variant);

}  // namespace attnlab
