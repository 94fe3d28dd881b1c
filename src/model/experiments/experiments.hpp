// Experiments of the book over a model that has learned: the same figures and words, with what the model made
// of a text in the place of random numbers.
#pragma once

#include "model/run.hpp"

namespace attnlab {

/// `heads`, `self-attention`, `decoder` or `positional` as it takes --model; nullptr for the others.
const Experiment* experiment_over_model(const std::string& experiment);

// --- One report each; the arguments' files are open. Throw Error (usage) for a model or a text that has no
// place in the figures.

/// attention_experiments.cpp: every head of a layer; one head.
Report heads_over_model(const Arguments& arguments, const Context& context);
Report self_attention_over_model(const Arguments& arguments, const Context& context);
/// decoder_experiment.cpp
Report decoder_over_model(const Arguments& arguments, const Context& context);
/// positional_experiment.cpp
Report positional_over_model(const Arguments& arguments, const Context& context);

// --- What they share (experiments.cpp)

/// The model has read its text. Throws Error (usage) for more tokens than `most`.
ModelRun read_by_model(const Arguments& arguments, const Context& context, std::size_t most);

/// Where the model's numbers break down before what an experiment shows.
[[noreturn]] void refuse_breakdown(const Breakdown& breakdown);

/// Numbers as the book's experiments compute with them.
Tensor<double> widened(const Tensor<float>& values);

}  // namespace attnlab
