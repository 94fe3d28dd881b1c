// The table of experiments in book order, and the one way to run them.
#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/book.hpp"
#include "experiments/framework/inputs.hpp"
#include "experiments/framework/nested_draws.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {
namespace {

/// The arguments with the example's arrays, where they ask for it.
Arguments with_example(const Experiment& experiment, Arguments arguments) {
  const bool is_offered = experiment.example && find_named(arguments.parameters(), "example") != nullptr;
  if (!is_offered || !arguments.is_set("example")) return arguments;
  if (!arguments.sources.arrays.empty()) {
    refuse_usage({"--example と --input は一緒に使えません", "--example and --input do not go together"},
                 {"どちらか 1 つにしてください", "give one of them"});
  }
  give_arrays(arguments, experiment, experiment.example->arrays(experiment));
  return arguments;
}

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table = [] {
    std::vector<Experiment> all{
#define EXPERIMENT(name) name##_experiment(),
#include "experiments/framework/book_order.hpp"
#undef EXPERIMENT
    };
    for (Experiment& experiment : all) {
      if (!experiment.inputs.empty()) experiment.parameters.push_back(input_parameter(experiment.inputs));
      if (experiment.example) experiment.parameters.push_back(experiment.example->parameter);
    }
    return all;
  }();
  return table;
}

Context quiet_context() {
  return {[] { return 0.0; }, [](double) {}};
}

Arguments with_files(const Experiment& experiment, Arguments arguments) {
  if (experiment.open != nullptr && !arguments.sources.files)
    arguments.sources.files = experiment.open(arguments);
  return arguments;
}

Report run(const Experiment& experiment, const Arguments& arguments, const Context& context) {
  const Arguments all = with_files(experiment, with_labelled_tokens(with_example(experiment, arguments)));
  Report report = experiment.run(all, context);
  if (all.sources.files)
    report.warnings.insert(report.warnings.end(), all.sources.files->warnings.begin(),
                           all.sources.files->warnings.end());
  for (const InputArray& array : all.sources.arrays)
    if (array.doubt) report.warnings.push_back(*array.doubt);
  report.experiment = experiment.name;
  report.parameters = used_parameters(all);
  if (report.has_nested_draws)
    for (Figure& figure : report.figures) add_to_caption(figure, about_nested_draws());
  return report;
}

void require_invariants(const Report& report) {
  const std::vector<Text> violated = violations(report.invariants);
  if (violated.empty()) return;
  refuse_failed(
      text("{}：{}", "{}: {}", report.experiment, violated.front()),
      {"入力に NaN や、掛けるとあふれるほど大きな数がないか確かめてください。なければ attnlab の誤りです",
       "see whether the inputs hold NaN, or numbers whose products overflow; if not, it is a fault of attnlab"});
}

}  // namespace attnlab
