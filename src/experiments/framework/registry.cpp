// The table of experiments in book order, and the one way to run them.
#include "experiments/catalogue.hpp"

namespace attnlab {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table{
      softmax_experiment(),  dot_product_experiment(), vectors_experiment(),        scaling_experiment(),
      variance_experiment(), additive_experiment(),    lookup_experiment(),         pooling_experiment(),
      filters_experiment(),  cost_experiment(),        self_attention_experiment(), heads_experiment(),
      masks_experiment(),    permutation_experiment(), positional_experiment(),     encoder_experiment(),
      decoder_experiment(),  mistakes_experiment(),
  };
  return table;
}

Report run(const Experiment& experiment, const Arguments& arguments, const Context& context) {
  Report report = experiment.run(arguments, context);
  report.experiment = experiment.name;
  report.parameters = used_parameters(arguments);
  return report;
}

}  // namespace attnlab
