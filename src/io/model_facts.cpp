#include "io/model_facts.hpp"

#include <filesystem>

#include "core/utf8.hpp"
#include "io/formats.hpp"

namespace attnlab {
namespace {

using AnyJson = nlohmann::json;

constexpr JsonLimits config_limits{std::size_t{1} << 20U, std::size_t{1} << 16U};
constexpr std::array head_keys{"num_attention_heads",     "n_head",       "n_heads",        "num_heads",
                               "encoder_attention_heads", "n_embd_heads", "attention_heads"};
constexpr std::array kv_head_keys{"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv"};

/// Of each list of keys the first with a number above 0.
ModelFacts heads_in(const AnyJson& numbers, const std::string& source) {
  const auto first_of = [&](const auto& keys) -> std::size_t {
    for (const char* key : keys) {
      const AnyJson number = numbers.is_object() ? numbers.value(key, AnyJson()) : AnyJson();
      if (number.is_number_unsigned() && number > 0) return number.get<std::size_t>();
    }
    return 0;
  };
  const std::size_t heads = first_of(head_keys);
  if (heads == 0) return {};
  return {source, heads, first_of(kv_head_keys), {}};
}

/// config.json in the file's folder; null without one.
AnyJson config_beside(const TensorFile& file) {
  const std::filesystem::path config = std::filesystem::path(file.name).parent_path() / "config.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(config, ignored)) return {};
  const SharedBytes bytes = bytes_of(config.string());
  check_json_text(bytes.view, config_limits, 0, config.string());
  AnyJson json = AnyJson::parse(bytes.view.begin(), bytes.view.end());
  return json.is_object() ? json : AnyJson();
}

std::string word_in(const AnyJson& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

/// The first of the keys with a number above 0; else 0.
double number_in(const AnyJson& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (json.contains(key) && json[key].is_number() && json[key].get<double>() > 0.0)
      return json[key].get<double>();
  }
  return 0.0;
}

/// What makes it a rotation that is not known: "rope_scaling (mrope)".
std::string unknown_rotation(const AnyJson& config, const RotaryConfig& scaling) {
  std::string name = scaling.type.empty() ? scaling.key : fmt::format("{} ({})", scaling.key, scaling.type);
  if (!scaling.is_known) return name;
  if (!scaling.missing.empty()) return fmt::format("{} without {}", name, scaling.missing);
  for (const char* key :
       {"rope_local_base_freq", "local_rope_theta", "no_rope_layers", "no_rope_layer_interval"}) {
    if (config.contains(key) && !config[key].is_null()) return key;  // not every layer turns alike
  }
  for (const char* key : {"rotary_dim", "partial_rotary_factor", "rotary_pct"}) {  // how much of a head turns
    const AnyJson much = config.value(key, AnyJson());
    const bool is_share = much.is_number() && much > 0.0 && much <= 1.0;
    const bool fits = key == std::string_view("rotary_dim") ? much.is_number_unsigned() : is_share;
    if (!much.is_null() && !fits) return much.is_number() ? fmt::format("{} = {}", key, much.dump()) : key;
  }
  return "";
}

RotaryFacts rotary_in(const AnyJson& config) {
  RotaryFacts facts;
  if (!config.is_object() || (config.contains("alibi") && config["alibi"] == true)) return facts;
  AnyJson all = config;
  if (config.contains("rope_parameters") && config["rope_parameters"].is_object())
    all.update(config["rope_parameters"]);
  facts.model = word_in(config, "model_type");
  if (const double base = number_in(all, {"rope_theta", "rotary_emb_base"}); base > 0.0) facts.base = base;
  if (const AnyJson width = all.value("rotary_dim", AnyJson()); width.is_number_unsigned())
    facts.width = width.get<std::size_t>();
  facts.part = number_in(all, {"partial_rotary_factor", "rotary_pct"});
  const RotaryConfig scaling = rotary_config(config);
  facts.scaling = scaling.scaling;
  facts.rescaled = unknown_rotation(all, scaling);
  facts.recorded =
      facts.base || facts.width > 0 || facts.part > 0.0 || !scaling.key.empty() || !facts.rescaled.empty();
  return facts;
}

/// Of a model that attnlab trained with rotary positions.
std::optional<RotaryFacts> learned_rotary(const TensorFile& file) {
  const auto settings = file.metadata.find("settings");
  if (settings == file.metadata.end()) return std::nullopt;
  const AnyJson typed = AnyJson::parse(settings->second, nullptr, false);
  if (!typed.is_object() || word_in(typed, "positions") != "rotary") return std::nullopt;
  RotaryFacts facts;
  facts.source = "metadata";
  facts.model = "attnlab";
  return facts;
}

}  // namespace

ModelFacts facts_in(const nlohmann::json& config) {
  ModelFacts facts = heads_in(config, "config.json");
  facts.rotary = rotary_in(config);
  return facts;
}

ModelFacts model_facts(const TensorFile& file) {
  AnyJson numbers = AnyJson::object();
  for (const auto& [key, word] : file.metadata) {
    if (const auto number = number_from<std::size_t>(word)) numbers[key] = *number;
  }
  const ModelFacts beside = facts_in(config_beside(file));
  ModelFacts facts = heads_in(numbers, "metadata");
  if (facts.heads == 0) facts = beside;
  facts.rotary = learned_rotary(file).value_or(beside.rotary);
  return facts;
}

}  // namespace attnlab
