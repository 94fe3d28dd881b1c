// The trace of a model: every stage of every layer, and the heads' weights together.
#include "core/utf8.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/trace.hpp"
#include "model/run.hpp"

namespace attnlab {
namespace {

using formula::read;
using Axes = std::vector<std::string>;

constexpr std::size_t most_kept = std::size_t{1} << 24U;  // numbers of all layers' stages

Stage told(const std::string& name, const char* formula, const Tensor<float>& values, Axes axes,
           Derivation derivation = derived::worked({}, {})) {
  return {name, read(formula), to_array(values, std::move(axes)), std::move(derivation)};
}

/// A tensor that was never written has no axes (and one number).
bool has_mlp(const LayerStages& s) {
  return s.mlp.dimension() > 0;
}

std::size_t size_of_layer(const LayerStages& s) {
  std::size_t size = 0;
  for (const Tensor<float>* one :
       {&s.normed, &s.query, &s.key, &s.value, &s.scores, &s.weights, &s.head_output, &s.attention,
        &s.after_attention, &s.mlp_input, &s.hidden, &s.mlp, &s.output})
    size += one->size();
  return size;
}

void add_layer(std::vector<Stage>& stages, const LayerStages& s, std::size_t number, const ModelRun& run) {
  const Architecture& a = run.architecture();
  const std::string layer = fmt::format("layer_{}_", number);
  const std::string input = stages.back().name;  // what the layer below ends with
  const bool is_post = a.norm_position == NormPosition::post;
  const bool is_grouped = a.heads != a.kv_heads;
  const char* norm = a.norm == NormType::rms ? "RMSNorm(X)" : "LayerNorm(X)";
  if (!is_post) stages.push_back(told(layer + "normed", norm, s.normed, {"tokens", "width"}));
  stages.push_back(told(layer + "query", "X W_Q", s.query, {"heads", "queries", "head_width"}));
  stages.push_back(told(layer + "key", "X W_K", s.key, {"heads", "keys", "head_width"}));
  stages.push_back(told(layer + "value", "X W_V", s.value, {"heads", "keys", "head_width"}));
  stages.push_back(told(layer + "scores", a.scales ? "frac{Q K^T}{√{d}} + M" : "Q K^T + M", s.scores,
                        {"heads", "queries", "keys"}));
  stages.push_back(told(layer + "weights", "softmax(S)", s.weights, {"heads", "queries", "keys"},
                        derived::softmax(layer + "scores")));
  stages.push_back(
      told(layer + "head_output", "A V", s.head_output, {"heads", "queries", "head_width"},
           is_grouped ? derived::worked({}, {}) : derived::product(layer + "weights", layer + "value")));
  stages.push_back(told(layer + "attention", "Concat(heads) W_O", s.attention, {"tokens", "width"}));
  stages.push_back(told(layer + "after_attention", is_post ? "LayerNorm(X + Y)" : "X + Y", s.after_attention,
                        {"tokens", "width"},
                        is_post ? derived::worked({}, {}) : derived::sum(input, layer + "attention")));
  if (!has_mlp(s)) return;  // attention alone
  if (!is_post) stages.push_back(told(layer + "mlp_input", norm, s.mlp_input, {"tokens", "width"}));
  stages.push_back(told(layer + "hidden", "f(X W_1)", s.hidden, {"tokens", "hidden"}));
  stages.push_back(told(layer + "mlp", "H W_2", s.mlp, {"tokens", "width"}));
  const Derivation sum = derived::sum(layer + "after_attention", layer + "mlp");
  stages.push_back(told(layer + "output", is_post ? "LayerNorm(X + Y)" : "X + Y", s.output,
                        {"tokens", "width"}, is_post ? derived::worked({}, {}) : sum));
}

/// (layers, ...) of one stage of every layer.
Array together(const ModelRun& run, Tensor<float> LayerStages::*stage, Axes axes) {
  Array all;
  const std::vector<LayerStages>& layers = run.pass->forward.layers;
  const auto& shape = (layers.front().*stage).shape();
  all.shape = {layers.size()};
  all.shape.insert(all.shape.end(), shape.begin(), shape.end());
  all.axes = std::move(axes);
  all.dtype = DType::float32;
  for (const LayerStages& layer : layers)
    all.data.insert(all.data.end(), (layer.*stage).begin(), (layer.*stage).end());
  return all;
}

}  // namespace

std::vector<Stage> model_stages(const ModelRun& run) {
  const ForwardPass& pass = run.pass->forward;
  std::vector<Stage> stages;
  Array tokens;
  tokens.shape = {run.tokens.size()};
  tokens.axes = {"tokens"};
  tokens.data.assign(run.tokens.begin(), run.tokens.end());
  stages.push_back({"tokens", formula::row({}), tokens, {}});
  stages.push_back(told("embedding", "E + P", pass.embedded, {"tokens", "width"}));
  std::size_t size = 0;
  for (const LayerStages& layer : pass.layers) size += size_of_layer(layer);
  if (size <= most_kept) {
    for (std::size_t layer = 0; layer < pass.layers.size(); ++layer)
      add_layer(stages, pass.layers[layer], layer, run);
  }
  stages.push_back({"weights", read("softmax(S)"),
                    together(run, &LayerStages::weights, {"layers", "heads", "queries", "keys"}),
                    derived::worked({}, {})});
  Array stream = together(run, &LayerStages::output, {"depths", "tokens", "width"});
  stream.shape[0] += 1;  // the embedding first
  stream.data.insert(stream.data.begin(), pass.embedded.begin(), pass.embedded.end());
  stages.push_back({"stream", read("X"), std::move(stream), derived::worked({}, {})});
  if (run.has_words()) stages.push_back(told("logits", "X W_U", pass.logits, {"tokens", "vocabulary"}));
  if (run.ablation)
    stages.push_back(
        {"ablation", read("Δ ln p"), to_array(*run.ablation, {"layers", "heads"}), derived::worked({}, {})});
  return stages;
}

std::vector<Scalar> model_scalars(const ModelRun& run) {
  std::vector<Scalar> scalars{{"layer", static_cast<double>(run.layer)},
                              {"head", static_cast<double>(run.head)}};
  for (const RoleMeasure& measure : role_measures())
    scalars.push_back({"head_" + measure.name, run.roles(run.layer, run.head).*measure.of});
  if (!run.has_words()) return scalars;
  const std::vector<double> said = answer_of(run, *run.pass);
  const std::size_t best = largest_places(said, 1).front();
  scalars.push_back({"answer_token", static_cast<double>(best)});
  scalars.push_back({"answer_probability", said[best]});
  return scalars;
}

/// Rows sum to 1, and nobody reads what comes later.
std::vector<Invariant> model_invariants(const ModelRun& run) {
  const std::size_t n = run.tokens.size();
  double of_sums = 0.0;
  double leak = 0.0;
  for (const LayerStages& layer : run.pass->forward.layers) {
    for (std::size_t row = 0; row < layer.weights.size() / n; ++row) {
      const float* weights = layer.weights.data() + row * n;
      of_sums = std::max(of_sums, std::abs(std::accumulate(weights, weights + n, 0.0) - 1.0));
      for (std::size_t key = row % n + 1; key < n; ++key)
        leak = std::max(leak, static_cast<double>(weights[key]));
    }
  }
  const double rounding =
      static_cast<double>(std::numeric_limits<float>::epsilon()) * (8.0 + static_cast<double>(n));
  std::vector<Invariant> invariants{invariant("weights_sum_to_one", of_sums, rounding,
                                              "どの行の注意度も和が 1",
                                              "every row of the weights sums to 1")};
  if (run.architecture().is_causal)
    invariants.push_back(invariant("nothing_from_the_future", leak, 0.0, "後ろのトークンへの注意度は 0",
                                   "no weight on a later token"));
  return invariants;
}

}  // namespace attnlab
