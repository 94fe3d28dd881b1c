// Every refusal says what was typed and what to type instead.
#include "attnlab/command_line/parser.hpp"

#include "catalogue/names.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// As messages call it.
std::string name_of(const Command& command) { return command.name.empty() ? "attnlab" : command.name; }

/// As it is typed.
std::string full_name(const Command& command) {
  return command.name.empty() ? "attnlab" : "attnlab " + command.name;
}

/// "--quiet", "-o", and "-o -" for standard output.
std::string as_typed(const ParsedCommand& parsed, const Flag& flag) {
  const std::vector<std::string> values = parsed.all(flag.name);
  const bool is_stream = std::find(values.begin(), values.end(), "-") != values.end();
  return (flag.letter == 0 ? "--" + flag.name : std::string("-") + flag.letter) + (is_stream ? " -" : "");
}

}  // namespace

const Experiment& experiment_behind(const ParsedCommand& parsed, std::string_view example) {
  const Text hint = text("例：{}", "for example {}", example);
  const std::string& command = parsed.command.name;
  if (parsed.topics.empty())
    refuse_usage(text("{} に実験名がありません", "{} needs an experiment", command), hint);
  if (parsed.command.experiment == nullptr) {
    const std::string& word = parsed.topics.front();
    if (parsed.command.of_word(word)) {
      refuse_usage(text("{} は {} のすぐ後ろに書きます", "{} must stand right after {}", word, command),
                   hint);
    }
    std::vector<std::string> names = experiment_names({ExperimentKind::book, ExperimentKind::user_files});
    names.erase(std::remove_if(names.begin(), names.end(),
                               [&](const std::string& name) { return !parsed.command.of_word(name); }),
                names.end());
    refuse_usage(text("実験 {} はありません", "there is no experiment {}", quotation(word)),
                 suggestion_before(word, names, hint));
  }
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return *parsed.command.experiment;
}

Text see_help(const Command& command) {
  return text("使い方は `{} --help` で確かめられます", "see `{} --help`", full_name(command));
}

void refuse_missing_value(const Command& command, const Flag& flag) {
  const Text problem = text("--{} に値がありません", "--{} needs a value", flag.name);
  const bool names_figure = flag.name == "figure";
  if (names_figure || flag.name == "check") {
    const RunNames names = usual_names(command);
    if (!names.figures.empty() && names_figure) refuse_usage(problem, choose_from(names.figures));
    if (!names.arrays.empty() && !names_figure) {
      refuse_usage(problem, text("--check 配列名=ファイル の形で指定してください。配列は {} です",
                                 "write --check ARRAY=FILE; the arrays are {}", joined(names.arrays, ", ")));
    }
  }
  if (flag.default_text.in(Language::en).empty()) {
    const std::string form = "--" + flag.name + " " + flag.form;
    refuse_usage(problem, text("{} の形で指定してください", "write {}", form));
  }
  refuse_usage(problem, text("例：--{} {}", "for example --{} {}", flag.name, flag.default_text));
}

void refuse_unknown_flag(const Command& command, const std::string& word) {
  const std::string typed = word.substr(0, word.find('='));
  const std::string bare = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  std::optional<std::string> meant = did_you_mean(bare, names_of(flags_of(command)));
  if (meant) meant = "--" + *meant;
  refuse_usage(text("{} に {} というオプションはありません", "{} has no option {}", name_of(command),
                    quotation(typed)),
               with_suggestion(meant, see_help(command)));
}

void refuse_unknown_subcommand(const std::string& word, const std::vector<Command>& subcommands) {
  std::optional<std::string> meant = did_you_mean(word, names_of(subcommands));
  if (!meant) meant = did_you_mean(word, known_names());
  const Text hint =
      found(word).empty()
          ? Text{"実験の一覧は `attnlab list` で見られます", "`attnlab list` shows the experiments"}
          : text("関わるコマンドは `attnlab list {}` で見られます",
                 "`attnlab list {}` shows what has to do with it", quotation(word));
  refuse_usage(text("サブコマンド {} はありません", "there is no subcommand {}", quotation(word)),
               with_suggestion(meant, hint));
}

void refuse_exclusions(const ParsedCommand& parsed) {
  const std::vector<Flag> flags = flags_of(parsed.command);
  for (const Flag& flag : flags) {
    if (!parsed.is_set(flag.name)) continue;
    for (const Exclusion& exclusion : flag.exclusions) {
      if (exclusion.when != nullptr && !exclusion.when(parsed)) continue;
      for (const std::string& other : exclusion.others) {
        if (!parsed.is_set(other)) continue;
        refuse_usage(text("{} と {} は同時に指定できません", "{} and {} cannot be given together",
                          as_typed(parsed, flag), as_typed(parsed, *find_named(flags, other))),
                     exclusion.hint);
      }
    }
  }
}

void refuse_argument(const Command& command, const std::string& word) {
  refuse_usage(
      text("{} に引数 {} は要りません", "{} takes no argument {}", name_of(command), quotation(word)),
      see_help(command));
}

}  // namespace attnlab
