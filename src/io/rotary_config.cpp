// Every way that Hugging Face's modeling_rope_utils.py knows, and what it reads for each.
#include "io/rotary_config.hpp"

namespace attnlab {
namespace {

using RopeJson = nlohmann::json;

/// A number above 0, or 0.
double above_0(const RopeJson& json, const char* key) {
  const auto found = json.find(key);
  const double number = found != json.end() && found->is_number() ? found->get<double>() : 0.0;
  return std::isfinite(number) && number > 0.0 ? number : 0.0;
}

void take(double& number, const RopeJson& json, const char* key) {
  if (const double found = above_0(json, key); found > 0.0) number = found;
}

/// A list of numbers above 0; empty for anything else.
std::vector<double> list_in(const RopeJson& json, const char* key) {
  std::vector<double> numbers;
  if (!json.contains(key) || !json[key].is_array()) return numbers;
  for (const RopeJson& number : json[key]) {
    if (!number.is_number() || !(number.get<double>() > 0.0)) return {};
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

/// How much longer the context is than the one trained on: Phi-3 says it by two lengths.
double growth_of(const RopeJson& config, const RopeJson& scaling, double positions) {
  const double given = above_0(scaling, "factor");
  const double longest = above_0(config, "max_position_embeddings");
  if (given > 0.0 && !config.contains("original_max_position_embeddings")) return given;
  return longest > 0.0 && positions > 0.0 ? longest / positions : 1.0;
}

/// The keys that a type needs; nothing for one that is not known.
std::optional<std::vector<const char*>> needed_by(const std::string& type) {
  if (type == "linear" || type == "dynamic" || type == "yarn") return std::vector<const char*>{"factor"};
  if (type == "longrope") return std::vector<const char*>{};
  if (type == "llama3")
    return std::vector<const char*>{"factor", "low_freq_factor", "high_freq_factor",
                                    "original_max_position_embeddings"};
  return std::nullopt;
}

std::string missing_in(const RopeJson& scaling, const RotaryScaling& found,
                       const std::vector<const char*>& needed) {
  for (const char* key : needed)
    if (above_0(scaling, key) == 0.0) return key;
  if (found.method == "longrope" && found.short_factors.empty()) return "short_factor";
  if (found.method == "longrope" && found.long_factors.empty()) return "long_factor";
  if (found.method != "linear" && found.positions == 0.0) return "original_max_position_embeddings";
  return "";
}

}  // namespace

RotaryConfig rotary_config(const nlohmann::json& config) {
  RotaryConfig result;
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (!config.contains(key) || !config[key].is_object()) continue;
    const RopeJson& scaling = config[key];
    const RopeJson& word =
        scaling.contains("rope_type") ? scaling["rope_type"] : scaling.value("type", RopeJson());
    const std::string type = word.is_string() ? word.get<std::string>() : "";
    if (type == "default" || (type.empty() && !scaling.contains("factor"))) continue;
    RotaryScaling& found = result.scaling;
    result.key = key;
    result.type = type;
    found.method = type == "su" ? "longrope" : type;  // Phi-3's first name for it
    const auto needed = needed_by(found.method);
    result.is_known = needed.has_value();
    if (!result.is_known) return result;
    for (const RopeJson* from : {&scaling, &config})
      if (found.positions == 0.0) found.positions = above_0(*from, "original_max_position_embeddings");
    if (found.positions == 0.0) found.positions = above_0(config, "max_position_embeddings");
    found.factor =
        found.method == "longrope" ? growth_of(config, scaling, found.positions) : above_0(scaling, "factor");
    take(found.low, scaling, "low_freq_factor");
    take(found.high, scaling, "high_freq_factor");
    take(found.beta_slow, scaling, "beta_slow");
    take(found.beta_fast, scaling, "beta_fast");
    take(found.mscale, scaling, "mscale");
    take(found.mscale_all, scaling, "mscale_all_dim");
    if (const double given = above_0(scaling, "attention_factor"); given > 0.0) found.attention = given;
    found.truncate = !scaling.contains("truncate") || scaling["truncate"] != false;
    found.short_factors = list_in(scaling, "short_factor");
    found.long_factors = list_in(scaling, "long_factor");
    result.missing = missing_in(scaling, found, *needed);
    return result;
  }
  return result;
}

}  // namespace attnlab
