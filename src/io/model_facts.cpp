#include "io/model_facts.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/utf8.hpp"
#include "io/formats.hpp"

namespace attnlab {
namespace {

using AnyJson = nlohmann::json;

constexpr JsonLimits config_limits{std::size_t{1} << 20U, std::size_t{1} << 16U};
constexpr std::array head_keys{"num_attention_heads",     "n_head",       "n_heads",        "num_heads",
                               "encoder_attention_heads", "n_embd_heads", "attention_heads"};
constexpr std::array kv_head_keys{"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv"};

/// The first of the keys that tells a number above 0; else 0.
template <class Keys, class Tell>
std::size_t first_number(const Keys& keys, Tell tell) {
  for (const char* key : keys) {
    if (const std::optional<std::size_t> number = tell(key); number && *number > 0) return *number;
  }
  return 0;
}

template <class Tell>
ModelFacts facts_of(const std::string& source, Tell tell) {
  const std::size_t heads = first_number(head_keys, tell);
  if (heads == 0) return {};
  return {source, heads, first_number(kv_head_keys, tell)};
}

}  // namespace

ModelFacts model_facts(const TensorFile& file) {
  ModelFacts of_metadata = facts_of("metadata", [&](const char* key) -> std::optional<std::size_t> {
    const auto word = file.metadata.find(key);
    return word == file.metadata.end() ? std::nullopt : number_from<std::size_t>(word->second);
  });
  if (of_metadata.heads != 0) return of_metadata;
  const std::filesystem::path config = std::filesystem::path(file.name).parent_path() / "config.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(config, ignored)) return {};
  const SharedBytes bytes = bytes_of(config.string());
  check_json_text(bytes.view, config_limits, 0, config.string());
  const AnyJson json = AnyJson::parse(bytes.view.begin(), bytes.view.end());
  return facts_of("config.json", [&](const char* key) -> std::optional<std::size_t> {
    if (!json.is_object()) return std::nullopt;
    const auto value = json.find(key);
    if (value == json.end() || !value->is_number_unsigned()) return std::nullopt;
    return value->get<std::size_t>();
  });
}

}  // namespace attnlab
