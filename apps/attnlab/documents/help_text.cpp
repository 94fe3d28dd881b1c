// Sets the help pages from the table of flags.
#include "attnlab/documents/documents.hpp"
#include "core/similar_words.hpp"

#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "catalogue/names.hpp"
#include "core/sentences.hpp"
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

std::string flag_groups(const Command& command, Language language, HelpExtent extent) {
  std::string text;
  for (const FlagGroup& group : command.groups) {
    if (group.sharing == FlagGroup::Sharing::common && extent == HelpExtent::own) continue;
    std::vector<Row> rows;
    for (const Flag& flag : group.flags) {
      // Long flags line up under each other whether or not a short form stands before them.
      rows.push_back({(flag.letter == 0 ? "    " : "") + usage_of(flag), flag_help(flag, language)});
    }
    text += "\n" + group.title.in(language) + "\n" + two_columns(rows);
  }
  return text;
}

/// The names of flags that are not explained here, by group.
std::string common_flags(const Command& command, Language language) {
  std::vector<Row> rows;
  for (const FlagGroup& group : command.groups) {
    if (group.sharing != FlagGroup::Sharing::common) continue;
    std::vector<std::string> names;
    for (const Flag& flag : group.flags) names.push_back("--" + flag.name);
    rows.push_back({group.title.in(language), joined(names, ", ")});
  }
  if (rows.empty()) return "";
  const Text title = {"共通のオプション（説明は --help-all）", "Common options (--help-all explains them)"};
  return "\n" + title.in(language) + "\n" + two_columns(rows);
}

std::string run_names(const Command& command, Language language) {
  const RunNames names = command.is_experiment ? usual_names(command) : RunNames{};
  if (names.figures.empty()) return "";
  const Text title = {"この実験の図と配列", "Figures and arrays of this experiment"};
  std::vector<std::string> figures = names.figures;
  figures.emplace_back("all");
  return "\n" + title.in(language) + "\n" +
         two_columns({{"--figure", joined(figures, ", ")}, {"--check", joined(names.arrays, ", ")}});
}

/// The last one ends where its words end.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, const std::string& margin) {
  std::vector<std::size_t> columns(rows.empty() ? 0 : rows.front().size() - 1);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = std::max(columns[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    text += margin;
    for (std::size_t i = 0; i < columns.size(); ++i) text += padded(row[i], columns[i]) + "  ";
    text += row.back() + "\n";
  }
  return text;
}

/// What someone wants to do, the commands for it, and what each of them shows or makes.
std::string purposes(Language language) {
  std::vector<std::vector<std::string>> rows;
  for (const Sentences& row : read_sentences(document_files().front(), "purpose"))
    rows.push_back(
        {row.at("title").in(language), row.at("commands").in(language), row.at("does").in(language)});
  return in_columns(rows, "  ");
}

/// A line for each command, with what it shows.
std::string meaning_lines(const std::vector<Meaning>& meanings, Language language) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(meanings.size());
  for (const Meaning& meaning : meanings)
    rows.push_back({"attnlab " + meaning.command, meaning.shows.in(language)});
  return in_columns(rows, "");
}

constexpr std::string_view every_book = "all";  // of --book

std::string items_of(const std::string& document, Language language) {
  std::string lines;
  for (const DocumentItem& item : document_items())
    if (item.place.front() == document.front())
      lines += text("{}：{}\n  attnlab {}\n", "{}: {}\n  attnlab {}\n", item.place.substr(2),
                    item.meaning.shows, item.meaning.command)
                   .in(language);
  return lines;
}

std::string sections_of(const std::string& name) {
  std::string lines;
  for (const Book& book : books()) {
    if (name != every_book && name != book.name) continue;
    lines += (lines.empty() ? "" : "\n") + book.title + "\n";
    for (const Meaning& section : book.sections)
      lines += fmt::format("{}\n  attnlab {}\n", section.shows.en(), section.command);
  }
  return lines;
}

Ending run_list(const ParsedCommand& parsed, Language language) {
  const bool draws = parsed.is_set("figures") || parsed.is_set("cheat-sheet");
  const bool has_source = parsed.is_set("document") || parsed.is_set("book") || draws;
  if (has_source && !parsed.topics.empty()) refuse_argument(parsed.command, parsed.topics.front());
  if (draws != parsed.is_set("output"))
    refuse_usage(
        {"-o は --figures か --cheat-sheet と一緒に使います",
         "-o goes together with --figures or --cheat-sheet"},
        {"例：attnlab list --figures -o sheet.pdf", "for example attnlab list --figures -o sheet.pdf"});
  if (parsed.is_set("cheat-sheet")) return write_cheat_sheet(parsed, language);
  if (parsed.is_set("figures")) return write_contact_sheets(parsed, language);
  if (parsed.is_set("document")) {
    write_output(items_of(parsed.checked("document").text("document"), language));
  } else if (parsed.is_set("book")) {
    write_output(sections_of(parsed.checked("book").text("book")));
  } else if (parsed.topics.empty()) {
    write_output(experiment_list(experiments(), language));
  } else {
    const std::string word = joined(parsed.topics, " ");
    const std::vector<Meaning> meanings = found(word);
    if (meanings.empty())
      refuse_usage(text("{} の付くものはありません", "nothing has to do with {}", quotation(word)),
                   suggestion_before(word, known_names(),
                                     {"`attnlab list` で全部を見られます", "`attnlab list` shows all"}));
    write_output(meaning_lines(meanings, language));
  }
  return Ending::done;
}

std::string help_on(const std::vector<std::string>& topics, Language language) {
  if (topics.empty()) return main_help(language);
  const std::vector<Command> commands = subcommands(experiments());
  const Command* command = find_named(commands, topics.front());
  if (command != nullptr) return command_help(*command, language, HelpExtent::own);
  const std::vector<Meaning> meanings = found(topics.front());
  if (!meanings.empty()) return meaning_lines(meanings, language);
  refuse_unknown_subcommand(topics.front(), commands);
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
  general.flags.insert(general.flags.begin() + 1, flag("version"));
  return {"",
          {"アテンションと Transformer を実験で学ぶツール",
           "attention and the Transformer, experiment by experiment"},
          {general},
          run_help};
}

Command help_command() {
  return {"help",
          command_words("help"),
          {general_group()},
          run_help,
          {" 実験名", " NAME"},
          [](const std::vector<Command>& commands) { return Offer{names_of(commands)}; }};
}

Command list_command() {
  return {
      "list",
      command_words("list"),
      {{{"一覧", "List"},
        {flag(Parameter{
             "document",
             ChoiceKind{{"A", "B", "C", "D", "E"}},
             "",
             {"その文書の項目を順に、コマンドとともに表示します（A 教科書、B 講座、C ノートブック、D 記事、E スライド）",
              "that document's items in their order, with the command for each (A textbook, B course, C notebook, D article, E slides)"}}),
         flag(Parameter{"book",
                        ChoiceKind{{"udl", "d2l", "raschka", "cs224n", "cs336", std::string(every_book)}},
                        "",
                        {"ほかの教科書や講義の節を順に、コマンドとともに表示します",
                         "the sections of another textbook or course, with the command for each"}})
             .excluding({"document"}),
         flag(
             "figures",
             "すべての図を小さく、コマンドとともに 1 枚の一覧にします（pdf は A4、png と svg は縦に長い 1 ページ）",
             "every figure small above its command, as a contact sheet (pdf: A4 pages; png and svg: one long page)")
             .excluding({"document", "book"}),
         flag("cheat-sheet", "実験の式、コマンド、よく使う書き方を A4 の 1 ページにまとめます",
              "the experiments' formulas, the commands and what is typed most, on one A4 page")
             .excluding({"document", "book", "figures"}),
         flag("output", "FILE", "そのファイル（pdf, png, svg）", "their file: pdf, png or svg")
             .shortened('o')}},
       general_group()},
      run_list,
      {" [言葉]", " [WORD]"}};
}

std::string main_help(Language language) {
  const Command attnlab = attnlab_command();
  std::vector<std::string> options;
  for (const Flag& flag : flags_of(attnlab)) options.push_back(usage_of(flag));
  const Text page = attnlab::text(
      "attnlab {}：{}\n\n"
      "使い方：attnlab 実験名 [オプション]、attnlab コマンド名 [オプション]\n"
      "例：attnlab vectors -o vectors.svg\n\n{}\n"
      "オプション：{}\n実験の一覧は `attnlab list`、1 つの説明は `attnlab vectors --help`。既定値は attnlab.toml に。\n",
      "attnlab {}: {}\n\n"
      "Usage: attnlab EXPERIMENT [options], or attnlab COMMAND [options]\n"
      "For example: attnlab vectors -o vectors.svg\n\n{}\n"
      "Options: {}\n`attnlab list` shows the experiments, `attnlab vectors --help` explains one; defaults: attnlab.toml.\n",
      version, attnlab.shows, Text{purposes(Language::ja), purposes(Language::en)}, joined(options, ", "));
  return page.in(language);
}

std::string command_help(const Command& command, Language language, HelpExtent extent) {
  const Text usage = attnlab::text("使い方：attnlab {}{} [オプション]", "Usage: attnlab {}{} [options]",
                                   command.name, command.argument);
  std::string text = usage.in(language) + "\n\n";
  for (const std::string& line : wrapped(command.shows.in(language), page_columns)) text += line + "\n";
  text += flag_groups(command, language, extent) + run_names(command, language);
  return extent == HelpExtent::own ? text + common_flags(command, language) : text;
}

std::string experiment_list(const std::vector<Experiment>& experiments, Language language) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(experiments.size());
  for (const Experiment& one : experiments)
    rows.push_back({one.name, one.shows.in(language), one.source.in(language)});
  return in_columns(rows, "");
}

}  // namespace attnlab
