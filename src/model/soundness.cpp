#include "model/soundness.hpp"

#include "core/error.hpp"
#include "core/number_order.hpp"
#include "model/session.hpp"

namespace attnlab {
namespace {

using Stages = std::vector<std::pair<const char*, const Tensor<float>*>>;

Stages stages_of(const LayerStages& layer) {
  Stages stages;
  for (const auto& [name, values] : computed_stages) stages.emplace_back(name, &(layer.*values));
  return stages;
}

/// Scores that a token may not read are -inf by the mask.
bool is_masked(const LanguageModel& model, std::size_t layer, const Tensor<float>& scores, std::size_t at) {
  const std::size_t queries = scores.shape()[1];
  const std::size_t keys = scores.shape()[2];
  const KeyRange read = keys_read(model.architecture, layer, keys - queries + at / keys % queries, keys);
  return at % keys < read.begin || at % keys >= read.end;
}

std::optional<Breakdown> breakdown_in(const LanguageModel& model, const Stages& stages, std::size_t depth) {
  for (const auto& [name, values] : stages) {
    if (values->dimension() == 0) continue;  // never computed, or not kept
    const bool are_scores = std::string_view(name) == "scores";
    for (std::size_t i = 0; i < values->size(); ++i) {
      const float value = values->data()[i];
      if (std::isfinite(value) || (are_scores && is_masked(model, depth - 1, *values, i))) continue;
      return Breakdown{depth, name, std::isnan(value)};
    }
  }
  return std::nullopt;
}

/// Whether these logits give a probability to each token: none is NaN, and the largest is finite.
bool gives_probabilities(const float* logits, std::size_t count) {
  const auto larger_of = [](float one, float other) { return larger(one, other); };
  return std::isfinite(std::accumulate(logits, logits + count, logits[0], larger_of));
}

}  // namespace

std::optional<Breakdown> breakdown_of(const LanguageModel& model, const ForwardPass& pass) {
  std::size_t depth = 0;
  std::optional<Breakdown> found = breakdown_in(model, {{"embedding", &pass.embedded}}, depth);
  for (const LayerStages& layer : pass.layers) {
    if (!found) found = breakdown_in(model, stages_of(layer), ++depth);
  }
  return found ? found : breakdown_in(model, {{"logits", &pass.logits}}, ++depth);
}

Text reported_of(const Breakdown& breakdown) {
  const bool in_layer = breakdown.stage != "embedding" && breakdown.stage != "logits";
  return model_sentence(in_layer ? "breakdown_layer" : "breakdown",
                        {{"stage", model_sentence("stage_" + breakdown.stage)},
                         {"layer", in_layer ? breakdown.depth - 1 : 0},
                         {"what", breakdown.is_nan ? Text::same("NaN") : model_sentence("infinity")}});
}

void require_probabilities(const LanguageModel& model, const ForwardPass& pass, std::size_t row,
                           std::size_t read) {
  const std::size_t count = pass.logits.shape()[1];
  if (gives_probabilities(pass.logits.data() + row * count, count)) return;
  const std::optional<Breakdown> breakdown = breakdown_of(model, pass);
  throw Error(ErrorKind::failed, model_sentence("no_probabilities", {{"read", read}}),
              breakdown ? reported_of(*breakdown) : Text::none());
}

}  // namespace attnlab
