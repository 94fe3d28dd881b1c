#include "model/card/parameter_count.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// What the row of a family and the configuration say of biases and norms.
class CountedShapes {
 public:
  CountedShapes(const KnownFamily& family, const Config& config)
      : family_(family), config_(config), a_(family.architecture) {}

  bool has(const std::string& role) const { return family_.names.has(role); }
  bool has_gate() const { return family_.names.has_gate(); }

  bool has_all_biases() const { return biases() == "all" && truth_in(config_, "bias", true); }
  bool has_attention_biases() const { return has_all_biases() || a_.has_attention_biases; }
  bool has_qkv_biases() const { return has_attention_biases() || family_.names.lists("qkv_biases", a_.type); }
  bool has_head_norms() const { return family_.names.lists("head_norms", a_.type); }
  bool has_mlp_biases() const {
    const char* const key = biases() == "norms" ? "bias" : "mlp_bias";
    return has_all_biases() || truth_in(config_, key, false);
  }

  std::size_t norm(std::size_t width) const {
    return a_.norm == NormType::layer && (has_all_biases() || biases() == "norms") ? 2 * width : width;
  }

 private:
  std::string biases() const { return family_.names.name_of("biases", std::nullopt); }

  const KnownFamily& family_;
  const Config& config_;
  const Architecture& a_;
};

std::size_t linear(std::size_t in, std::size_t out, bool has_bias) { return in * out + (has_bias ? out : 0); }

std::size_t attention_numbers(const Architecture& a, const CountedShapes& shapes) {
  const std::size_t queries = a.heads * a.head_width;
  const std::size_t keys = a.kv_heads * a.head_width;
  const std::size_t normed = a.norms_all_heads ? queries + keys : 2 * a.head_width;
  const std::size_t norms = shapes.has_head_norms() ? shapes.norm(normed) : 0;
  return linear(a.width, queries + 2 * keys, shapes.has_qkv_biases()) +
         linear(queries, a.width, shapes.has_attention_biases()) + norms;
}

std::size_t mlp_numbers(const Architecture& a, const CountedShapes& shapes) {
  const bool has_biases = shapes.has_mlp_biases();
  const std::size_t up = linear(a.width, a.hidden, has_biases);
  return (shapes.has_gate() ? 2 * up : up) + linear(a.hidden, a.width, has_biases);
}

/// Before sub-layers and behind them.
std::size_t norms_of_layer(const CountedShapes& shapes) {
  const std::array<const char*, 4> roles{"attention_norm", "attention_output_norm", "mlp_norm",
                                         "mlp_output_norm"};
  return static_cast<std::size_t>(
      std::count_if(roles.begin(), roles.end(), [&](const char* role) { return shapes.has(role); }));
}

}  // namespace

std::size_t ParameterCount::total() const {
  return std::accumulate(
      parts.begin(), parts.end(), std::size_t{0},
      [](std::size_t sum, const CountedPart& part) { return sum + part.each * part.times; });
}

std::size_t ParameterCount::of(const std::string& id) const {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const CountedPart& part) { return part.id == id; });
  return found == parts.end() ? 0 : found->each * found->times;
}

std::optional<ParameterCount> parameters_of(const KnownFamily& family, const Config& config) {
  const Architecture& a = family.architecture;
  if (a.family == "attnlab") return std::nullopt;
  const CountedShapes shapes(family, config);
  const std::size_t norm = shapes.norm(a.width);
  ParameterCount count;
  const auto add = [&](const char* id, Text name, std::size_t each, std::size_t times = 1) {
    if (each * times > 0) count.parts.push_back({id, std::move(name), each, times});
  };
  add("embedding", {"埋め込み", "embedding"}, a.vocabulary * a.width);
  if (a.places == PlaceTable::learned) add("positions", {"位置", "positions"}, a.positions * a.width);
  if (shapes.has("segments")) {
    const std::size_t segments = whole_number_in(config, "type_vocab_size", "config.json").value_or(2);
    add("segments", {"文の番号", "segments"}, segments * a.width);
  }
  if (shapes.has("embedding_norm"))
    add("embedding_norm", {"埋め込みの正規化", "norm of the embedding"}, norm);
  add("attention", {"アテンション", "attention"}, attention_numbers(a, shapes), a.layers);
  if (a.experts > 0) {
    add("router", {"ルーター", "router"}, a.width * a.experts, a.layers);
    add("mlp", {"エキスパート", "experts"}, mlp_numbers(a, shapes), a.layers * a.experts);
  } else {
    add("mlp", Text::same("MLP"), mlp_numbers(a, shapes), a.layers);
  }
  add("norms", {"層の正規化", "norms of the layers"}, norms_of_layer(shapes) * norm, a.layers);
  if (shapes.has("final_norm")) add("final_norm", {"最後の正規化", "last norm"}, norm);
  if (shapes.has("transform"))
    add("transform", {"語の前の変換", "transform before the words"},
        linear(a.width, a.width, true) + norm + a.vocabulary);
  if (!a.is_tied) add("head", {"出力の行列", "unembedding"}, a.vocabulary * a.width);
  return count;
}

}  // namespace attnlab
