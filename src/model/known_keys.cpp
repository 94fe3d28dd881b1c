// Keys of a configuration that nothing here reads: told of, or refused where they make it another
// computation.
#include "core/sentences.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/families.hpp"

namespace attnlab {
namespace {

struct KnownKey {
  enum class Needs { anything, off, on };
  Needs needs = Needs::anything;
  std::string or_as = {};  // what it may be besides off
};

const std::map<std::string, KnownKey>& known_keys() {
  static const std::map<std::string, KnownKey> all = [] {
    std::map<std::string, KnownKey> keys;
    const EmbeddedFile& file = *find_file(model_text_files(), "keys.toml");
    for (const auto& [section, needs] :
         {std::pair{"changing", KnownKey::Needs::off}, std::pair{"needed", KnownKey::Needs::on},
          std::pair{"known", KnownKey::Needs::anything}}) {
      for (const Sentences& row : read_sentences(file, section)) {
        for (const std::string& key : words_of(row, "keys")) keys[key] = {needs, word_of(row, "as")};
      }
    }
    return keys;
  }();
  return all;
}

bool is_off(const Config& value) {
  return value.is_null() || value == false || value == 0 ||
         (value.is_string() && value.get_ref<const std::string&>().empty()) ||
         (value.is_structured() && value.empty());
}

/// Whether it is off, or as `neutral` says: "1" is 1.0, too.
bool is_neutral(const Config& value, const std::string& neutral) {
  if (is_off(value)) return true;
  if (value.is_array()) {
    return std::all_of(value.begin(), value.end(),
                       [&](const Config& one) { return is_neutral(one, neutral); });
  }
  if (value.is_string()) return value.get<std::string>() == neutral;
  return value.is_number() && number_from<double>(neutral) == value.get<double>();
}

/// Whether this computation is the one of a model with that value.
bool is_computed(const KnownKey& known, const Config& value) {
  if (known.needs == KnownKey::Needs::on) return value != false;
  return known.needs == KnownKey::Needs::anything || is_neutral(value, known.or_as);
}

/// "key = value", in short.
std::string shown(const std::string& key, const Config& value) {
  constexpr std::size_t longest = 40;
  const std::string text = value.dump(-1, ' ', false, Config::error_handler_t::replace);
  return printable(key) + " = " + printable(text.size() > longest ? text.substr(0, longest) + "..." : text);
}

}  // namespace

std::vector<std::string> unknown_keys(const Checkpoint& checkpoint, const std::vector<std::string>& read) {
  std::vector<std::string> unknown;
  const std::string type = word_in(checkpoint.config, "model_type");
  const std::string family =
      type.rfind("gguf ", 0) == 0 ? type.substr(5) + "." : "_";  // _ is a library's own
  for (const auto& [key, value] : checkpoint.config.items()) {
    const bool has_family = key.rfind(family, 0) == 0;
    const bool is_own = has_family && family == "_";
    if (std::find(read.begin(), read.end(), key) != read.end()) continue;
    const auto known = known_keys().find(has_family && !is_own ? key.substr(family.size()) : key);
    if (known == known_keys().end()) {
      if (!is_off(value) && !is_own) unknown.push_back(shown(key, value));
    } else if (!is_computed(known->second, value)) {
      refuse_file(
          checkpoint.place,
          text("{} のモデルは計算できません", "a model with {} cannot be computed here", shown(key, value)),
          {"設定を書き換えず、別のモデルを使ってください",
           "use another model rather than changing its configuration"});
    }
  }
  return unknown;
}

}  // namespace attnlab
