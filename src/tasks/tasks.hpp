// What `attnlab train` teaches a small Transformer: each task is an experiment whose run is a training.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// One factory per task, each defined in the file of that name.
Experiment step_task();
Experiment reverse_task();
Experiment induction_task();
Experiment dictionary_task();
Experiment sink_task();
Experiment shapes_task();
Experiment sense_task();
Experiment agreement_task();
Experiment topic_task();
Experiment kernel_task();
Experiment text_task();
Experiment world_task();
Experiment translate_task();
Experiment pairs_task();
Experiment contrast_task();
Experiment mistakes_task();

/// `cross-attention` as it takes --model: a trained translator, and a sentence.
const Experiment& cross_attention_over_translator();

/// The model of the run, and the settings with which `train` saved it, where nobody typed others. A setting
/// that names a file is none: which files are read only the user says. Throws Error: settings that are no
/// words, or out of range.
void take_model(LearnedModel model, Arguments& arguments);

/// Every task, from the simplest on: THE table of `attnlab train`.
const std::vector<Experiment>& tasks();

}  // namespace attnlab
