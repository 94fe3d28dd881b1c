// The trace of a model: every stage of every layer, and the heads' weights together.
#include "core/utf8.hpp"
#include "experiments/framework/tape.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/trace.hpp"
#include "model/block_stages.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_kept = std::size_t{1} << 24U;  // numbers of all layers' stages

bool keeps_layers(const ModelRun& run) {
  std::size_t size = 0;
  for (const LayerStages& layer : run.pass->forward.layers) {
    for (const auto& [name, values] : computed_stages) size += (layer.*values).size();
  }
  return size <= most_kept && !run.pass->in_long;
}

/// np.stack([layer_0_weights, layer_1_weights])
std::string stacked(const ModelRun& run, const std::string& stage, std::vector<std::string> names = {}) {
  for (std::size_t layer = 0; layer < run.pass->forward.layers.size(); ++layer)
    names.push_back(fmt::format("layer_{}_{}", layer, stage));
  return "np.stack([" + joined(names, ", ") + "])";
}

/// (layers, ...) of one tensor of every layer.
template <class OfLayer>
Array together(const ModelRun& run, OfLayer of_layer, Axes axes) {
  const std::size_t layers = run.pass->forward.layers.size();
  const auto& shape = of_layer(0)->shape();
  Array all;
  all.shape = {layers};
  all.shape.insert(all.shape.end(), shape.begin(), shape.end());
  all.axes = std::move(axes);
  all.dtype = DType::float32;
  for (std::size_t layer = 0; layer < layers; ++layer)
    all.data.insert(all.data.end(), of_layer(layer)->begin(), of_layer(layer)->end());
  return all;
}

/// What was written behind the text.
void record_generation(const ModelRun& run, std::vector<Stage>& stages) {
  Tokens tokens;
  std::vector<double> shares;
  for (const GeneratedToken& token : run.generation) {
    tokens.push_back(token.token);
    shares.push_back(token.probability);
  }
  append(stages, {learned_stage("generated_tokens", to_tensor(tokens), {"steps"}),
                  learned_stage("generated_probability", to_tensor(shares), {"steps"})});
}

}  // namespace

void record_model(const ModelRun& run, Report& report) {
  const ForwardPass& pass = run.pass->forward;
  const bool is_long = run.pass->in_long.has_value();
  const bool keeps = keeps_layers(run);
  std::vector<Stage>& stages = report.stages;
  std::set<std::string> tensors;  // of the model, that a program computes with
  const auto add = [&](const std::string& name, const std::string& formula, Array array,
                       const StageSteps& steps, std::vector<Chain> lines = {}) {
    Derivation derivation = steps.derivation().rounded_by(rounding_in_float32);
    if (!lines.empty()) derivation.worked = std::move(lines);
    stages.push_back({name, formula::read(formula), std::move(array), std::move(derivation)});
    tensors.insert(steps.tensors().begin(), steps.tensors().end());
  };
  stages.push_back({"tokens", formula::row({}), to_array(to_tensor(run.tokens), {"tokens"}), {}});
  add("embedding", "E + P", to_array(pass.embedded, {"tokens", "width"}), embedding_steps(run));
  for (std::size_t number = 0; keeps && number < pass.layers.size(); ++number) {
    const LayerStages& layer = pass.layers[number];
    for (const BlockStage& stage : block_stages(run, number))
      add(stage.name, stage.formula, to_array(layer.*stage.values, stage.axes), stage.steps,
          stage.lines ? stage.lines(layer) : std::vector<Chain>{});
  }
  add(is_long ? "weights_pooled" : "weights", is_long ? "max softmax(S)" : "softmax(S)",
      together(run, [&](std::size_t layer) { return &run.pass->map(layer); },
               {"layers", "heads", "queries", "keys"}),
      is_long ? derived::worked({}, {})
              : derived::worked({}, {}, stacked(run, "weights")).with_rows_of_one());
  if (!is_long || (pass.layers.size() + 1) * pass.embedded.size() <= most_kept) {
    Array stream = together(run, [&](std::size_t layer) { return &pass.layers[layer].output; },
                            {"depths", "tokens", "width"});
    stream.shape[0] += 1;  // the embedding first
    stream.data.insert(stream.data.begin(), pass.embedded.begin(), pass.embedded.end());
    const char* const end = run.opened.model.weights.layers.front().has_mlp() ? "output" : "after_attention";
    add("stream", "X", std::move(stream), derived::worked({}, {}, stacked(run, end, {"embedding"})));
  }
  if (run.has_words())
    add("logits", "X W_U", to_array(pass.logits, {is_long ? "answer" : "tokens", "vocabulary"}),
        keeps ? logits_steps(run) : derived::worked({}, {}));
  if (run.ablation)
    stages.push_back({"ablation", formula::read("Δ ln p"), to_array(*run.ablation, {"layers", "heads"}),
                      derived::worked({}, {})});
  if (!run.generation.empty()) record_generation(run, stages);
  record_origins(run, keeps, tensors, report);
}

std::vector<Scalar> model_scalars(const ModelRun& run) {
  std::vector<Scalar> scalars{{"layer", static_cast<double>(run.layer)},
                              {"head", static_cast<double>(run.head)}};
  for (const RoleMeasure& measure : role_measures())
    scalars.push_back({"head_" + measure.name, run.roles(run.layer, run.head).*measure.of});
  if (!run.has_words()) return scalars;
  const std::vector<double> answered = answer_of(run, *run.pass);
  const std::size_t best = largest_places(answered, 1).front();
  scalars.push_back(
      {"answer_token", std::isnan(answered[best]) ? answered[best] : static_cast<double>(best)});
  scalars.push_back({"answer_probability", answered[best]});
  scalars.push_back({"last_matrix_is_embedding", run.architecture().is_tied ? 1.0 : 0.0});
  return scalars;
}

/// Rows sum to 1, and nobody reads what comes later.
std::vector<Invariant> model_invariants(const ModelRun& run) {
  const std::size_t n = run.tokens.size();
  RowFaults faults;
  if (run.pass->in_long) faults = run.pass->in_long->faults;
  for (const LayerStages& layer : run.pass->forward.layers) {
    const std::size_t rows = run.pass->in_long ? 0 : layer.weights.size() / n;
    for (std::size_t row = 0; row < rows; ++row) faults.add(layer.weights.data() + row * n, n, row % n);
  }
  const double rounding =
      static_cast<double>(std::numeric_limits<float>::epsilon()) * (8.0 + static_cast<double>(n));
  std::vector<Invariant> invariants{invariant("weights_sum_to_one", faults.of_sum, rounding,
                                              "どの行の注意度も和が 1",
                                              "every row of the weights sums to 1")};
  if (run.architecture().is_causal)
    invariants.push_back(invariant("nothing_from_the_future", faults.leak, 0.0,
                                   "後ろのトークンへの注意度は 0", "no weight on a later token"));
  return invariants;
}

}  // namespace attnlab
