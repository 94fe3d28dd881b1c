#include "attnlab/output/defaults.hpp"

#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include "attnlab/output/figure_flags.hpp"
#include "attnlab/output/look_flags.hpp"
#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"
#include "io/file_bytes.hpp"
#include "products/look.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_of_file = "attnlab.toml";

/// Whether only this user, or root, can have written what stands there: the file, a link to it, and its
/// folder are theirs, and no other user may write the file.
bool is_trusted(const fs::path& file) {
  struct stat found {};
  const auto is_ours = [&] { return found.st_uid == ::geteuid() || found.st_uid == 0; };
  if (::lstat(file.parent_path().c_str(), &found) != 0 || !is_ours()) return false;
  if (::lstat(file.c_str(), &found) != 0 || !is_ours()) return false;
  return ::stat(file.c_str(), &found) == 0 && is_ours() && (found.st_mode & S_IWOTH) == 0;
}

bool is_home(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  std::error_code failed;
  return home != nullptr && *home != '\0' && fs::equivalent(folder, home, failed);
}

/// Where it is there; nothing, and a note, where another user may have written it.
std::optional<fs::path> trusted_file(const fs::path& file, std::vector<Text>& notes) {
  std::error_code failed;  // a folder that may not be looked into holds none for us
  if (!fs::is_regular_file(file, failed)) return std::nullopt;
  if (is_trusted(file)) return file;
  notes.push_back(
      text("{} はほかの利用者が書けるので使いません（自分のものなら chown か chmod o-w を）",
           "{} is passed over: another user may have written it (chown or chmod o-w makes it yours)",
           quotation(file.string())));
  return std::nullopt;
}

/// In this folder, or the nearest one above it, up to the home folder.
std::optional<fs::path> nearest_file(std::vector<Text>& notes) {
  std::error_code failed;
  for (fs::path folder = fs::current_path(failed); !failed; folder = folder.parent_path()) {
    if (std::optional<fs::path> file = trusted_file(folder / name_of_file, notes)) return file;
    if (folder == folder.parent_path() || is_home(folder)) break;
  }
  return std::nullopt;
}

std::optional<fs::path> user_file(std::vector<Text>& notes) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  const bool has_config = config != nullptr && *config == '/';
  if (!has_config && (home == nullptr || *home == '\0')) return std::nullopt;
  const fs::path folder = has_config ? fs::path(config) : fs::path(home) / ".config";
  return trusted_file(folder / "attnlab" / name_of_file, notes);
}

/// The command that a file of defaults would be, were it typed.
Command command_of_defaults() {
  Command command;
  command.name = name_of_file;
  command.groups = {{{"全般", "General"}, {flag("lang", ChoiceKind{{"ja", "en"}})}},
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

/// A key of another version, or a slip, does not stop every command.
Text unknown_note(const fs::path& file, const std::string& key, const Command& command) {
  const std::vector<std::string> keys = names_of(flags_of(command));
  const Text hint = suggestion_or(key, keys, choose_from(keys));
  return text("{}：{} という既定値はないので使いません（{}）",
              "{}: there is no default {}, it is passed over ({})", printable(file.string()), quotation(key),
              hint);
}

/// "preset = ..." as --preset would be typed; a switch that is true as itself.
std::vector<std::string> default_words(const std::string& key, const toml::node& node,
                                       const Command& command) {
  const Flag* flag = find_flag(command, key);
  if (node.is_table() || node.is_array())
    refuse_usage(text("{} の値は 1 つの語か数です", "{} takes one word or number", key),
                 text("例：{} = \"...\"", "for example {} = \"...\"", key));
  const std::string value = default_text(node);
  if (flag->takes != Flag::Takes::nothing) return {"--" + key + "=" + value};
  return value == "true" ? std::vector<std::string>{"--" + key} : std::vector<std::string>{};
}

std::map<std::string, std::string> read_defaults_file(const fs::path& file, std::vector<Text>& notes) {
  const Command command = command_of_defaults();
  std::vector<std::string> words{command.name};
  try {
    for (const auto& [name, node] : toml::parse(bytes_of(file.string()).view, file.string())) {
      const std::string key(name.str());
      if (find_flag(command, key) == nullptr) {
        notes.push_back(unknown_note(file, key, command));
        continue;
      }
      for (std::string& word : default_words(key, node, command)) words.push_back(std::move(word));
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

/// Whether nothing that was typed excludes the default that has joined it, or has no use for it.
bool goes_together(const ParsedCommand& parsed) {
  try {
    refuse_exclusions(parsed);
    if (find_flag(parsed.command, "format") == nullptr) return true;
    check_format_flags(parsed, read_output(parsed, typed_files(parsed).figures));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Defaults read_defaults() {
  Defaults defaults;
  for (const std::optional<fs::path>& file : {nearest_file(defaults.notes), user_file(defaults.notes)}) {
    if (!file || (!defaults.files.empty() && *file == defaults.files.front())) continue;
    try {
      defaults.values.merge(read_defaults_file(*file, defaults.notes));
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
  const bool has_typed_page = parsed.is_set("preset");
  if (parsed.command.name == "model" && parsed.values.empty()) return;  // lists those that come along
  for (const auto& [name, value] : defaults.values) {
    if (parsed.is_set(name) || find_flag(parsed.command, name) == nullptr || name == "lang") continue;
    if ((name == "model" && !shows_model) || (name == "size" && has_typed_page)) continue;
    parsed.values[name] = {value};
    if (!goes_together(parsed)) parsed.values.erase(name);
  }
}

}  // namespace attnlab
