// The trace of a model: every stage of every layer, and the heads' weights together.
#include "core/utf8.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/trace.hpp"
#include "model/told_code.hpp"
#include "model/told_lines.hpp"
#include "results/code/python_program.hpp"

namespace attnlab {
namespace {

using formula::read;
using Axes = std::vector<std::string>;

constexpr std::size_t most_kept = std::size_t{1} << 24U;  // numbers of all layers' stages

Stage told(const std::string& name, const char* formula, const Tensor<float>& values, Axes axes,
           Derivation derivation) {
  derivation.rounding = rounding_in_float32;
  return {name, read(formula), to_array(values, std::move(axes)), std::move(derivation)};
}

Derivation by(std::string code, std::vector<std::string> operands = {}, std::vector<Chain> lines = {}) {
  return derived::worked(std::move(operands), std::move(lines), std::move(code));
}

/// Q, K or V with its lines; of what was normed or turned behind the product there are none.
std::vector<Chain> lines_of_heads(const ModelRun& run, std::size_t layer, const std::string& role,
                                  const Tensor<float>& x, const Tensor<float>& y) {
  const Architecture& a = run.architecture();
  const ModelLayer& weights = run.opened.model.weights.layers[layer];
  const std::size_t place = role == "query" ? 0 : role == "key" ? 1 : 2;
  if (place < 2 && (a.rotary || weights.query_norm)) return {};
  const std::size_t d = a.head_width;
  const auto column = [&](std::size_t head) {
    if (!weights.joint) return head * d;
    if (a.by_group) return (3 * head + place) * d;
    return (head + (place == 0 ? 0 : a.heads + (place - 1) * a.kv_heads)) * d;
  };
  const std::optional<Projection>& own = place == 0   ? weights.query
                                         : place == 1 ? weights.key
                                                      : weights.value;
  return head_lines(fmt::format("layer_{}_{}", layer, role), x, weights.joint ? *weights.joint : *own, column,
                    y);
}

/// A tensor that was never written has no axes (and one number).
bool has_mlp(const LayerStages& s) { return s.mlp.dimension() > 0; }

std::size_t size_of_layer(const LayerStages& s) {
  std::size_t size = 0;
  for (const Tensor<float>* one :
       {&s.normed, &s.query, &s.key, &s.value, &s.scores, &s.weights, &s.head_output, &s.attention,
        &s.after_attention, &s.mlp_input, &s.hidden, &s.mlp, &s.output})
    size += one->size();
  return size;
}

void add_layer(std::vector<Stage>& stages, const LayerStages& s, std::size_t number, const ModelRun& run,
               const ModelCode& code) {
  const Architecture& a = run.architecture();
  const std::string layer = fmt::format("layer_{}_", number);
  const std::string input = stages.back().name;  // what the layer below ends with
  const bool is_post = a.norm_position == NormPosition::post;
  const bool is_grouped = a.heads != a.kv_heads;
  const char* norm = a.norm == NormType::rms ? "RMSNorm(X)" : "LayerNorm(X)";
  const auto add = [&](const char* name, const char* formula, const Tensor<float>& values, Axes axes,
                       Derivation derivation) {
    stages.push_back(told(layer + name, formula, values, std::move(axes), std::move(derivation)));
  };
  const bool has_norm = a.norm_position != NormPosition::none && !is_post;
  const std::string x = has_norm ? layer + "normed" : input;
  const ModelLayer& weights = run.opened.model.weights.layers[number];
  if (!is_post) {
    add("normed", norm, s.normed, {"tokens", "width"},
        by(code.normed(number, input), {input},
           has_norm ? normed_lines(layer + "normed", s.input, *weights.attention_norm, s.normed)
                    : std::vector<Chain>{}));
  }
  add("query", "X W_Q", s.query, {"heads", "queries", "head_width"},
      by(code.query(number, x), {x}, lines_of_heads(run, number, "query", s.normed, s.query)));
  add("key", "X W_K", s.key, {"heads", "keys", "head_width"},
      by(code.key(number, x), {x}, lines_of_heads(run, number, "key", s.normed, s.key)));
  add("value", "X W_V", s.value, {"heads", "keys", "head_width"},
      by(code.value(number, x), {x}, lines_of_heads(run, number, "value", s.normed, s.value)));
  add("scores", a.scales ? "\\frac{Q K^T}{\\sqrt{d}} + M" : "Q K^T + M", s.scores,
      {"heads", "queries", "keys"},
      by(code.scores(number), {layer + "query", layer + "key"}, score_lines(layer + "scores", s, a)));
  add("weights", "softmax(S)", s.weights, {"heads", "queries", "keys"}, derived::softmax(layer + "scores"));
  add("head_output", "A V", s.head_output, {"heads", "queries", "head_width"},
      is_grouped ? by(code.head_output(number), {layer + "weights", layer + "value"})
                 : derived::product(layer + "weights", layer + "value"));
  add("attention", "Concat(heads) W_O", s.attention, {"tokens", "width"},
      by(code.attention(number), {layer + "head_output"}));
  add("after_attention", is_post ? "LayerNorm(X + Y)" : "X + Y", s.after_attention, {"tokens", "width"},
      is_post ? by(code.after_attention(number, input), {input, layer + "attention"})
              : derived::sum(input, layer + "attention"));
  if (!has_mlp(s)) return;  // attention alone
  const std::string read_by_mlp = is_post ? layer + "after_attention" : layer + "mlp_input";
  if (!is_post)
    add("mlp_input", norm, s.mlp_input, {"tokens", "width"},
        by(code.mlp_input(number, input), {},
           has_norm ? normed_lines(layer + "mlp_input",
                                   a.norm_position == NormPosition::parallel ? s.input : s.after_attention,
                                   *weights.mlp_norm, s.mlp_input)
                    : std::vector<Chain>{}));
  add("hidden", "f(X W_1)", s.hidden, {"tokens", "hidden"},
      by(code.hidden(number, read_by_mlp), {read_by_mlp}));
  add("mlp", "H W_2", s.mlp, {"tokens", "width"},
      by(code.mlp(number), {layer + "hidden"},
         run.leaves_out() ? std::vector<Chain>{}
                          : projected_lines(layer + "mlp", s.hidden, *weights.down, s.mlp)));
  add("output", is_post ? "LayerNorm(X + Y)" : "X + Y", s.output, {"tokens", "width"},
      is_post ? by(code.output(number), {layer + "after_attention", layer + "mlp"})
              : derived::sum(layer + "after_attention", layer + "mlp"));
}

/// np.stack([layer_0_weights, layer_1_weights])
std::string stacked(const ModelRun& run, const std::string& stage, std::vector<std::string> names = {}) {
  for (std::size_t layer = 0; layer < run.pass->forward.layers.size(); ++layer)
    names.push_back(fmt::format("layer_{}_{}", layer, stage));
  return "np.stack([" + joined(names, ", ") + "])";
}

/// A program opens safetensors, or holds the tensors of a small model of another format.
std::optional<Text> why_no_program(const ModelRun& run, bool keeps_layers) {
  constexpr std::size_t most_parameters = std::size_t{1} << 22U;
  const auto refusal = [](const char* key) {
    return text("{}。{}", "{}: {}", model_sentence(key), model_sentence(std::string(key) + "_hint"));
  };
  const std::vector<StoredTensor>& tensors = run.opened.checkpoint.tensors;
  const bool is_opened = std::none_of(tensors.begin(), tensors.end(),
                                      [](const StoredTensor& tensor) { return tensor.file.empty(); });
  if (!keeps_layers) return refusal("no_code_long");
  if (!is_opened && run.opened.model.weights.parameters > most_parameters) return refusal("no_code_format");
  if (run.ablation) return refusal("no_code_ablation");
  return std::nullopt;
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
void tell_generation(const ModelRun& run, std::vector<Stage>& stages) {
  Tokens tokens;
  std::vector<double> shares;
  for (const GeneratedToken& token : run.generation) {
    tokens.push_back(token.token);
    shares.push_back(token.probability);
  }
  const auto add = [&](const char* name, const Tensor<double>& values) {
    stages.push_back(step(name, Formula{}, values, {"steps"}, derived::learned()));
  };
  add("generated_tokens", to_tensor(tokens));
  add("generated_probability", to_tensor(shares));
}

}  // namespace

void tell_model(const ModelRun& run, Report& report) {
  const ForwardPass& pass = run.pass->forward;
  const ModelCode code(run);
  std::vector<Stage>& stages = report.stages;
  Array tokens;
  tokens.shape = {run.tokens.size()};
  tokens.axes = {"tokens"};
  tokens.data.assign(run.tokens.begin(), run.tokens.end());
  stages.push_back({"tokens", formula::row({}), tokens, {}});
  stages.push_back(told("embedding", "E + P", pass.embedded, {"tokens", "width"}, by(code.embedding())));
  std::size_t size = 0;
  for (const LayerStages& layer : pass.layers) size += size_of_layer(layer);
  const bool keeps_layers = size <= most_kept && !run.pass->in_long;
  for (std::size_t layer = 0; keeps_layers && layer < pass.layers.size(); ++layer)
    add_layer(stages, pass.layers[layer], layer, run, code);
  const std::string last = stages.back().name;
  const char* const end = has_mlp(pass.layers.front()) ? "output" : "after_attention";
  const auto add = [&](const char* name, const char* formula, Array array, const std::string& line) {
    stages.push_back({name, read(formula), std::move(array), by(line).rounded_by(rounding_in_float32)});
  };
  const bool is_long = run.pass->in_long.has_value();
  add(is_long ? "weights_pooled" : "weights", is_long ? "max softmax(S)" : "softmax(S)",
      together(run, [&](std::size_t layer) { return &run.pass->map(layer); },
               {"layers", "heads", "queries", "keys"}),
      is_long ? "" : stacked(run, "weights"));
  if (!is_long || (pass.layers.size() + 1) * pass.embedded.size() <= most_kept) {
    Array stream = together(run, [&](std::size_t layer) { return &pass.layers[layer].output; },
                            {"depths", "tokens", "width"});
    stream.shape[0] += 1;  // the embedding first
    stream.data.insert(stream.data.begin(), pass.embedded.begin(), pass.embedded.end());
    add("stream", "X", std::move(stream), stacked(run, end, {"embedding"}));
  }
  if (run.has_words())
    stages.push_back(told("logits", "X W_U", pass.logits, {is_long ? "answer" : "tokens", "vocabulary"},
                          by(code.logits(last))));
  if (run.ablation)
    stages.push_back(
        {"ablation", read("Δ ln p"), to_array(*run.ablation, {"layers", "heads"}), derived::worked({}, {})});
  if (!run.generation.empty()) tell_generation(run, stages);
  report.no_program = why_no_program(run, keeps_layers);
  if (!report.no_program) report.origins = code.origins();
}

void tell_reading(const ModelRun& own, Report& report) {
  ModelRun run = own;
  run.takes_any_tokens = true;
  Report told;
  tell_model(run, told);
  report.no_program = told.no_program;
  std::string body;
  for (const Origin& origin : told.origins) {
    const bool follows_tokens = origin.name == "mask" || origin.name == "angles";
    if (follows_tokens) body += fmt::format("    {} = {}\n", origin.name, origin.code);
    if (!follows_tokens) report.origins.push_back(origin);
  }
  for (const Stage& stage : told.stages) {
    if (stage.name == "tokens" || stage.name == "weights" || stage.name == "stream") continue;
    body += fmt::format("    {} = {}\n", stage.name, numpy_code(stage, told.stages));
  }
  report.origins.push_back({Origin::Kind::function,
                            "read",
                            {},
                            "\n\ndef read(tokens):\n    \"\"\"The logits after every token.\"\"\"\n" + body +
                                "    return logits\n\n\n"});
}

std::vector<Scalar> model_scalars(const ModelRun& run) {
  std::vector<Scalar> scalars{{"layer", static_cast<double>(run.layer)},
                              {"head", static_cast<double>(run.head)}};
  for (const RoleMeasure& measure : role_measures())
    scalars.push_back({"head_" + measure.name, run.roles(run.layer, run.head).*measure.of});
  if (!run.has_words()) return scalars;
  const std::vector<double> said = answer_of(run, *run.pass);
  const std::size_t best = largest_places(said, 1).front();
  scalars.push_back({"answer_token", std::isnan(said[best]) ? said[best] : static_cast<double>(best)});
  scalars.push_back({"answer_probability", said[best]});
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
