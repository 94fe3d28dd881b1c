#include "attnlab/output/defaults.hpp"
#include "attnlab/output/look_flags.hpp"
#include "core/similar_words.hpp"

#include <toml++/toml.h>

#include "core/named.hpp"
#include "core/utf8.hpp"
#include "io/file_bytes.hpp"
#include "products/look.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_of_file = "attnlab.toml";

/// In this folder or above it.
std::optional<fs::path> nearest_file() {
  std::error_code failed;
  for (fs::path folder = fs::current_path(failed); !failed; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / name_of_file, failed)) return folder / name_of_file;
    failed.clear();  // a folder that may not be looked into holds none for us
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

std::optional<fs::path> own_file() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  const bool has_config = config != nullptr && *config == '/';
  if (!has_config && (home == nullptr || *home == '\0')) return std::nullopt;
  const fs::path file =
      (has_config ? fs::path(config) : fs::path(home) / ".config") / "attnlab" / name_of_file;
  std::error_code failed;
  return fs::is_regular_file(file, failed) ? std::optional<fs::path>(file) : std::nullopt;
}

/// The command that a file of defaults would be, were it typed.
Command command_of_defaults() {
  Command command;
  command.name = name_of_file;
  command.groups = {general_group(),
                    {{"図", "Figures"}, look_flags()},
                    {{"モデル", "Model"}, {flag("model", "MODEL", "", "")}}};
  return command;
}

std::string default_text(const toml::node& node) {
  if (const auto text = node.value<std::string>()) return *text;
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  return fmt::format("{}", node.value<double>().value_or(0.0));
}

/// "preset = ..." as --preset would be typed; a switch that is true as itself.
std::vector<std::string> default_words(const std::string& key, const toml::node& node,
                                       const Command& command) {
  const Flag* flag = find_flag(command, key);
  std::vector<std::string> keys = names_of(flags_of(command));
  keys.erase(std::remove(keys.begin(), keys.end(), "help"), keys.end());
  if (flag == nullptr || key == "help")
    refuse_usage(text("{} という既定値はありません", "there is no default {}", quotation(key)),
                 suggestion_or(key, keys, choose_from(keys)));
  if (node.is_table() || node.is_array())
    refuse_usage(text("{} の値は 1 つの語か数です", "{} takes one word or number", key),
                 text("例：{} = \"...\"", "for example {} = \"...\"", key));
  const std::string value = default_text(node);
  if (flag->takes != Flag::Takes::nothing) return {"--" + key + "=" + value};
  return value == "true" ? std::vector<std::string>{"--" + key} : std::vector<std::string>{};
}

std::map<std::string, std::string> read_defaults_file(const fs::path& file) {
  const Command command = command_of_defaults();
  std::vector<std::string> words{command.name};
  try {
    for (const auto& [key, node] : toml::parse(bytes_of(file.string()).view, file.string())) {
      for (std::string& word : default_words(std::string(key.str()), node, command))
        words.push_back(std::move(word));
    }
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    refuse_usage(text("TOML として読めません（{} 行目）", "not TOML in line {}", line),
                 {"例：preset = \"slide-16x9\"", "for example: preset = \"slide-16x9\""});
  }
  const ParsedCommand parsed = parse_command_line(words, {command});
  parsed.checked("lang");
  read_look(parsed, Language::en);
  std::map<std::string, std::string> values;
  for (const auto& [name, all] : parsed.values) values[name] = all.front();
  return values;
}

}  // namespace

Defaults read_defaults() {
  Defaults defaults;
  for (const std::optional<fs::path>& file : {nearest_file(), own_file()}) {
    if (!file || (!defaults.files.empty() && *file == defaults.files.front())) continue;
    try {
      defaults.values.merge(read_defaults_file(*file));
      defaults.files.push_back(*file);
    } catch (const Error& error) {
      defaults.fault = error.at(printable(file->string()));
      return defaults;
    }
  }
  return defaults;
}

std::optional<Language> language_of(const Defaults& defaults) {
  const auto found = defaults.values.find("lang");
  return found == defaults.values.end() ? std::nullopt : language_named(found->second);
}

void take_defaults(const Defaults& defaults, ParsedCommand& parsed) {
  const bool shows_model = parsed.command.name == "model" || parsed.command.name == "generation";
  if (parsed.command.name == "model" && parsed.values.empty()) return;  // lists those that come along
  for (const auto& [name, value] : defaults.values) {
    if (parsed.given(name) || find_flag(parsed.command, name) == nullptr || name == "lang") continue;
    if (name == "model" && !shows_model) continue;
    parsed.values[name] = {value};
    try {
      refuse_exclusions(parsed);
    } catch (const Error&) {
      parsed.values.erase(name);
    }
  }
}

}  // namespace attnlab
