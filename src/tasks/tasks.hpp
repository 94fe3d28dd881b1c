// What `attnlab train` teaches a small Transformer: each task is an experiment whose run is a training.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// One factory per task, each defined in the file of that name.
Experiment step_task();
Experiment reverse_task();
Experiment induction_task();
Experiment dictionary_task();
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

/// Every task, from the simplest on: THE table of `attnlab train`.
const std::vector<Experiment>& tasks();

}  // namespace attnlab
