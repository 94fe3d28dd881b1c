#include "model/rooms/rooms.hpp"

#include <xtensor/xoperation.hpp>

#include "core/error.hpp"

namespace attnlab {
namespace {

using Reports = Report (*)(const Arguments&, const Context&);

/// The parameters of `model` of these names.
std::vector<Parameter> some_parameters(const std::vector<std::string>& names) {
  std::vector<Parameter> some;
  for (Parameter& parameter : model_parameters()) {
    if (std::find(names.begin(), names.end(), parameter.name) == names.end()) continue;
    if (parameter.name == "text")
      parameter.default_text = "the dog did not cross the street because it was too";
    some.push_back(std::move(parameter));
  }
  return some;
}

/// The book's experiment in name, words and source.
Experiment over_model_as(const std::string& name, const std::vector<std::string>& parameters,
                         Reports reports) {
  const std::vector<Experiment>& book = experiments();
  const auto room =
      std::find_if(book.begin(), book.end(), [&](const Experiment& one) { return one.name == name; });
  Experiment experiment{name, room->shows, room->source, some_parameters(parameters), reports};
  experiment.kind = ExperimentKind::own_files;
  experiment.open = open_model_files;
  experiment.sliders_of = model_sliders;
  return experiment;
}

}  // namespace

const Experiment* room_over_model(const std::string& experiment) {
  static const std::vector<Experiment> rooms{
      over_model_as("self-attention", {"model", "text", "tokenizer", "bos", "layer", "head"},
                    self_attention_over_model),
      over_model_as("heads", {"model", "text", "tokenizer", "bos", "layer"}, heads_over_model),
      over_model_as("positional", {"model"}, positional_over_model),
      over_model_as("decoder", {"model", "text", "tokenizer", "bos"}, decoder_over_model)};
  const auto found = std::find_if(rooms.begin(), rooms.end(),
                                  [&](const Experiment& room) { return room.name == experiment; });
  return found == rooms.end() ? nullptr : &*found;
}

ModelRun read_by_model(const Arguments& arguments, const Context& context, std::size_t most) {
  ModelRun run = begun_run(arguments, context);
  most = std::min(most, longest_kept(run.architecture()));
  if (run.tokens.size() > most) refuse_model("room_tokens", {{"tokens", run.tokens.size()}, {"most", most}});
  return run;
}

void refuse_breakdown(const Breakdown& breakdown) {
  refuse_failed(said_of(breakdown), model_sentence("room_breakdown"));
}

Tensor<double> widened(const Tensor<float>& values) { return xt::cast<double>(values); }

}  // namespace attnlab
