// Every experiment that a word can name, of whatever kind.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

using ExperimentKinds = std::set<ExperimentKind>;

/// Those of the book in its order, `attend`, `draw`, `model`, then what `train` teaches, from the simplest
/// on.
const std::vector<const Experiment*>& catalogue();

/// The experiment of that name, of one of these kinds or of any; nullptr for other words.
const Experiment* find_experiment(const std::string& name,
                                  const ExperimentKinds& kinds = {ExperimentKind::book,
                                                                  ExperimentKind::user_files,
                                                                  ExperimentKind::learned});

/// What `train WORD` teaches; nullptr for other words.
const Experiment* find_task(const std::string& word);

/// The experiment of the book as it takes --model: over what a model made of a text. nullptr where it takes
/// none.
const Experiment* over_model(const Experiment& book);

std::vector<std::string> experiment_names(const ExperimentKinds& kinds);

}  // namespace attnlab
