// The table of experiments in book order, and the one way to run them.
#include "experiments/catalogue.hpp"

namespace attnlab {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table{
      softmax_experiment(),        vectors_experiment(), scaling_experiment(),
      self_attention_experiment(), heads_experiment(),   positional_experiment(),
  };
  return table;
}

Report run(const Experiment& experiment, const Arguments& arguments) {
  Report report = experiment.run(arguments);
  report.experiment = experiment.name;
  report.parameters = used_parameters(arguments);
  return report;
}

}  // namespace attnlab
