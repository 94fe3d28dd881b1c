// Sets the help pages from the table of flags.
#include "attnlab/documents/documents.hpp"

#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"

namespace attnlab {
namespace {

constexpr std::size_t page_columns = 100;
constexpr std::size_t widest_left_column = 30;

struct Row {
  std::string left;
  std::string right;
};

/// Two columns: the left as wide as its entries (to a limit), the right wrapped.
std::string two_columns(const std::vector<Row>& rows) {
  std::size_t left_columns = 0;
  for (const Row& row : rows) {
    const std::size_t columns = display_width(row.left);
    if (columns <= widest_left_column) left_columns = std::max(left_columns, columns);
  }
  const std::string margin(left_columns + 4, ' ');
  std::string text;
  for (const Row& row : rows) {
    const bool fits = display_width(row.left) <= left_columns;
    text += fits ? "  " + padded(row.left, left_columns) + "  " : "  " + row.left + "\n" + margin;
    bool first = true;
    for (const std::string& line : wrapped(row.right, page_columns - margin.size())) {
      text += (first ? "" : margin) + line + "\n";
      first = false;
    }
  }
  return text;
}

std::string flag_groups(const Command& command, Language language) {
  std::string text;
  for (const FlagGroup& group : command.groups) {
    std::vector<Row> rows;
    for (const Flag& flag : group.flags) {
      // Long flags line up under each other whether or not a short form stands before them.
      rows.push_back({(flag.letter == 0 ? "    " : "") + usage_of(flag), flag_help(flag, language)});
    }
    text += "\n" + group.title.in(language) + "\n" + two_columns(rows);
  }
  return text;
}

/// The experiments, or the other subcommands.
std::string command_rows(const std::vector<Command>& commands, bool experiments, Language language) {
  std::vector<Row> rows;
  for (const Command& command : commands) {
    if (command.is_experiment == experiments) rows.push_back({command.name, command.shows.in(language)});
  }
  return two_columns(rows);
}

std::string help_on(const std::vector<std::string>& topics, Language language) {
  const std::vector<Command> commands = subcommands(experiments());
  if (topics.empty()) return main_help(attnlab_command(), commands, language);
  const Command* command = find_named(commands, topics.front());
  if (command != nullptr) return command_help(*command, language);
  refuse_usage(
      text("サブコマンド {} はありません", "there is no subcommand {}", quotation(topics.front())),
      suggestion_or(topics.front(), names_of(commands),
                    {"実験の一覧は `attnlab list` で見られます", "`attnlab list` shows the experiments"}));
}

Ending run_help(const ParsedCommand& parsed, Language language) {
  write_output(help_on(parsed.topics, language));
  return Ending::done;
}

}  // namespace

std::string flag_help(const Flag& flag, Language language) {
  std::string help = flag.help.in(language);
  const std::string& value = flag.default_text.in(language);
  if (value.empty()) return help;
  return language == Language::ja ? help + "（既定値 " + value + "）" : help + " (default " + value + ")";
}

Command attnlab_command() {
  FlagGroup general = general_group();
  general.flags.insert(general.flags.begin() + 1,
                       flag("version", "バージョンを表示します", "show the version"));
  return {"",
          {"アテンションと Transformer を実験で学ぶツール",
           "attention and the Transformer, experiment by experiment"},
          {general},
          run_help};
}

Command help_command() {
  return {"help",
          {"サブコマンドの説明を表示します（help 実験名）", "explain a subcommand: help NAME"},
          {general_group()},
          run_help,
          {" 実験名", " NAME"},
          [](const std::vector<Command>& commands) {
            return Offer{subcommand_names(commands), Offer::Paths::none};
          }};
}

Command list_command() {
  return {"list",
          {"実験の一覧を、教科書の順に表示します", "list the experiments in book order"},
          {general_group()},
          [](const ParsedCommand&, Language language) {
            write_output(experiment_list(experiments(), language));
            return Ending::done;
          }};
}

std::string main_help(const Command& attnlab, const std::vector<Command>& subcommands, Language language) {
  const Text usage = {
      "使い方：attnlab 実験名 [オプション]\n        attnlab list | all | verify | claims | inspect | sweep "
      "実験名\n        attnlab explore 実験名 | help 実験名",
      "Usage: attnlab EXPERIMENT [options]\n       attnlab list | all | verify | claims | inspect | sweep "
      "EXPERIMENT\n       attnlab explore EXPERIMENT | help EXPERIMENT"};
  const Text experiments_title = {"実験（図 2.2.1 などの番号は文書のもの）",
                                  "Experiments (with the documents they come from)"};
  const Text others_title = {"そのほかのサブコマンド", "Other subcommands"};
  const Text closing = {"実験ごとのオプションは `attnlab vectors --help` のように確かめられます。",
                        "`attnlab vectors --help` explains the options of an experiment."};
  return fmt::format("attnlab {}: {}\n\n{}\n\n{}\n{}\n{}\n{}{}\n{}\n", version, attnlab.shows.in(language),
                     usage.in(language), experiments_title.in(language),
                     command_rows(subcommands, true, language), others_title.in(language),
                     command_rows(subcommands, false, language), flag_groups(attnlab, language),
                     closing.in(language));
}

std::string command_help(const Command& command, Language language) {
  const Text usage = attnlab::text("使い方：attnlab {}{} [オプション]", "Usage: attnlab {}{} [options]",
                                   command.name, command.argument);
  std::string text = usage.in(language) + "\n\n";
  for (const std::string& line : wrapped(command.shows.in(language), page_columns)) text += line + "\n";
  return text + flag_groups(command, language);
}

std::string experiment_list(const std::vector<Experiment>& experiments, Language language) {
  std::size_t name_columns = 0;
  std::size_t shows_columns = 0;
  for (const Experiment& experiment : experiments) {
    name_columns = std::max(name_columns, display_width(experiment.name));
    shows_columns = std::max(shows_columns, display_width(experiment.shows.in(language)));
  }
  std::string text;
  for (const Experiment& experiment : experiments) {
    text += padded(experiment.name, name_columns) + "  " +
            padded(experiment.shows.in(language), shows_columns) + "  " + experiment.source.in(language) +
            "\n";
  }
  return text;
}

}  // namespace attnlab
