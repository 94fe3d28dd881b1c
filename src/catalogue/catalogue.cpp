#include "catalogue/catalogue.hpp"

#include "attend/attend_experiment.hpp"
#include "model/model_experiment.hpp"
#include "model/rooms/rooms.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

using Experiments = std::vector<const Experiment*>;

Experiments all_of(const std::vector<Experiment>& experiments) {
  Experiments all;
  for (const Experiment& experiment : experiments) all.push_back(&experiment);
  return all;
}

/// The tables themselves: an experiment is known by its address, too. Who looks for one of the book does not
/// wait until the others are read.
Experiments table_of(ExperimentKind kind) {
  if (kind == ExperimentKind::book) return all_of(experiments());
  if (kind == ExperimentKind::learned) return all_of(tasks());
  return {&attend_experiment(), &model_experiment(), &generation_experiment()};
}

constexpr std::array all_kinds{ExperimentKind::book, ExperimentKind::own_files, ExperimentKind::learned};

}  // namespace

const std::vector<const Experiment*>& catalogue() {
  static const Experiments all = [] {
    Experiments joined;
    for (const ExperimentKind kind : all_kinds)
      for (const Experiment* experiment : table_of(kind)) joined.push_back(experiment);
    return joined;
  }();
  return all;
}

const Experiment* find_experiment(const std::string& name, const ExperimentKinds& kinds) {
  for (const ExperimentKind kind : all_kinds) {
    if (kinds.count(kind) == 0) continue;
    for (const Experiment* experiment : table_of(kind))
      if (experiment->name == name) return experiment;
  }
  return nullptr;
}

const Experiment* find_experiment(const std::string& name) {
  return find_experiment(name, {all_kinds.begin(), all_kinds.end()});
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
