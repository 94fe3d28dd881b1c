#include "model/told_code.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// "h.0.ln_1.weight" as a name of Python's.
std::string identifier(const std::string& name) {
  std::string result;
  for (const char letter : name)
    result += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return std::isdigit(static_cast<unsigned char>(result.front())) != 0 ? "t_" + result : result;
}

/// Between quotation marks, as Python and JSON write a text.
std::string literal(const std::string& text) {
  return Config(text).dump(-1, ' ', true, Config::error_handler_t::replace);
}

std::string stage_of(std::size_t layer, const char* name) { return fmt::format("layer_{}_{}", layer, name); }

}  // namespace

ModelCode::ModelCode(const ModelRun& run)
    : run_(run),
      a_(run.architecture()),
      names_(family_of(run.opened.checkpoint).names),
      tensors_(run.opened.checkpoint, names_) {}

// --- Tokens and tensors

std::string ModelCode::tokens() const {
  return run_.takes_any_tokens ? "tokens" : fmt::format("[{}]", fmt::join(run_.tokens, ", "));
}

std::string ModelCode::count() const {
  return run_.takes_any_tokens ? "len(tokens)" : std::to_string(run_.tokens.size());
}

/// "" for one that the file has not.
std::string ModelCode::tensor(const std::string& name) const {
  const StoredTensor* const found = tensors_.find(name);
  if (found == nullptr) return "";
  used_.insert(found->name);
  return identifier(found->name);
}

std::string ModelCode::tensor_of(const std::string& role, std::optional<std::size_t> layer) const {
  return tensor(names_.name_of(role, layer));
}

std::string ModelCode::plus_bias(const std::string& weight) const {
  const std::string bias = tensor(bias_name(weight));
  return bias.empty() ? "" : " + " + bias;
}

/// x W + b
std::string ModelCode::projected(const std::string& x, const std::string& role, std::size_t layer) const {
  const std::string name = names_.name_of(role, layer);
  return fmt::format("{} @ {}{}{}", x, tensor(name), a_.out_in ? ".T" : "", plus_bias(name));
}

std::string ModelCode::normed_by(const std::string& x, const std::string& role,
                                 std::optional<std::size_t> layer) const {
  const std::string name = names_.name_of(role, layer);
  const std::string gain = tensor(name);
  if (gain.empty()) return x;
  if (a_.norm == NormType::rms) return fmt::format("rms_norm({}, {}, eps={})", x, gain, a_.eps);
  return fmt::format("layer_norm({}, eps={}) * {}{}", x, a_.eps, gain, plus_bias(name));
}

// --- The block

/// Q, K or V of a joint matrix.
std::string ModelCode::joint_heads(const std::string& role, std::size_t layer, const std::string& x) const {
  const std::string all = "(" + projected(x, "joint", layer) + ")";
  const std::size_t place = role == "query" ? 0 : role == "key" ? 1 : 2;
  if (a_.by_group) {
    return fmt::format("{}.reshape({}, {}, 3, {})[:, :, {}].swapaxes(0, 1)", all, count(), a_.heads,
                       a_.head_width, place);
  }
  const std::size_t width = a_.heads * a_.head_width;
  const std::size_t key_width = a_.kv_heads * a_.head_width;
  const std::size_t begin = place == 0 ? 0 : width + (place - 1) * key_width;
  return fmt::format("split_heads({}[:, {}:{}], {})", all, begin, begin + (place == 0 ? width : key_width),
                     place == 0 ? a_.heads : a_.kv_heads);
}

std::string ModelCode::heads_of(const std::string& role, std::size_t layer, const std::string& x) const {
  const bool is_joint = !names_.name_of("joint", layer).empty();
  const std::size_t heads = role == "query" ? a_.heads : a_.kv_heads;
  std::string code = is_joint ? joint_heads(role, layer, x)
                              : fmt::format("split_heads({}, {})", projected(x, role, layer), heads);
  if (role == "value") return code;
  code = normed_by(code, role + "_norm", layer);
  if (!a_.rotary) return code;
  return fmt::format("rotary_{}({}, angles)",
                     a_.rotary->pairing == RotaryPairing::halves ? "halves" : "pairs", code);
}

std::string ModelCode::embedding() const {
  std::string code = fmt::format("{}[{}]", tensor_of("embedding", {}), tokens());
  const std::size_t first = a_.first_position;
  if (a_.places == PlaceTable::learned)
    code += fmt::format(" + {}[{}:{}]", tensor_of("positions", {}), first,
                        run_.takes_any_tokens ? first == 0 ? count() : fmt::format("{} + {}", first, count())
                                              : std::to_string(first + run_.tokens.size()));
  if (a_.places == PlaceTable::sinusoidal)
    code += fmt::format(" + sinusoidal_encoding({}, {})", count(), a_.width);
  if (const std::string segments = tensor_of("segments", {}); !segments.empty())
    code += " + " + segments + "[0]";
  return normed_by(code, "embedding_norm", {});
}

std::string ModelCode::normed(std::size_t layer, const std::string& input) const {
  return normed_by(input, "attention_norm", layer);
}

std::string ModelCode::scores(std::size_t layer) const {
  const std::string key = stage_of(layer, "key");
  const std::string repeated =
      a_.heads == a_.kv_heads ? key : fmt::format("repeat_heads({}, {})", key, a_.heads / a_.kv_heads);
  return fmt::format("{} @ {}.swapaxes(-1, -2){}{}", stage_of(layer, "query"), repeated,
                     a_.scales ? fmt::format(" / math.sqrt({})", a_.head_width) : "",
                     mask().empty() ? "" : " + mask");
}

std::string ModelCode::head_output(std::size_t layer) const {
  const std::string value = stage_of(layer, "value");
  return fmt::format(
      "{} @ {}", stage_of(layer, "weights"),
      a_.heads == a_.kv_heads ? value : fmt::format("repeat_heads({}, {})", value, a_.heads / a_.kv_heads));
}

std::string ModelCode::attention(std::size_t layer) const {
  std::string heads = stage_of(layer, "head_output");
  std::vector<std::string> kept;
  bool is_whole = true;
  for (std::size_t head = 0; head < a_.heads; ++head) {
    const bool is_left_out = run_.settings.without.heads.count({layer, head}) == 1;
    kept.emplace_back(is_left_out ? "0.0" : "1.0");
    is_whole = is_whole && !is_left_out;
  }
  if (!is_whole) heads += fmt::format(" * np.array([{}])[:, np.newaxis, np.newaxis]", fmt::join(kept, ", "));
  const std::string code = projected("join_heads(" + heads + ")", "output", layer);
  return run_.settings.without.layers.count(layer) == 1 ? "0.0 * (" + code + ")" : code;
}

std::string ModelCode::after_attention(std::size_t layer, const std::string& input) const {
  const std::string sum = input + " + " + stage_of(layer, "attention");
  return a_.norm_position == NormPosition::post ? normed_by(sum, "attention_norm", layer) : sum;
}

std::string ModelCode::mlp_input(std::size_t layer, const std::string& input) const {
  return normed_by(a_.norm_position == NormPosition::parallel ? input : stage_of(layer, "after_attention"),
                   "mlp_norm", layer);
}

std::string ModelCode::activated(const std::string& x) const {
  static const std::map<MlpActivation, const char*> names{{MlpActivation::gelu, "gelu"},
                                                          {MlpActivation::gelu_tanh, "gelu_tanh"},
                                                          {MlpActivation::relu, "relu"},
                                                          {MlpActivation::silu, "silu"}};
  return fmt::format("{}({})", names.at(a_.activation), x);
}

std::string ModelCode::hidden(std::size_t layer, const std::string& x) const {
  if (names_.name_of("gate", layer).empty()) return activated(projected(x, "up", layer));
  return fmt::format("{} * ({})", activated(projected(x, "gate", layer)), projected(x, "up", layer));
}

std::string ModelCode::mlp(std::size_t layer) const {
  const std::string code = projected(stage_of(layer, "hidden"), "down", layer);
  const Ablation& without = run_.settings.without;
  const bool is_left_out = without.layers.count(layer) == 1 || without.mlps.count(layer) == 1;
  return is_left_out ? "0.0 * (" + code + ")" : code;
}

std::string ModelCode::output(std::size_t layer) const {
  const std::string sum = stage_of(layer, "after_attention") + " + " + stage_of(layer, "mlp");
  return a_.norm_position == NormPosition::post ? normed_by(sum, "mlp_norm", layer) : sum;
}

std::string ModelCode::logits(const std::string& stream) const {
  const ModelWeights& w = run_.opened.model.weights;
  std::string code = w.final_norm ? normed_by(stream, "final_norm", {}) : stream;
  if (w.transform) {
    const std::string name = names_.name_of("transform", {});
    code = activated(fmt::format("{} @ {}.T{}", code, tensor(name), plus_bias(name)));
    code = normed_by(code, "transform_norm", {});
  }
  const std::string head = names_.name_of("head", {});
  const std::string own = tensor_of("head_bias", {});
  return fmt::format("({}) @ {}.T{}", code, a_.is_tied ? tensor_of("embedding", {}) : tensor(head),
                     own.empty() ? plus_bias(head) : " + " + own);
}

// --- What they begin with

/// "" where every token reads every token.
std::string ModelCode::mask() const {
  if (!a_.is_causal) return "";
  std::string code = fmt::format("causal_mask({0}, {0}, 0, -np.inf)", count());
  if (a_.window > 0 && (a_.window < run_.tokens.size() || run_.takes_any_tokens))
    code += fmt::format(" + window_mask({0}, {0}, 0, {1}, -np.inf)", count(), a_.window - 1);
  return code;
}

std::string ModelCode::angles() const {
  return fmt::format("np.arange({})[:, np.newaxis] * np.array([{}])", count(),
                     fmt::join(rotary_frequencies(*a_.rotary), ", "));
}

std::vector<Origin> ModelCode::origins() const {
  std::vector<Origin> all;
  std::map<std::string, std::size_t> of_files;
  for (const StoredTensor& stored : run_.opened.checkpoint.tensors) {
    if (used_.count(stored.name) == 0) continue;
    Origin origin;
    origin.name = identifier(stored.name);
    origin.shape = stored.shape;
    if (stored.file.empty()) {
      const Tensor<double> values = load<double>(stored);
      origin.kind = Origin::Kind::read;
      if (all.empty()) origin.file = printable(run_.opened.checkpoint.name);
      origin.values.assign(values.begin(), values.end());
    } else {
      const auto [file, is_new] = of_files.emplace(stored.file, of_files.size());
      const std::string tensors = file->second == 0 ? "tensors" : fmt::format("tensors_{}", file->second);
      if (is_new) all.push_back({Origin::Kind::opened, tensors, {}, {}, literal(stored.file)});
      origin.kind = Origin::Kind::given;
      origin.code = fmt::format("{}[{}]", tensors, literal(run_.opened.checkpoint.wrapper + stored.name));
    }
    all.push_back(std::move(origin));
  }
  if (a_.rotary) all.push_back({Origin::Kind::given, "angles", {}, angles()});
  if (const std::string code = mask(); !code.empty()) all.push_back({Origin::Kind::given, "mask", {}, code});
  return all;
}

}  // namespace attnlab
