#include "catalogue/catalogue.hpp"

#include "attend/attend_experiment.hpp"
#include "attend/draw_experiment.hpp"
#include "model/experiments/experiments.hpp"
#include "model/model_experiment.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
const std::vector<const Experiment*>& catalogue() {
  static const std::vector<const Experiment*> all = [] {
    std::vector<const Experiment*> every;
    for (const Experiment& experiment : experiments()) every.push_back(&experiment);
    every.insert(every.end(),
                 {&attend_experiment(), &draw_experiment(), &model_experiment(), &generation_experiment()});
    for (const Experiment& task : tasks()) every.push_back(&task);
    return every;
  }();
  return all;
}

const Experiment* find_experiment(const std::string& name, const ExperimentKinds& kinds) {
  for (const Experiment* experiment : catalogue())
    if (experiment->name == name && kinds.count(experiment->kind) == 1) return experiment;
  return nullptr;
}

const Experiment* find_task(const std::string& word) {
  for (const Experiment* experiment : catalogue()) {
    if (experiment->kind == ExperimentKind::learned && experiment->task == word) return experiment;
  }
  return nullptr;
}

const Experiment* over_model(const Experiment& book) {
  if (book.kind != ExperimentKind::book) return nullptr;
  if (book.name == "cross-attention") return &cross_attention_over_translator();
  return experiment_over_model(book.name);
}

std::vector<std::string> experiment_names(const ExperimentKinds& kinds) {
  std::vector<std::string> names;
  for (const Experiment* experiment : catalogue()) {
    if (kinds.count(experiment->kind) == 1) names.push_back(experiment->name);
  }
  return names;
}

}  // namespace attnlab
