#include "model/steps_inside.hpp"

#include "core/constants.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Columns = std::function<std::size_t(std::size_t column)>;

constexpr std::size_t largest_matrix = std::size_t{1} << 23U;  // numbers, that is 64 MB

Array vector_of(const Tensor<float>& values) {
  return {{values.size()}, {}, std::vector<double>(values.begin(), values.end())};
}

/// (in, out), or of these columns so many. Throws std::length_error for one that is too large.
Array matrix_of(const StoredMatrix& stored, std::size_t out, const Columns& column) {
  if (stored.in() * stored.out() > largest_matrix) throw std::length_error("a large matrix");
  const Floats values = stored.values();
  Array matrix{{stored.in(), out}, {}, std::vector<double>(stored.in() * out)};
  for (std::size_t i = 0; i < matrix.data.size(); ++i) {
    const std::size_t row = i / out;
    const std::size_t from = column(i % out);
    matrix.data[i] = static_cast<double>(
        values.data[stored.out_in() ? from * stored.in() + row : row * stored.out() + from]);
  }
  return matrix;
}

/// One step after the other; the last gets the name of the stage that they make.
class Steps {
 public:
  Steps(std::string prefix, std::string from) : prefix_(std::move(prefix)), at_(std::move(from)) {}

  const std::string& at() const { return at_; }
  void go_on_from(const std::string& name) { at_ = name; }

  std::string given(const std::string& name, Array array) {
    stages_.push_back({prefix_ + name, {}, std::move(array), derived::given("")});
    return stages_.back().name;
  }
  void then(const std::string& name, Derivation derivation) {
    stages_.push_back({prefix_ + name, {}, {}, std::move(derivation)});
    at_ = stages_.back().name;
  }
  void times_each(const std::string& name, const std::string& other) {
    then(name, derived::worked({at_, other}, {}, product_of_each));
  }

  void project(
      const std::string& name, const Projection& projection, std::size_t out,
      const Columns& column = [](std::size_t i) { return i; }) {
    const std::string weight = given("w_" + name, matrix_of(projection.matrix, out, column));
    then("projected_" + name, derived::product(at_, weight));
    if (!projection.bias) return;
    Array bias{{out}, {}, {}};
    for (std::size_t i = 0; i < out; ++i)
      bias.data.push_back(static_cast<double>(projection.bias->data()[column(i)]));
    const std::string added = given("bias_" + name, std::move(bias));
    then("with_bias_" + name, derived::sum(at_, added));
  }

  void norm(const std::string& name, const ModelNorm& norm) {
    const std::string gain = given("gain_" + name, vector_of(norm.gain));
    const auto eps = static_cast<double>(norm.eps);
    if (norm.type == NormType::rms) return then("rms_" + name, derived::rms_norm(at_, gain, eps));
    then("centred_" + name, derived::layer_norm(at_, eps));
    times_each("gained_" + name, gain);
    if (!norm.bias) return;
    const std::string bias = given("bias_of_" + name, vector_of(*norm.bias));
    then("moved_" + name, derived::sum(at_, bias));
  }

  void activate(MlpActivation activation) {
    static const std::map<MlpActivation, const char*> names{{MlpActivation::gelu, "GELU"},
                                                            {MlpActivation::gelu_tanh, "GELU (tanh)"},
                                                            {MlpActivation::relu, "ReLU"},
                                                            {MlpActivation::silu, "SiLU"}};
    then("activated", derived::worked({at_}, {}, names.at(activation)).like(Derivation::Operation::relu));
  }

  std::vector<Stage> ending_as(const std::string& name) && {
    if (!stages_.empty()) stages_.back().name = name;
    return std::move(stages_);
  }

 private:
  std::string prefix_;
  std::string at_;
  std::vector<Stage> stages_;
};

/// The stream behind so many layers.
std::string last_of(const ModelWeights& weights, std::size_t layers) {
  if (layers == 0) return "embedding";
  const char* const end = weights.layers[layers - 1].up ? "output" : "after_attention";
  return fmt::format("layer_{}_{}", layers - 1, end);
}

/// What a layer computes with.
struct LayerSteps {
  const Architecture& architecture;
  const ModelLayer& weights;
  std::string prefix;  // "layer_0_"
  std::string input;   // the stage that it reads
  std::string read_by_heads;
  std::string read_by_mlp;
  std::size_t tokens = 0;

  LayerSteps(const Architecture& a, const ModelWeights& all, std::size_t number, std::size_t tokens_)
      : architecture(a),
        weights(all.layers.at(number)),
        prefix(fmt::format("layer_{}_", number)),
        input(last_of(all, number)),
        read_by_heads(a.norm_position == NormPosition::post ? input : prefix + "normed"),
        read_by_mlp(prefix + (a.norm_position == NormPosition::post ? "after_attention" : "mlp_input")),
        tokens(tokens_) {}
};

/// -inf where a token may not attend.
Array mask_of(const Architecture& a, std::size_t tokens) {
  Array mask{{tokens, tokens}, {"queries", "keys"}, std::vector<double>(tokens * tokens, 0.0)};
  for (std::size_t query = 0; query < tokens; ++query) {
    for (std::size_t key = 0; key < tokens; ++key) {
      const bool is_later = a.is_causal && key > query;
      const bool is_far = a.window > 0 && key + a.window <= query;
      if (is_later || is_far) mask.data[query * tokens + key] = -infinity;
    }
  }
  return mask;
}

/// "query", "key" or "value", from what the heads read.
void add_heads(Steps& steps, const LayerSteps& layer, const std::string& role) {
  const Architecture& a = layer.architecture;
  const ModelLayer& weights = layer.weights;
  const std::size_t place = role == "query" ? 0 : role == "key" ? 1 : 2;
  const std::size_t heads = place == 0 ? a.heads : a.kv_heads;
  const std::size_t d = a.head_width;
  const std::size_t before = place == 0 ? 0 : (a.heads + (place - 1) * a.kv_heads) * d;
  const std::optional<Projection>& own = place == 0   ? weights.query
                                         : place == 1 ? weights.key
                                                      : weights.value;
  steps.project(role, weights.joint ? *weights.joint : *own, heads * d, [&](std::size_t i) {
    if (!weights.joint) return i;
    return a.by_group ? (3 * (i / d) + place) * d + i % d : before + i;
  });
  steps.then("head_" + role, derived::split_heads(steps.at(), heads));
  if (place == 2) return;
  if (const std::optional<ModelNorm>& norm = place == 0 ? weights.query_norm : weights.key_norm)
    steps.norm(role, *norm);
  if (!a.rotary) return;
  const std::vector<double> frequencies = rotary_frequencies(*a.rotary);
  Array angles{{layer.tokens, frequencies.size()}, {}, {}};
  for (std::size_t token = 0; token < layer.tokens; ++token) {
    for (const double frequency : frequencies) angles.data.push_back(static_cast<double>(token) * frequency);
  }
  const std::string turns = steps.given("angles_" + role, std::move(angles));
  steps.then("turned_" + role, a.rotary->pairing == RotaryPairing::halves
                                   ? derived::rotary_halves(steps.at(), turns)
                                   : derived::rotary_pairs(steps.at(), turns));
}

void add_scores(Steps& steps, const LayerSteps& layer) {
  const Architecture& a = layer.architecture;
  using Operation = Derivation::Operation;
  steps.then("raw_scores", derived::worked({layer.prefix + "query", layer.prefix + "key"}, {})
                               .like(Operation::product_with_transpose));
  if (a.scales)
    steps.then("scaled_scores",
               derived::scaled(steps.at(), 1.0 / std::sqrt(static_cast<double>(a.head_width))));
  if (!a.is_causal && a.window == 0) return;
  const std::string mask = steps.given("mask", mask_of(a, layer.tokens));
  steps.then("masked_scores", derived::sum(steps.at(), mask));
}

void add_hidden(Steps& steps, const LayerSteps& layer) {
  const ModelLayer& weights = layer.weights;
  const std::size_t width = weights.up->matrix.out();
  const std::string from = steps.at();
  if (!weights.gate) {
    steps.project("up", *weights.up, width);
    return steps.activate(layer.architecture.activation);
  }
  steps.project("up", *weights.up, width);
  const std::string up = steps.at();
  steps.go_on_from(from);
  steps.project("gate", *weights.gate, width);
  steps.activate(layer.architecture.activation);
  steps.times_each("gated", up);
}

/// The steps of one stage, by its name without the layer.
void add_steps(Steps& steps, const LayerSteps& layer, const std::string& stage) {
  const Architecture& a = layer.architecture;
  const ModelLayer& weights = layer.weights;
  const bool is_post = a.norm_position == NormPosition::post;
  const bool is_parallel = a.norm_position == NormPosition::parallel;
  const auto from = [&](const std::string& name) { steps.go_on_from(name); };
  const auto residual = [&](const std::string& stream, const char* added,
                            const std::optional<ModelNorm>& norm) {
    steps.then("residual_of_" + stage, derived::sum(stream, layer.prefix + added));
    if (norm) steps.norm(stage, *norm);
  };
  const auto norm_where_there_is_one = [&](const std::optional<ModelNorm>& norm) {
    if (norm) return steps.norm(stage, *norm);
    steps.then(stage, derived::worked({steps.at()}, {}, "identity").like(Derivation::Operation::relu));
  };
  if (stage == "normed") {
    norm_where_there_is_one(weights.attention_norm);
  } else if (stage == "query" || stage == "key" || stage == "value") {
    from(layer.read_by_heads);
    add_heads(steps, layer, stage);
  } else if (stage == "scores") {
    add_scores(steps, layer);
  } else if (stage == "head_output") {
    steps.then(stage, derived::worked({layer.prefix + "weights", layer.prefix + "value"}, {})
                          .like(Derivation::Operation::product));
  } else if (stage == "attention") {
    steps.then("concat", derived::join_heads(layer.prefix + "head_output"));
    steps.project("output", weights.output, weights.output.matrix.out());
  } else if (stage == "after_attention" && is_post) {
    residual(layer.input, "attention", weights.attention_norm);
  } else if (stage == "mlp_input") {
    from(is_parallel ? layer.input : layer.prefix + "after_attention");
    norm_where_there_is_one(weights.mlp_norm);
  } else if (stage == "hidden") {
    from(layer.read_by_mlp);
    add_hidden(steps, layer);
  } else if (stage == "mlp") {
    from(layer.prefix + "hidden");
    steps.project("down", *weights.down, weights.down->matrix.out());
  } else if (stage == "output" && is_post) {
    residual(layer.prefix + "after_attention", "mlp", weights.mlp_norm);
  }
}

std::vector<Stage> steps_of_logits(const ModelWeights& weights, const Architecture& a) {
  if (weights.transform || (!weights.head && !a.is_tied)) return {};
  Steps steps("", last_of(weights, weights.layers.size()));
  if (weights.final_norm) steps.norm("final", *weights.final_norm);
  const Projection words = weights.head ? *weights.head : Projection{weights.embedding, std::nullopt};
  steps.project("words", words, words.matrix.out());
  return std::move(steps).ending_as("logits");
}

}  // namespace

StepsInside steps_inside(std::shared_ptr<const OpenedModel> opened, std::size_t tokens) {
  return [opened = std::move(opened), tokens](const std::string& stage) {
    const ModelWeights& weights = opened->model.weights;
    const Architecture& a = opened->model.architecture;
    try {
      if (stage == "logits") return steps_of_logits(weights, a);
      if (stage.rfind("layer_", 0) != 0) return std::vector<Stage>{};
      const LayerSteps layer(a, weights, std::stoul(stage.substr(std::strlen("layer_"))), tokens);
      Steps steps(layer.prefix, layer.input);
      add_steps(steps, layer, stage.substr(layer.prefix.size()));
      return std::move(steps).ending_as(stage);
    } catch (const std::length_error&) {
      return std::vector<Stage>{};
    }
  };
}

}  // namespace attnlab
