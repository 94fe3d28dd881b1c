#include "attnlab/documents/documents.hpp"

#include <cctype>

#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/escape.hpp"
#include "core/sentences.hpp"
#include "core/version.hpp"

namespace attnlab {
namespace {

enum class Minus { everywhere, before_words };

/// Inside a line: the backslash begins an escape, and a bare - may be set as a hyphen.
std::string escaped(const std::string& text, Minus minus) {
  static const std::map<char, std::string> escapes{
      {'\\', "\\e"}, {'-', "\\-"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    const bool is_hyphen = text[i] == '-' && minus == Minus::before_words && in_word;
    const auto escape = escapes.find(text[i]);
    safe += escape == escapes.end() || is_hyphen ? std::string(1, text[i]) : escape->second;
  }
  return safe;
}

/// A line that begins with . or ' would be a request.
std::string as_line(const std::string& text) {
  const bool is_request = !text.empty() && (text.front() == '.' || text.front() == '\'');
  return is_request ? "\\&" + text : text;
}

}  // namespace

std::string roff_prose(const std::string& text) { return as_line(escaped(text, Minus::before_words)); }

std::string roff_bold(const std::string& text) { return "\\fB" + escaped(text, Minus::everywhere) + "\\fR"; }

std::string roff_italic(const std::string& text) {
  // A long list of choices may go on in the next line, without a hyphen.
  return "\\fI" + with_words(escaped(text, Minus::everywhere), {{'|', "|\\:"}, {',', ",\\:"}}) + "\\fR";
}

std::string roff_entry(const std::string& term, const std::string& meaning) {
  return ".TP\n" + term + "\n" + meaning + "\n";
}

namespace {

/// Of every [[table]] of documents.toml.
std::string entries(const std::string& table, Language language) {
  std::string text;
  for (const Sentences& row : read_sentences(document_files().front(), table))
    text += roff_entry(roff_bold(row.at("term").en()), roff_prose(row.at("meaning").in(language)));
  return text;
}

std::string flag_entry(const Flag& flag, Language language) {
  std::string term = flag.letter == 0 ? "" : roff_bold(std::string("-") + flag.letter) + ", ";
  term += roff_bold("--" + flag.name);
  if (!flag.form.empty()) term += " " + roff_italic(flag.form);
  return roff_entry(term, roff_prose(flag_help(flag, language)));
}

/// The groups that every experiment has: all but its own parameters, which come first.
std::vector<FlagGroup> shared_groups(const std::vector<Command>& commands) {
  const Command& one = *std::find_if(commands.begin(), commands.end(),
                                     [](const Command& command) { return command.is_experiment; });
  return {one.groups.begin() + 1, one.groups.end()};
}

bool is_shared(const Flag& flag, const std::vector<FlagGroup>& shared) {
  return std::any_of(shared.begin(), shared.end(), [&](const FlagGroup& group) {
    return std::any_of(group.flags.begin(), group.flags.end(), [&](const Flag& other) {
      return other.name == flag.name && other.help.en() == flag.help.en();
    });
  });
}

std::string synopsis_line(const Command& command, Language language) {
  const std::string argument = command.argument.in(language);
  const Text options = {"オプション", "option"};
  return roff_bold("attnlab " + command.name) + (argument.empty() ? "" : roff_italic(argument)) + " [" +
         roff_italic(options.in(language)) + " ...]\n";
}

std::string synopsis(const std::vector<Command>& commands, Language language) {
  Command any;
  any.argument = {"実験名", "EXPERIMENT"};
  std::string lines = synopsis_line(any, language);
  for (const Command& command : commands) {
    if (!command.is_experiment) lines += ".br\n" + synopsis_line(command, language);
  }
  return lines;
}

/// What the subcommand shows, and the flags that are its own. Those that it has in common with the
/// experiments are described once, and of another subcommand's only named here.
std::string subcommand(const Command& command, const std::vector<FlagGroup>& shared, Language language) {
  std::string text = ".SS " + roff_bold(command.name) + roff_italic(command.argument.in(language)) + "\n" +
                     roff_prose(command.shows.in(language)) + "\n";
  std::string common;
  for (const Flag& flag : flags_of(command)) {
    if (!is_shared(flag, shared)) {
      text += flag_entry(flag, language);
    } else if (flag.name != "help" && flag.name != "lang") {
      common += (common.empty() ? "" : ", ") + roff_bold("--" + flag.name);
    }
  }
  if (command.is_experiment || common.empty()) return text;
  const Text also = {"共通のオプションのうち ", "Of the common options: "};
  const Text stop = {" も使えます。", "."};
  return text + ".PP\n" + also.in(language) + common + stop.in(language) + "\n";
}

/// The experiments, or the other subcommands.
std::string subcommand_sections(const std::vector<Command>& commands, bool experiments, Language language) {
  const std::vector<FlagGroup> shared = shared_groups(commands);
  std::string text;
  for (const Command& command : commands) {
    if (command.is_experiment == experiments) text += subcommand(command, shared, language);
  }
  return text;
}

std::string common_options(const std::vector<Command>& commands, Language language) {
  std::string text;
  for (const FlagGroup& group : shared_groups(commands)) {
    text += ".SS " + group.title.in(language) + "\n";
    for (const Flag& flag : group.flags) text += flag_entry(flag, language);
  }
  return text;
}

}  // namespace

Command man_command() {
  return {"man", command_words("man"), {general_group()}, [](const ParsedCommand&, Language language) {
            write_output(man_page(subcommands(experiments()), language));
            return Ending::done;
          }};
}

std::string man_page(const std::vector<Command>& commands, Language language) {
  const auto section = [language](const Text& title, const std::string& body) {
    return ".SH " + title.in(language) + "\n" + body;
  };
  const Text what = attnlab_command().shows;
  const Text manual = {"利用者マニュアル", "User Commands"};
  std::string page = ".\\\" -*- coding: UTF-8 -*-\n.\\\" Made by `attnlab man` from its table of commands.\n";
  if (language == Language::ja) page += ".mso ja.tmac\n";
  page += fmt::format(".TH ATTNLAB 1 \"\" \"attnlab {}\" \"{}\"\n.nh\n.ad l\n", version, manual.in(language));
  page += section({"名前", "NAME"}, "attnlab \\- " + roff_prose(what.in(language)) + "\n");
  page += section({"書式", "SYNOPSIS"}, synopsis(commands, language));
  page += section({"実験", "EXPERIMENTS"}, subcommand_sections(commands, true, language));
  page +=
      section({"実験に共通のオプション", "OPTIONS OF EVERY EXPERIMENT"}, common_options(commands, language));
  page += section({"そのほかのサブコマンド", "OTHER SUBCOMMANDS"},
                  subcommand_sections(commands, false, language));
  page += section({"ファイル", "FILES"}, entries("file", language));
  page += section({"環境変数", "ENVIRONMENT"}, entries("environment", language));
  page += section({"終了ステータス", "EXIT STATUS"}, entries("exit", language));
  page += section({"使用例", "EXAMPLES"}, entries("example", language));
  return page;
}

}  // namespace attnlab
