// Every refusal says what was typed and what to type instead.
#include "attnlab/refusals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "attnlab/suggestions.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// As messages call it.
std::string name_of(const Command& command) {
  return command.name.empty() ? "attnlab" : command.name;
}

/// As it is typed.
std::string full_name(const Command& command) {
  return command.name.empty() ? "attnlab" : "attnlab " + command.name;
}

/// "did you mean X?" before another hint, where there is a nearest name.
Text with_suggestion(const std::optional<std::string>& meant, const Text& hint) {
  if (!meant) return hint;
  return {fmt::format("{} のことですか。{}", *meant, hint.ja()),
          fmt::format("did you mean {}? {}", *meant, hint.en())};
}

std::vector<std::string> flag_names(const Command& command) {
  std::vector<std::string> names;
  for (const FlagGroup& group : command.groups) {
    for (const Flag& flag : group.flags) names.push_back(flag.name);
  }
  return names;
}

}  // namespace

void refuse(const Text& problem, const Text& hint) {
  throw Error(ErrorKind::usage, problem, hint);
}

Text see_help(const Command& command) {
  return {fmt::format("使い方は `{} --help` で確かめられます", full_name(command)),
          fmt::format("see `{} --help`", full_name(command))};
}

void refuse_missing_value(const Flag& flag) {
  const Text problem{fmt::format("--{} に値がありません", flag.name),
                     fmt::format("--{} needs a value", flag.name)};
  if (flag.default_text.in(Language::en).empty()) {
    const std::string form = "--" + flag.name + " " + flag.form;
    refuse(problem, {fmt::format("{} の形で指定してください", form), fmt::format("write {}", form)});
  }
  refuse(problem, {fmt::format("例：--{} {}", flag.name, flag.default_text.in(Language::ja)),
                   fmt::format("for example --{} {}", flag.name, flag.default_text.in(Language::en))});
}

void refuse_unknown_flag(const Command& command, const std::string& word) {
  const std::string typed = word.substr(0, word.find('='));
  const std::string bare = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  std::optional<std::string> meant = did_you_mean(bare, flag_names(command));
  if (meant) meant = "--" + *meant;
  refuse({fmt::format("{} に {} というオプションはありません", name_of(command), quotation(typed)),
          fmt::format("{} has no option {}", name_of(command), quotation(typed))},
         with_suggestion(meant, see_help(command)));
}

void refuse_unknown_subcommand(const std::string& word, const std::vector<Command>& subcommands) {
  std::vector<std::string> names;
  names.reserve(subcommands.size());
  for (const Command& command : subcommands) names.push_back(command.name);
  refuse({fmt::format("サブコマンド {} はありません", quotation(word)),
          fmt::format("there is no subcommand {}", quotation(word))},
         with_suggestion(did_you_mean(word, names), {"実験の一覧は `attnlab list` で見られます",
                                                     "`attnlab list` shows the experiments"}));
}

void refuse_both(const ParsedCommand& parsed, const std::string& one, const std::string& other) {
  if (!parsed.given(one) || !parsed.given(other)) return;
  refuse({fmt::format("--{} と --{} は同時に指定できません", one, other),
          fmt::format("--{} and --{} cannot be given together", one, other)},
         {"どちらか一方にしてください", "choose one"});
}

void refuse_argument(const Command& command, const std::string& word) {
  refuse({fmt::format("{} に引数 {} は要りません", name_of(command), quotation(word)),
          fmt::format("{} takes no argument {}", name_of(command), quotation(word))},
         see_help(command));
}

}  // namespace attnlab
