// The table of experiments in book order, and the one way to run them.
#include "core/error.hpp"
#include "experiments/framework/inputs.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table = [] {
    std::vector<Experiment> all{
#define EXPERIMENT(name) name##_experiment(),
#include "experiments/framework/book_order.hpp"
#undef EXPERIMENT
    };
    for (Experiment& experiment : all) {
      if (!experiment.inputs.empty()) experiment.parameters.push_back(input_parameter(experiment.inputs));
    }
    return all;
  }();
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

void require_invariants(const Report& report) {
  const std::vector<Text> violated = violations(report.invariants);
  if (violated.empty()) return;
  refuse_failed(
      text("{}：{}", "{}: {}", report.experiment, violated.front()),
      {"入力に NaN や、掛けるとあふれるほど大きな数がないか確かめてください。なければ attnlab の誤りです",
       "see whether the inputs hold NaN, or numbers whose products overflow; if not, it is a fault of "
       "attnlab"});
}

}  // namespace attnlab
