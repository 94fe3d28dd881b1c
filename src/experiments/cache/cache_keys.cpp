#include "experiments/cache/cache_keys.hpp"

#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

using StoredJson = nlohmann::json;

constexpr CacheKeys::Names layer_count_names{
    "num_hidden_layers",     "n_layer", "n_layers", "num_layers", "decoder_layers", "num_decoder_layers",
    "num_transformer_layers"};

bool counts_layers(const StoredJson& config) {
  return std::any_of(layer_count_names.begin(), layer_count_names.end(),
                     [&](const char* name) { return config.contains(name) && !config[name].is_null(); });
}

/// The object that describes the language model: it stands inside that of a model of pictures or sounds, or
/// of an encoder and a decoder.
StoredJson language_part(const StoredJson& whole) {
  for (const char* key :
       {"text_config", "language_config", "llm_config", "thinker_config", "text_model", "decoder"}) {
    if (!whole.contains(key) || !whole[key].is_object()) continue;
    StoredJson part = language_part(whole[key]);
    if (!counts_layers(part) && counts_layers(whole)) continue;
    for (const char* outer : {"model_type", "is_encoder_decoder"})
      if (!part.contains(outer) && whole.contains(outer)) part[outer] = whole[outer];
    return part;
  }
  return whole;
}

bool holds_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string shown_value(const StoredJson& value) {
  return quotation(value.dump(-1, ' ', true, StoredJson::error_handler_t::replace).substr(0, 40));
}

}  // namespace

const std::vector<Sentences>& cache_rows(const std::string& name) {
  static const std::map<std::string, std::vector<Sentences>> all = [] {
    std::map<std::string, std::vector<Sentences>> tables;
    for (const char* table : {"list", "numbers", "every", "stateful", "encoder", "parallel", "default",
                              "unread", "beside", "preset"})
      tables[table] = read_sentences(cache_files().front(), table);
    return tables;
  }();
  return all.at(name);
}

CacheKeys::CacheKeys(const std::string& json, std::string place) : place_(std::move(place)) {
  const StoredJson whole = StoredJson::parse(json, nullptr, false);
  if (!whole.is_object()) refuse({"JSON のオブジェクトではありません", "it is not a JSON object"});
  config_ = language_part(whole);
  const StoredJson* const type = stored("model_type");
  if (type != nullptr && type->is_string()) type_ = type->get<std::string>();
  for (const Sentences& row : cache_rows("default")) {
    if (!holds_word(words_of(row, "types"), type_)) continue;
    for (const auto& [key, value] : row)
      if (key != "types") defaults_[key] = StoredJson::parse(value.en());
  }
}

bool CacheKeys::is_listed(const char* rows) const {
  const std::vector<Sentences>& all = cache_rows(rows);
  return std::any_of(all.begin(), all.end(),
                     [&](const Sentences& row) { return holds_word(words_of(row, "types"), type_); });
}

const StoredJson* CacheKeys::stored(const std::string& key) const {
  const StoredJson* at = &config_;
  for (const std::string& part : split(key, ".")) {
    if (!at->is_object() || !at->contains(part)) return nullptr;
    at = &(*at)[part];
  }
  return at->is_null() ? nullptr : at;
}

const StoredJson* CacheKeys::find(const std::string& key) const {
  if (const StoredJson* const there = stored(key)) return there;
  if (config_.contains(key) || !defaults_.contains(key)) return nullptr;  // null stands there on purpose
  taken_.insert(fmt::format("{} = {}", key, defaults_[key].dump()));
  return &defaults_[key];
}

bool CacheKeys::is_on(const char* key) const {
  const StoredJson* const value = find(key);
  if (value == nullptr || value->is_boolean()) return value != nullptr && value->get<bool>();
  refuse(text("\"{}\" が {} です。true か false が必要です", "\"{}\" is {}; true or false is needed", key,
              shown_value(*value)));
}

std::size_t CacheKeys::number_in(const std::string& key, const StoredJson& value) const {
  constexpr std::size_t most = std::size_t{1} << 24U;
  if (value.is_number_unsigned() && value.get<std::size_t>() <= most) return value.get<std::size_t>();
  refuse(text("\"{}\" が {} です。0 から {} までの整数が必要です",
              "\"{}\" is {}; a whole number from 0 to {} is needed", key, shown_value(value), most));
}

std::optional<std::size_t> CacheKeys::whole(Names names) const {
  for (const auto look : {&CacheKeys::stored, &CacheKeys::find}) {  // a default comes last
    for (const char* name : names) {
      const StoredJson* const value = (this->*look)(name);
      if (value != nullptr && !value->is_array()) return number_in(name, *value);
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> CacheKeys::agreed(Names names) const {
  const std::optional<std::size_t> number = whole(names);
  const char* first = nullptr;
  for (const char* name : names) {
    const StoredJson* const value = stored(name);
    if (value == nullptr || value->is_array()) continue;
    if (first == nullptr) first = name;
    if (number_in(name, *value) == *number) continue;
    refuse(text("\"{}\" = {} と \"{}\" = {} が食い違っています", "\"{}\" = {} contradicts \"{}\" = {}", first,
                *number, name, number_in(name, *value)));
  }
  return number;
}

std::size_t CacheKeys::size(Names names) const {
  const std::optional<std::size_t> number = agreed(names);
  if (number && *number > 0) return *number;
  refuse_missing(names);
}

std::optional<std::vector<std::size_t>> CacheKeys::list(const std::string& key) const {
  const StoredJson* const value = find(key);
  if (value == nullptr || !value->is_array()) return std::nullopt;
  std::vector<std::size_t> numbers;
  for (const StoredJson& one : *value) numbers.push_back(number_in(key, one));
  return numbers;
}

std::optional<std::vector<std::string>> CacheKeys::words(const std::string& key) const {
  const StoredJson* const value = find(key);
  if (value == nullptr || !(value->is_array() || value->is_string())) return std::nullopt;
  std::vector<std::string> words;
  if (value->is_string()) {
    for (const char letter : value->get<std::string>()) words.emplace_back(1, letter);
    return words;
  }
  if (value->empty()) return std::nullopt;
  for (const StoredJson& one : *value) words.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  return words;
}

std::vector<std::string> CacheKeys::names() const {
  std::vector<std::string> names;
  for (const auto& [key, value] : config_.items())
    if (!value.is_null()) names.push_back(key);
  return names;
}

void CacheKeys::refuse(const Text& problem) const {
  refuse_usage(text("{}：{}", "{}: {}", place_, problem),
               {"モデルとともに公開された config.json を使ってください",
                "use the config.json that was published with the model"});
}

void CacheKeys::refuse_missing(Names names) const {
  const std::vector<std::string> all(names.begin(), names.end());
  refuse(text("0 より大きい \"{}\" がありません", "it has no \"{}\" above 0", joined(all, "\", \"")));
}

}  // namespace attnlab
