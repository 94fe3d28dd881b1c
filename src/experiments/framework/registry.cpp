// The table of experiments in book order, and the one way to run them.
#include "experiments/framework/experiment.hpp"

namespace attnlab {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table{
#define EXPERIMENT(name) name##_experiment(),
#include "experiments/framework/book_order.hpp"
#undef EXPERIMENT
  };
  return table;
}

Context quiet_context() {
  return {[] { return 0.0; }, [](double) {}};
}

Report run(const Experiment& experiment, const Arguments& arguments, const Context& context) {
  Report report = experiment.run(arguments, context);
  report.experiment = experiment.name;
  report.parameters = used_parameters(arguments);
  return report;
}

}  // namespace attnlab
