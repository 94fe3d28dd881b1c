// The flags that all tasks share: the model's and the training's.
#pragma once

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "tasks/framework/task.hpp"
#include "tasks/framework/task_words.hpp"
#include "training/optimiser.hpp"

namespace attnlab {

/// What a task takes of the shared flags where nothing is typed, as it would be typed, in place of their own.
using OtherDefaults = std::map<std::string, std::string>;

/// A task whose run may be stopped: what it shows, and of which document, its words say.
Experiment learning_task(const std::string& name, std::vector<Parameter> parameters,
                         Report (*run)(const Arguments& arguments, const Context& context));

/// `own` before the parameters of the model and of the training. Throws std::logic_error for the default of a
/// flag that is none of them.
std::vector<Parameter> training_parameters(std::vector<Parameter> own, OtherDefaults others = {});

/// The model that the arguments describe, for so many words, answers and tokens. Throws Error (usage) for a
/// width that the heads do not divide, and for rotary positions over an odd head.
ModelShape model_shape(const Arguments& arguments, std::size_t words, std::size_t answers,
                       std::size_t tokens);

/// Throws Error (usage) for a model that is to say the next word and would read it.
void require_reading_back(const ModelShape& shape);

OptimiserSettings optimiser_settings(const Arguments& arguments);

/// ProgramParts::missing of a training.
Text why_no_program();

}  // namespace attnlab
