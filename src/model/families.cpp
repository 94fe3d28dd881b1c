#include "model/families.hpp"

#include "attention/streaming/score_tiles.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "experiments/cache/cache_shape.hpp"
#include "io/rotary_config.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

/// Every family; what a row leaves out is that of the row that it is `like`.
const std::vector<Sentences>& families() {
  static const std::vector<Sentences> all = [] {
    std::vector<Sentences> rows = read_sentences(*find_file(model_text_files(), "families.toml"), "family");
    for (Sentences& row : rows) {
      const auto like = row.find("like");
      if (like == row.end()) continue;
      const auto whole = std::find_if(rows.begin(), rows.end(), [&](const Sentences& other) {
        return other.at("id").en() == like->second.en();
      });
      row.insert(whole->begin(), whole->end());
    }
    return rows;
  }();
  return all;
}

/// A model's configuration: what its keys say, under any of the names that families give them.
class StoredConfig {
 public:
  StoredConfig(const Config& config, const std::string& place) : config_(config), place_(place) {}

  [[noreturn]] void refuse(const Text& problem, const Text& hint) const {
    refuse_file(place_, problem, hint);
  }

  /// For a value that makes it another computation.
  [[noreturn]] void refuse_value(const char* key) const {
    refuse(text("{} = {} のモデルは計算できません", "a model with {} = {} cannot be computed here", key,
                config_.at(key).dump()),
           {"別のモデルを使ってください", "use another model"});
  }

  std::optional<std::size_t> whole(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) {
      if (const auto number = whole_number_in(config_, key, place_)) return number;
    }
    return std::nullopt;
  }

  std::size_t size(std::initializer_list<const char*> keys,
                   std::optional<std::size_t> otherwise = std::nullopt) const {
    const std::size_t number = whole(keys).value_or(otherwise.value_or(0));
    if (number > 0) return number;
    const std::vector<std::string> names(keys.begin(), keys.end());
    refuse(text("0 より大きい \"{}\" がありません", "it has no \"{}\" above 0", joined(names, "\", \"")),
           get_original_again);
  }

  std::optional<double> number(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) {
      if (const auto found = number_in(config_, key, place_)) return found;
    }
    return std::nullopt;
  }

  /// Above 0; or 0 where it is switched off: but it must be there.
  double number_or_off(const char* key) const {
    const double found = config_.contains(key) ? number({key}).value_or(0.0) : -1.0;
    if (found >= 0.0 && std::isfinite(found)) return found;
    refuse(text("0 以上の \"{}\" がありません", "it has no \"{}\" of 0 or more", key), get_original_again);
  }

  std::string word(std::initializer_list<const char*> keys, const std::string& otherwise) const {
    for (const char* key : keys) {
      check_kind(config_, key, ConfigKind::word, place_);
      if (std::string found = word_in(config_, key); !found.empty()) return found;
    }
    return otherwise;
  }

  bool truth(const char* key, bool otherwise) const {
    check_kind(config_, key, ConfigKind::truth, place_);
    return truth_in(config_, key, otherwise);
  }

  const Config& config() const { return config_; }
  const std::string& place() const { return place_; }

 private:
  const Config& config_;
  const std::string& place_;
};

MlpActivation activation_of(const StoredConfig& stored, const std::string& otherwise) {
  static const std::map<std::string, MlpActivation> known{
      {"gelu", MlpActivation::gelu},           {"gelu_new", MlpActivation::gelu_tanh},
      {"gelu_fast", MlpActivation::gelu_tanh}, {"gelu_pytorch_tanh", MlpActivation::gelu_tanh},
      {"relu", MlpActivation::relu},           {"silu", MlpActivation::silu},
      {"swish", MlpActivation::silu}};
  const std::string word =
      stored.word({"hidden_activation", "hidden_act", "activation_function", "activation"}, otherwise);
  const auto found = known.find(word);
  if (found != known.end()) return found->second;
  stored.refuse(text("活性化関数 {} は計算できません", "the activation {} is not known", quotation(word)),
                {"gelu, gelu_new, relu, silu のどれかのモデルを使ってください",
                 "use a model with gelu, gelu_new, relu or silu"});
}

RotaryScaling scaling_of(const StoredConfig& stored) {
  const RotaryConfig read = rotary_config(stored.config());
  if (!read.is_known)
    stored.refuse(
        text("rope_scaling {} は計算できません", "rope_scaling {} is not known", quotation(read.type)),
        {"default, linear, dynamic, llama3, yarn, longrope のどれかのモデルを使ってください",
         "use a model with default, linear, dynamic, llama3, yarn or longrope"});
  if (!read.missing.empty())
    stored.refuse(
        text("rope_scaling の \"{}\" がありません", "its rope_scaling has no \"{}\" above 0", read.missing),
        get_again("config.json"));
  return read.scaling;
}

ModelRotary rotary_of(const StoredConfig& stored, const std::string& pairing, std::size_t head_width) {
  ModelRotary rotary;
  rotary.pairing = pairing == "pairs" ? RotaryPairing::interleaved : RotaryPairing::halves;
  const Config& config = stored.config();
  // Transformers 5 keeps them in an object of their own.
  const auto nested = config.find("rope_parameters");
  for (const char* key : {"rope_parameters", "rope_scaling"})
    check_kind(config, key, ConfigKind::object, stored.place());
  const bool is_nested = nested != config.end() && nested->is_object();
  rotary.scaling = scaling_of(stored);
  const auto of_nested = [&](const char* key) {
    return is_nested ? number_in(*nested, key, stored.place()) : std::nullopt;
  };
  rotary.base =
      of_nested("rope_theta").value_or(stored.number({"rope_theta", "rotary_emb_base"}).value_or(10000.0));
  const double part = of_nested("partial_rotary_factor")
                          .value_or(stored.number({"partial_rotary_factor", "rotary_pct"}).value_or(1.0));
  const bool is_part = part > 0.0 && part <= 1.0;
  rotary.width = is_part ? static_cast<std::size_t>(part * static_cast<double>(head_width)) : 0;
  if (const auto factors = config.find("rope_factors"); factors != config.end() && factors->is_array())
    rotary.factors = factors->get<std::vector<double>>();
  const bool are_above_0 = std::all_of(rotary.factors.begin(), rotary.factors.end(),
                                       [](double factor) { return std::isfinite(factor) && factor > 0.0; });
  for (const std::vector<double>* factors :
       {&rotary.factors, &rotary.scaling.short_factors, &rotary.scaling.long_factors}) {
    if (factors->empty() || (factors->size() == rotary.width / 2 && are_above_0)) continue;
    stored.refuse(text("回転の周波数の係数が {} 個あります（0 より大きい数が {} 個必要）",
                       "it has {} factors of rotary frequencies; {} above 0 are needed", factors->size(),
                       rotary.width / 2),
                  get_original_again);
  }
  const bool fits =
      rotary.base > 0.0 && std::isfinite(rotary.base) && rotary.width % 2 == 0 && rotary.width > 0;
  if (fits) return rotary;
  stored.refuse(text("回転位置の底 {} と割合 {} は、幅 {} のヘッドに合いません",
                     "rotary positions of base {} over a part of {} do not fit a head of width {}",
                     rotary.base, part, head_width),
                get_again("config.json"));
}

/// Transformers 5 says for each kind of layer by itself how it turns, where they differ: under its name in
/// rope_parameters.
const Config* rotary_of_kind(const Config& config, const char* kind) {
  const auto all = config.find("rope_parameters");
  if (all == config.end() || !all->is_object() || !all->contains(kind)) return nullptr;
  return &(*all)[kind];
}

void read_rotary(const StoredConfig& stored, const Sentences& row, Architecture& a) {
  const std::string pairing = word_of(row, "rotary");
  if (pairing.empty()) return;
  const auto of_kind = [&](const Config* parameters) {
    Config config = stored.config();
    if (parameters != nullptr) config["rope_parameters"] = *parameters;
    return rotary_of(StoredConfig(config, stored.place()), pairing, a.head_width);
  };
  a.rotary = of_kind(rotary_of_kind(stored.config(), "full_attention"));
  const Config* const in_windows = rotary_of_kind(stored.config(), "sliding_attention");
  if (in_windows != nullptr) {
    a.window_rotary = of_kind(in_windows);
  } else if (word_of(row, "window_rotary") == "plain") {
    a.window_rotary = a.rotary;
    a.window_rotary->scaling = {};
    const double usual = number_from<double>(word_of(row, "window_base")).value_or(a.rotary->base);
    a.window_rotary->base = stored.number({"rope_local_base_freq"}).value_or(usual);
    if (a.window_rotary->base > 0.0 && std::isfinite(a.window_rotary->base)) return;
    stored.refuse(
        text("\"{}\" が {} です。0 より大きい数が必要です", "\"{}\" is {}; a number above 0 is needed",
             "rope_local_base_freq", a.window_rotary->base),
        get_original_again);
  }
}

/// A type without what only the rows of families.toml tell apart: the names of tensors in another format.
std::string public_name(const std::string& type) {
  if (type == "llama-meta") return "llama";
  const std::string of_gguf = "gguf ";
  return type.rfind(of_gguf, 0) == 0 ? type.substr(of_gguf.size()) : type;
}

/// What a norm adds to a variance before its root is taken.
std::optional<float> eps_of(const StoredConfig& stored) {
  for (const char* key : {"layer_norm_epsilon", "layer_norm_eps", "rms_norm_eps"}) {
    const std::optional<double> eps = stored.number({key});
    if (!eps) continue;
    if (*eps >= 0.0 && *eps <= static_cast<double>(std::numeric_limits<float>::max()))
      return static_cast<float>(*eps);
    stored.refuse(text("\"{}\" が {} です。0 以上の数が必要です",
                       "\"{}\" is {}; a number of 0 or more is needed", key, *eps),
                  get_original_again);
  }
  return std::nullopt;
}

/// How many heads of keys. Where all queries share one (Shazeer 2019), Falcon's number of them says nothing,
/// unless it is of the new kind.
std::size_t kv_heads_of(const StoredConfig& stored, std::size_t heads, bool is_multi_query) {
  const bool shares_one =
      stored.truth("multi_query", is_multi_query) && !stored.truth("new_decoder_architecture", false);
  return shares_one ? 1 : stored.whole({"num_key_value_heads", "num_kv_heads"}).value_or(heads);
}

void read_heads(const StoredConfig& stored, bool is_multi_query, Architecture& a) {
  a.heads = stored.size({"num_attention_heads", "n_head", "n_heads"});
  a.kv_heads = kv_heads_of(stored, a.heads, is_multi_query);
  const std::optional<std::size_t> head_width = stored.whole({"head_dim"});
  if (a.kv_heads == 0 || a.heads % a.kv_heads != 0) {
    stored.refuse(text("キーのヘッド数 {} がヘッド数 {} の約数ではありません",
                       "its {} heads of keys do not divide its {} heads", a.kv_heads, a.heads),
                  get_again("config.json"));
  }
  if (!head_width && a.width % a.heads != 0) {
    stored.refuse(text("幅 {} は {} 個のヘッドに分けられません", "its width {} cannot be split over {} heads",
                       a.width, a.heads),
                  get_again("config.json"));
  }
  a.head_width = head_width.value_or(a.width / a.heads);
}

/// Which layers have a window, by what `attnlab cache` reads of the same keys.
void read_windows(const StoredConfig& stored, Architecture& a) {
  for (const Config& type : stored.config().value("layer_types", Config::array())) {
    if (type == "full_attention" || type == "sliding_attention") continue;
    stored.refuse(text("layer_types の {} は計算できません", "layer_types: {} is not known",
                       printable(type.dump(-1, ' ', false, Config::error_handler_t::replace).substr(0, 40))),
                  {"full_attention と sliding_attention の層のモデルを使ってください",
                   "use a model with layers of full_attention and sliding_attention"});
  }
  a.window = 0;
  for (const CachedLayer& layer : cache_shape_of(stored.config().dump(), stored.place()).layers) {
    a.has_window.push_back(std::isfinite(layer.window));
    if (a.has_window.back()) a.window = static_cast<std::size_t>(layer.window);
  }
}

/// Which layers have rotary positions: 1 of those that have, 0 of the others; or every so-manieth has none.
/// Source: Yang et al. 2025, “Rope to Nope and Back Again”; SmolLM3's configuration.
std::vector<bool> turning_layers(const StoredConfig& stored, std::size_t layers) {
  const Config list = stored.config().value("no_rope_layers", Config());
  std::vector<bool> turns;
  if (list.is_null()) {
    constexpr std::size_t usual = 4;
    const char* const key = "no_rope_layer_interval";
    const std::size_t interval = stored.whole({key}) ? stored.size({key}) : usual;
    for (std::size_t layer = 0; layer < layers; ++layer) turns.push_back((layer + 1) % interval != 0);
    return turns;
  }
  for (const Config& one : list) {
    const bool has_positions = one == 1;
    if (has_positions || one == 0) turns.push_back(has_positions);
  }
  if (list.is_array() && list.size() == layers && turns.size() == layers) return turns;
  stored.refuse(text("\"no_rope_layers\" は、{} 層のそれぞれの 0 か 1 ではありません",
                     "\"no_rope_layers\" is no list of 0 or 1 for each of {} layers", layers),
                get_original_again);
}

/// auto_map names the code that a model came with: the family's first one, or code that nobody knows here.
void require_own_code(const StoredConfig& stored, const std::string& type) {
  for (const Config& code : stored.config().value("auto_map", Config::object())) {
    const bool is_own =
        code.is_string() && code.get<std::string>().find("_" + type + ".") != std::string::npos;
    if (is_own) continue;
    stored.refuse(
        text("auto_map の {} は、このモデルだけのコードです", "auto_map: {} is code of this model alone",
             printable(code.dump(-1, ' ', false, Config::error_handler_t::replace).substr(0, 60))),
        {"別のモデルを使ってください", "use another model"});
  }
}

/// What only some families' configurations say, and their rows name under `keys`.
void read_own_keys(const StoredConfig& stored, const std::vector<std::string>& keys, Architecture& a) {
  const auto has = [&](const char* key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
  if (has("auto_map")) require_own_code(stored, a.type);
  if (has("layer_types")) read_windows(stored, a);
  if (has("no_rope_layers")) a.turns = turning_layers(stored, a.layers);
  if (has("query_pre_attn_scalar")) a.score_width = stored.size({"query_pre_attn_scalar"});
  if (has("attn_logit_softcapping")) a.score_cap = stored.number_or_off("attn_logit_softcapping");
  if (has("final_logit_softcapping")) a.logit_cap = stored.number_or_off("final_logit_softcapping");
  if (!has("num_local_experts")) return;
  a.experts = stored.size({"num_local_experts"});
  a.experts_read = stored.size({"num_experts_per_tok"});
  if (a.experts_read <= a.experts) return;
  stored.refuse(text("\"num_experts_per_tok\" = {} が、{} 個のエキスパートより多くなっています",
                     "\"num_experts_per_tok\" = {} exceeds its {} experts", a.experts_read, a.experts),
                get_original_again);
}

/// What a training of attnlab's chose, and says in its file.
void take_family_choices(const StoredConfig& stored, Architecture& a) {
  const std::string place = stored.word({"norm_place"}, "");
  a.norm_position = place == "pre"    ? NormPosition::pre
                    : place == "post" ? NormPosition::post
                                      : NormPosition::none;
  a.norm = stored.word({"norm_type"}, "") == "rms" ? NormType::rms : NormType::layer;
  const std::string positions = stored.word({"positions"}, "");
  a.places = positions == "learned"      ? PlaceTable::learned
             : positions == "sinusoidal" ? PlaceTable::sinusoidal
                                         : PlaceTable::none;
  if (positions == "rotary") a.rotary = rotary_of(stored, "pairs", a.head_width);
  a.is_causal = stored.word({"reads"}, "") == "past";
  a.says_words = stored.truth("says_words", false);
  constexpr std::size_t most_positions = std::size_t{1} << 16U;
  if (a.places == PlaceTable::sinusoidal && a.positions > most_positions) {
    stored.refuse(text("位置が {} 個あります（{} まで）", "it has {} positions; at most {} are allowed",
                       a.positions, most_positions),
                  {"attnlab train の --save-model で保存し直してください",
                   "save it again with attnlab train --save-model"});
  }
}

Architecture architecture_of(const StoredConfig& stored, const std::string& type, const Sentences& row) {
  Architecture a;
  a.type = public_name(type);
  a.family = word_of(row, "id");
  a.width = stored.size({"hidden_size", "n_embd", "dim", "n_embed"});
  a.layers = stored.size({"num_hidden_layers", "n_layer", "n_layers"});
  constexpr std::size_t most_layers = 4096;
  if (a.layers > most_layers)
    stored.refuse(
        text("{} 層あります（{} 層まで）", "it has {} layers; at most {} are read", a.layers, most_layers),
        get_original_again);
  a.vocabulary = stored.size({"vocab_size"});
  a.positions = stored.size({"max_position_embeddings", "n_positions", "n_ctx", "seq_length"},
                            number_from<std::size_t>(word_of(row, "made_for")));
  a.hidden = stored.whole({"intermediate_size", "n_inner", "hidden_dim", "ffn_dim", "ffn_hidden_size"})
                 .value_or(4 * a.width);
  read_heads(stored, !word_of(row, "multi_query").empty(), a);
  a.first_position = number_from<std::size_t>(word_of(row, "first")).value_or(0);
  if (a.first_position >= a.positions) a.first_position = 0;
  const std::size_t offset = number_from<std::size_t>(word_of(row, "offset")).value_or(0);
  a.first_position += offset;
  a.positions += offset;
  a.norm = word_of(row, "norm") == "rms" ? NormType::rms : NormType::layer;
  a.gain_from_one = word_of(row, "gain") == "from-one";
  a.norms_all_heads = word_of(row, "head_norm_over") == "all-heads";
  a.scales_embedding = word_of(row, "embedding_scale") == "root";
  const std::string place = word_of(row, "place");
  if (place != "parallel" && stored.truth("use_parallel_residual", false))
    stored.refuse_value("use_parallel_residual");
  if (!stored.truth("parallel_attn", true) && place == "parallel") stored.refuse_value("parallel_attn");
  if (stored.whole({"word_embed_proj_dim"}).value_or(a.width) != a.width)
    stored.refuse_value("word_embed_proj_dim");
  a.norm_position = place == "post" ? NormPosition::post
                    : place == "parallel" && stored.truth("use_parallel_residual", true)
                        ? NormPosition::parallel
                        : NormPosition::pre;
  const double usual_eps = place == "post" ? 1e-12 : a.norm == NormType::rms ? 1e-6 : 1e-5;
  a.eps = eps_of(stored).value_or(static_cast<float>(usual_eps));
  a.activation = activation_of(stored, word_of(row, "activation"));
  read_rotary(stored, row, a);
  if (!word_of(row, "alibi").empty()) a.alibi_slopes = alibi_slopes<double>(a.heads);
  // Where it can be switched off it is, or was refused: there it is the window of some layers only.
  if (!stored.config().contains("use_sliding_window"))
    a.window = stored.whole({"sliding_window"}).value_or(0);
  a.is_causal = stored.truth("is_causal", word_of(row, "reads") == "past");
  a.has_attention_biases = stored.truth("attention_bias", stored.truth("bias", false));
  a.scales = stored.truth("scale_attn_weights", true);
  a.score_width = a.head_width;
  a.out_in = word_of(row, "layout") == "out-in";
  a.by_group = word_of(row, "order") == "groups";
  a.is_tied = stored.truth("tie_word_embeddings", word_of(row, "tied") == "yes");
  a.places = word_of(row, "positions").empty() ? PlaceTable::none : PlaceTable::learned;
  read_own_keys(stored, words_of(row, "keys"), a);
  if (a.family == "attnlab") take_family_choices(stored, a);
  return a;
}

}  // namespace

KnownFamily family_of(const Checkpoint& checkpoint) {
  constexpr std::string_view of_gguf = "gguf ";
  const std::string type = word_in(checkpoint.config, "model_type");
  const bool is_gguf = type.rfind(of_gguf, 0) == 0;
  const auto row = std::find_if(families().begin(), families().end(), [&](const Sentences& family) {
    const std::vector<std::string> types = words_of(family, "types");
    const std::string key = word_of(family, "when");
    return std::find(types.begin(), types.end(), type) != types.end() &&
           (key.empty() || truth_in(checkpoint.config, key, false));
  });
  if (row == families().end()) {
    std::vector<std::string> known;
    for (const Sentences& family : families()) {
      for (const std::string& one : words_of(family, "types")) {
        const bool fits = (one.rfind(of_gguf, 0) == 0) == is_gguf && family.count("internal") == 0;
        const bool is_new = std::find(known.begin(), known.end(), one) == known.end();
        if (fits && is_new) known.push_back(is_gguf ? one.substr(of_gguf.size()) : one);
      }
    }
    refuse_file(
        checkpoint.place,
        type.empty() ? Text{"\"model_type\" がありません", "it has no \"model_type\""}
                     : text("{} {} のモデルは計算できません", "the {} {} is not known",
                            is_gguf ? "general.architecture" : "model_type",
                            quotation(is_gguf ? type.substr(of_gguf.size()) : type)),
        text("読めるのは {} です{}", "known are {}{}", joined(known, ", "), or_one_layer(checkpoint)));
  }
  const StoredConfig stored(checkpoint.config, checkpoint.place);
  KnownFamily known;
  known.architecture = architecture_of(stored, type, *row);
  known.architecture.unknown_keys = unknown_keys(checkpoint, words_of(*row, "keys"));
  known.names.prefix = word_of(*row, "prefix");
  known.names.layer = word_of(*row, "layer");
  known.names.harmless = words_of(*row, "without");
  for (const auto& [key, name] : *row) known.names.of[key] = name.en();
  if (known.architecture.is_tied)  // a training may have untied them and said so nowhere
    known.architecture.is_tied = !TensorIndex(checkpoint, known.names).has_separate_head(known.names);
  return known;
}

std::size_t Architecture::window_of(std::size_t layer) const {
  return has_window.empty() || has_window[layer] ? window : 0;
}

const ModelRotary* Architecture::rotary_of(std::size_t layer) const {
  if (!rotary || (!turns.empty() && !turns[layer])) return nullptr;
  return window_rotary && window_of(layer) > 0 ? &*window_rotary : &*rotary;
}

std::string bias_name(const std::string& weight) { return weight.substr(0, weight.rfind("weight")) + "bias"; }

TensorIndex::TensorIndex(const Checkpoint& checkpoint, const TensorNames& names) : prefix_(names.prefix) {
  for (const StoredTensor& tensor : checkpoint.tensors) by_name_[tensor.name] = &tensor;
}

const StoredTensor* TensorIndex::find(const std::string& name) const {
  if (name.empty()) return nullptr;
  const std::size_t end = name.rfind('.') + 1;
  const std::string old = name.substr(0, end) + (name.substr(end) == "bias" ? "beta" : "gamma");
  for (const std::string& one : {name, prefix_ + name, old, prefix_ + old}) {
    const auto found = by_name_.find(one);
    if (found != by_name_.end()) return found->second;
  }
  return nullptr;
}

bool TensorIndex::has_separate_head(const TensorNames& names) const {
  const StoredTensor* const head = find(names.name_of("head", std::nullopt));
  const StoredTensor* const embedding = find(names.name_of("embedding", std::nullopt));
  if (head == nullptr || embedding == nullptr) return false;
  const SharedBytes own = head->bytes();
  const SharedBytes other = embedding->bytes();
  return head->encoding.type != embedding->encoding.type ||
         (own.view.data() != other.view.data() && own.view != other.view);
}

std::string TensorNames::name_of(const std::string& role, std::optional<std::size_t> number_of_layer) const {
  const auto found = of.find(role);
  if (found == of.end() || found->second.empty()) return "";
  return (number_of_layer ? fmt::format(fmt::runtime(layer), *number_of_layer) : "") + found->second;
}

bool TensorNames::lists(const std::string& key, const std::string& type) const {
  const std::vector<std::string> types = split(name_of(key, std::nullopt), "|");
  return std::find(types.begin(), types.end(), type) != types.end();
}

RotaryTurns rotary_turns(const ModelRotary& rotary, std::size_t length) {
  RotaryTurns turns = rotary_turns(rotary.base, rotary.width, length, rotary.scaling);
  for (std::size_t pair = 0; pair < rotary.factors.size(); ++pair)
    turns.frequencies[pair] /= rotary.factors[pair];
  return turns;
}

}  // namespace attnlab
