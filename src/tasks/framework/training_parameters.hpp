// The flags that all tasks share: the model's and the training's.
#pragma once

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "tasks/framework/lesson.hpp"
#include "tasks/framework/task_words.hpp"
#include "training/optimiser.hpp"

namespace attnlab {

/// What a task takes where nothing is typed, as it would be typed.
struct TrainingDefaults {
  std::string steps = "1000";
  std::string batch = "64";
  std::string rate = "0.003";
  std::string width = "32";
  std::string heads = "1";
  std::string layers = "1";
  std::string mlp = "0";
  std::string norm = "none";
  std::string positions = "learned";
  std::string mask = "none";
  std::string decay = "0";
};

/// A task whose run may be stopped: what it shows, and of which document, its words say.
Experiment learning_task(const std::string& name, std::vector<Parameter> parameters,
                         Report (*run)(const Arguments& arguments, const Context& context));

/// `own` before the parameters of the model and of the training.
std::vector<Parameter> training_parameters(std::vector<Parameter> own, const TrainingDefaults& defaults);

/// The model that the arguments describe, for so many words, answers and tokens. Throws Error (usage) for a
/// width that the heads do not divide, and for rotary positions over an odd head.
ModelShape model_shape(const Arguments& arguments, std::size_t words, std::size_t answers,
                       std::size_t tokens);

OptimiserSettings optimiser_settings(const Arguments& arguments);

/// Report::no_program of a training.
Text why_no_program();

}  // namespace attnlab
