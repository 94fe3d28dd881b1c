#include "lecture/manifest_nodes.hpp"

#include <cctype>

#include "core/utf8.hpp"

namespace attnlab {

std::string ManifestNodes::place(const toml::node& node) const {
  return fmt::format("{}:{}", file_, node.source().begin.line);
}

void ManifestNodes::refuse_syntax(const toml::parse_error& error) const {
  const std::string place = fmt::format("{}:{}", file_, error.source().begin.line);
  const std::string reason(error.description());
  throw Error(ErrorKind::failed,
              {place + " は TOML として読めません（" + reason + "）", place + " is no TOML: " + reason},
              {"文字列は引用符で囲み、表は [[section]] のように書きます",
               "strings need quotes, tables look like [[section]]"});
}

void ManifestNodes::check_depth(std::string_view toml) const {
  constexpr std::ptrdiff_t deepest = 1000;
  std::size_t number = 0;
  for (const std::string& line : split(toml, "\n")) {
    ++number;
    if (std::count(line.begin(), line.end(), '.') <= deepest) continue;
    refuse(number,
           attnlab::text("この行には点が {} 個より多くあります", "this line has more than {} dots", deepest),
           {"表の入れ子は 3 段までです", "tables are nested three deep at most"});
  }
}

void ManifestNodes::refuse(const toml::node& node, const Text& problem, const Text& hint) const {
  refuse(node.source().begin.line, problem, hint);
}

void ManifestNodes::refuse(std::size_t number, const Text& problem, const Text& hint) const {
  const std::string place = fmt::format("{}:{}: ", file_, number);
  throw Error(ErrorKind::failed, {place + problem.ja(), place + problem.en()}, hint);
}

void ManifestNodes::check_keys(const toml::table& table, const ManifestKeys& known) const {
  for (const auto& [key, value] : table) {
    const std::string_view name = key.str();
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    refuse(value, attnlab::text("{} という項目はありません", "there is no key {}", quotation(name)),
           known.empty() ? Text{"ここに項目は要りません", "nothing stands here"}
                         : attnlab::text("使えるのは {} です", "choose from {}", fmt::join(known, ", ")));
  }
}

const toml::node& ManifestNodes::required(const toml::table& table, std::string_view key) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    refuse(table, attnlab::text("{} がありません", "{} is missing", key),
           attnlab::text("{} を書いてください", "write its {}", key));
  }
  return *node;
}

std::string ManifestNodes::word(const toml::node& node, std::string_view key) const {
  const std::optional<std::string> value = node.value_exact<std::string>();
  if (value && decode_utf8(*value)) return *value;
  refuse(node, attnlab::text("{} は文字列で書きます", "{} must be a string", key),
         attnlab::text("例：{} = \"…\"", "for example {} = \"...\"", key));
}

std::string ManifestNodes::optional_word(const toml::table& table, std::string_view key) const {
  const toml::node* node = table.get(key);
  return node == nullptr ? "" : word(*node, key);
}

std::string ManifestNodes::file_stem(const toml::table& table, std::string_view key) const {
  constexpr std::size_t longest = 100;
  std::string stem = optional_word(table, key);
  const bool is_plain = std::all_of(stem.begin(), stem.end(), [](unsigned char letter) {
    return letter == '-' || letter == '_' || (letter < 0x80 && std::isalnum(letter) != 0);
  });
  if (is_plain && stem.size() <= longest) return stem;
  refuse(*table.get(key),
         attnlab::text("{} {} はファイル名に使えません", "the {} {} cannot be that of files", key,
                       quotation(stem)),
         attnlab::text("英数字と - と _ を {} 字まで使えます",
                       "use up to {} of a to z, A to Z, 0 to 9, - and _", longest));
}

std::vector<std::string> ManifestNodes::words(const toml::table& table, std::string_view key) const {
  std::vector<std::string> found;
  const toml::node* node = table.get(key);
  if (node == nullptr) return found;
  if (node->is_string()) return {word(*node, key)};
  const toml::array* list = node->as_array();
  if (list == nullptr || list->empty()) {
    refuse(*node, attnlab::text("{} は文字列の並びで書きます", "{} must be a list of strings", key),
           attnlab::text("例：{} = [\"…\"]", "for example {} = [\"...\"]", key));
  }
  for (const toml::node& entry : *list) found.push_back(word(entry, key));
  return found;
}

std::string ManifestNodes::letters(const toml::node& node, std::string_view key, Lines lines) const {
  const std::u32string all = decode_utf8(word(node, key)).value_or(U"");
  std::string kept;
  for (const char32_t letter : all) {
    const bool is_space = letter == U' ' || letter == U'\t' || letter == U'\n' || letter == U'\r';
    if (!is_space && is_control(letter)) {
      refuse(node, attnlab::text("{} に制御文字があります", "{} has a control character", key),
             {"文字だけで書いてください", "use letters, marks and spaces alone"});
    }
    if (!is_space || lines == Lines::several) {
      kept += encode_utf8(letter);
    } else if (!kept.empty() && kept.back() != ' ') {
      kept += ' ';
    }
  }
  if (!kept.empty() && kept.back() == ' ') kept.pop_back();
  const std::size_t longest = lines == Lines::one ? 2000 : 20000;
  if (all.size() > longest) {
    refuse(node, attnlab::text("{} が {} 字あります", "{} has {} characters", key, all.size()),
           attnlab::text("{} 字までにしてください", "write {} at most", longest));
  }
  return kept;
}

/// Both languages, or one string for both.
Text ManifestNodes::both(const toml::node& node, std::string_view key, Lines lines) const {
  if (node.is_string()) return Text::same(letters(node, key, lines));
  const toml::table* both = node.as_table();
  if (both == nullptr || both->get("ja") == nullptr || both->get("en") == nullptr) {
    refuse(node, attnlab::text("{} には日本語と英語が要ります", "{} needs ja and en", key),
           attnlab::text("例：{} = {{ ja = \"…\", en = \"…\" }}",
                         "for example {} = {{ ja = \"...\", en = \"...\" }}", key));
  }
  check_keys(*both, {"ja", "en"});
  return {letters(*both->get("ja"), "ja", lines), letters(*both->get("en"), "en", lines)};
}

Text ManifestNodes::text(const toml::node& node, std::string_view key) const {
  return both(node, key, Lines::one);
}

Text ManifestNodes::paragraphs(const toml::node& node, std::string_view key) const {
  Text text = both(node, key, Lines::several);
  if (trimmed(text.ja(), " \t\n\r").empty() || trimmed(text.en(), " \t\n\r").empty()) {
    refuse(node, attnlab::text("{} が空です", "{} is empty", key),
           {"文を書いてください", "write a sentence or more"});
  }
  return text;
}

std::vector<std::string> ManifestNodes::choices(const toml::table& table, std::string_view key,
                                                const ManifestKeys& known) const {
  std::vector<std::string> chosen;
  const toml::node* node = table.get(key);
  if (node == nullptr) return chosen;
  const toml::array* list = node->as_array();
  if (list == nullptr || list->empty()) {
    refuse(*node,
           attnlab::text("{} は [\"{}\"] のような並びで書きます", "{} must be a list such as [\"{}\"]", key,
                         known.front()),
           attnlab::text("選べるのは {} です", "choose from {}", fmt::join(known, ", ")));
  }
  for (const toml::node& entry : *list) {
    const std::string name = word(entry, key);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      refuse(entry, attnlab::text("{} に {} は使えません", "{} cannot have {}", key, quotation(name)),
             attnlab::text("選べるのは {} です", "choose from {}", fmt::join(known, ", ")));
    }
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

std::string ManifestNodes::choice(const toml::table& table, std::string_view key,
                                  const ManifestKeys& known) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::string(known.front());
  std::string name = word(*node, key);
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  refuse(*node, attnlab::text("{} に {} は使えません", "{} cannot be {}", key, quotation(name)),
         attnlab::text("選べるのは {} です", "choose from {}", fmt::join(known, ", ")));
}

std::string ManifestNodes::flag_text(const toml::node& node) const {
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
  if (const auto value = node.value_exact<double>()) return fmt::format("{}", *value);
  if (const auto value = node.value_exact<bool>()) return *value ? "on" : "off";
  if (const toml::array* list = node.as_array()) {
    std::vector<std::string> items;
    for (const toml::node& item : *list) items.push_back(flag_text(item));
    return joined(items, ",");
  }
  refuse(node, {"値として読めません", "this is no value for a flag"},
         {"数、文字列、true、またはそれらの並びを書いてください",
          "use a number, a string, true, or a list of them"});
}

FlagTexts ManifestNodes::flags(const toml::table& table, std::string_view key) const {
  FlagTexts found;
  const toml::node* node = table.get(key);
  if (node == nullptr) return found;
  const toml::table* entries = node->as_table();
  if (entries == nullptr) {
    refuse(*node, attnlab::text("{} は表で書きます", "{} must be a table", key),
           attnlab::text("例：{} = {{ seed = 7 }}", "for example {} = {{ seed = 7 }}", key));
  }
  for (const auto& [name, value] : *entries) found[std::string(name.str())] = flag_text(value);
  return found;
}

std::vector<const toml::table*> ManifestNodes::tables(const toml::table& table, std::string_view key) const {
  std::vector<const toml::table*> found;
  const toml::node* node = table.get(key);
  if (node == nullptr) return found;
  const toml::array* list = node->as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const toml::table* entry = list->get(i)->as_table()) found.push_back(entry);
  }
  if (list == nullptr || found.size() != list->size()) {
    refuse(*node, attnlab::text("{} は [[…]] の表で書きます", "{} must be tables", key),
           attnlab::text("例：[[{}]]", "for example [[{}]]", key));
  }
  return found;
}

}  // namespace attnlab
