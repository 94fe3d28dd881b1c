#include "catalogue/catalogue.hpp"

#include "attend/attend_experiment.hpp"
#include "model/generation_experiment.hpp"
#include "model/model_experiment.hpp"
#include "model/rooms/rooms.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

/// The tables themselves: an experiment is known by its address, too.
std::vector<const Experiment*> every_experiment() {
  std::vector<const Experiment*> all;
  for (const Experiment& experiment : experiments()) all.push_back(&experiment);
  all.push_back(&attend_experiment());
  all.push_back(&model_experiment());
  all.push_back(&generation_experiment());
  for (const Experiment& task : tasks()) all.push_back(&task);
  return all;
}

}  // namespace

const std::vector<const Experiment*>& catalogue() {
  static const std::vector<const Experiment*> all = every_experiment();
  return all;
}

const Experiment* find_experiment(const std::string& name) {
  const auto& all = catalogue();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Experiment* one) { return one->name == name; });
  return found == all.end() ? nullptr : *found;
}

const Experiment* find_experiment(const std::string& name, const ExperimentKinds& kinds) {
  const Experiment* found = find_experiment(name);
  return found != nullptr && kinds.count(found->kind) == 1 ? found : nullptr;
}

const Experiment* find_task(const std::string& word) {
  for (const Experiment* experiment : catalogue()) {
    if (experiment->kind == ExperimentKind::learned && experiment->task == word) return experiment;
  }
  return nullptr;
}

const Experiment* over_model(const Experiment& book) {
  if (book.kind != ExperimentKind::book) return nullptr;
  if (book.name == cross_attention_over_translator().name) return &cross_attention_over_translator();
  return room_over_model(book.name);
}

std::vector<std::string> experiment_names(const ExperimentKinds& kinds) {
  std::vector<std::string> names;
  for (const Experiment* experiment : catalogue()) {
    if (kinds.count(experiment->kind) == 1) names.push_back(experiment->name);
  }
  return names;
}

}  // namespace attnlab
