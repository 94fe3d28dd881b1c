#include "model/experiments/experiments.hpp"

#include <xtensor/xoperation.hpp>

#include "core/error.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

using Reports = Report (*)(const Arguments&, const Context&);

/// The book's experiment in name, words and source.
Experiment over_model_as(const std::string& name, const std::set<std::string>& parameters, Reports reports) {
  const Experiment& original = *find_named(experiments(), name);
  return over_own_model({name, original.shows, original.source, some_model_parameters(parameters), reports},
                        model_sliders);
}

}  // namespace

const Experiment* experiment_over_model(const std::string& experiment) {
  static const std::vector<Experiment> all{
      over_model_as("self-attention", {"model", "text", "tokenizer", "bos", "layer", "head"},
                    self_attention_over_model),
      over_model_as("heads", {"model", "text", "tokenizer", "bos", "layer"}, heads_over_model),
      over_model_as("positional", {"model"}, positional_over_model),
      over_model_as("decoder", {"model", "text", "tokenizer", "bos"}, decoder_over_model)};
  return find_named(all, experiment);
}

ModelRun read_by_model(const Arguments& arguments, const Context& context, std::size_t most) {
  ModelRun run = begun_run(arguments, context);
  most = std::min(most, longest_kept(run.architecture()));
  if (run.tokens.size() > most) refuse_model("room_tokens", {{"tokens", run.tokens.size()}, {"most", most}});
  return run;
}

void refuse_breakdown(const Breakdown& breakdown) {
  refuse_failed(reported_of(breakdown), model_sentence("room_breakdown"));
}

Tensor<double> widened(const Tensor<float>& values) { return xt::cast<double>(values); }

}  // namespace attnlab
