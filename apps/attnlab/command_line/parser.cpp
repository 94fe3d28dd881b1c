// The CLI11 wiring: the only file that includes CLI11. It reads text; what the text means is decided
// elsewhere.
#include "attnlab/command_line/parser.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "core/utf8.hpp"

namespace attnlab {
namespace {

void add_flags(CLI::App& app, const Command& command) {
  app.set_help_flag();  // the help is ours, in two languages
  app.allow_extras();   // so are the errors
  for (const Flag& flag : flags_of(command)) {
    const std::string names =
        (flag.letter == 0 ? "" : std::string("-") + flag.letter + ",") + "--" + flag.name;
    if (flag.takes == Flag::Takes::nothing) {
      app.add_flag(names);
    } else {
      // Exactly one value each time, whatever it begins with (-1,2 and -45 are values); repetitions are kept.
      app.add_option(names)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
}

/// CLI11 reads `--count=` as if no = were there and takes the next word for its value.
void refuse_empty_values(const std::vector<std::string>& arguments, const Command& command) {
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (word.empty() || word.back() != '=' || word.find('=') + 1 != word.size()) continue;
    const Flag* flag = flag_of(command, word);
    if (flag != nullptr) refuse_missing_value(command, *flag);
  }
}

bool names_file(const Flag& flag) {
  return flag.form == "FILE" || flag.form == "FILE[:NAME]" || flag.form == "FOLDER" ||
         flag.form == "[ARRAY=]FILE";
}

/// Whose value is a name, which is never empty; what else may be empty is for its parser to say.
bool takes_name(const Flag& flag) {
  return names_file(flag) || flag.form == "NAME" || flag.form == "NAME|all";
}

void check_values(const Command& command, const Flag& flag, const std::vector<std::string>& values) {
  if (values.size() > 1 && flag.takes != Flag::Takes::values) {
    refuse_usage(text("--{} が {} 回指定されています", "--{} was given {} times", flag.name, values.size()),
                 {"一度だけ指定してください", "give it once"});
  }
  for (const std::string& value : values) {
    if (flag.takes == Flag::Takes::nothing) {
      if (value == "true") continue;
      refuse_usage(text("--{} に値 {} は付けられません", "--{} takes no value, but was given {}", flag.name,
                        quotation(value)),
                   text("--{} とだけ書いてください", "write --{} alone", flag.name));
    }
    const bool is_next_flag = flag_of(command, value) != nullptr;  // taken for the value
    if (is_next_flag || (value.empty() && takes_name(flag))) refuse_missing_value(command, flag);
    if (!names_file(flag) && !decode_utf8(value)) {
      refuse_usage(
          text("--{} の値が UTF-8 ではありません", "the value of --{} is not valid UTF-8", flag.name),
          {"端末の文字コードを UTF-8 にしてください", "set the terminal to UTF-8"});
    }
  }
}

/// Moves what CLI11 collected for `command` into `parsed`.
void collect(const CLI::App& app, const Command& command, ParsedCommand& parsed) {
  for (const Flag& flag : flags_of(command)) {
    const std::vector<std::string>& typed = app.get_option("--" + flag.name)->results();
    if (typed.empty()) continue;
    std::vector<std::string>& values = parsed.values[flag.name];
    values.insert(values.end(), typed.begin(), typed.end());
  }
}

/// A flag that should stand after the subcommand but stands before it, or without one.
void refuse_misplaced_flag(const std::string& word, const Command& subcommand,
                           const std::vector<Command>& subcommands) {
  const auto knows_flag = [&](const Command& command) { return flag_of(command, word) != nullptr; };
  if (!subcommand.name.empty() && knows_flag(subcommand)) {
    refuse_usage(text("{} が {} の前にあります", "{} stands before {}", word, subcommand.name),
                 text("attnlab {} {} のように後ろに書いてください", "write it after: attnlab {} {}",
                      subcommand.name, word));
  }
  const auto owner = std::find_if(subcommands.rbegin(), subcommands.rend(), knows_flag);
  if (!subcommand.name.empty() || owner == subcommands.rend()) return;
  refuse_usage(
      text("{} の前にサブコマンドがありません", "{} has no subcommand before it", word),
      text("attnlab {} {} のように書いてください", "write it as in: attnlab {} {}", owner->name, word));
}

bool looks_like_flag(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

/// Words before the subcommand, or in its place.
void refuse_extras_of_attnlab(const std::vector<std::string>& extras, const Command& attnlab,
                              const Command& subcommand, const std::vector<Command>& subcommands) {
  for (const std::string& word : extras) {
    if (looks_like_flag(word)) {
      refuse_misplaced_flag(word, subcommand, subcommands);
      refuse_unknown_flag(attnlab, word);
    }
    refuse_unknown_subcommand(word, subcommands);
  }
}

/// Words after the subcommand that are no flag of it; those after `help`, `inspect` and `sweep` are its
/// topics.
std::vector<std::string> topics_of(const std::vector<std::string>& extras, const Command& command) {
  for (const std::string& word : extras) {
    if (looks_like_flag(word)) refuse_unknown_flag(command, word);
    if (command.argument.en().empty() && command.positionals.empty()) refuse_argument(command, word);
  }
  return extras;
}

/// The words that CLI11 could give to no flag of `app` itself, without the mark --.
std::vector<std::string> extras_of(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining(false);
  extras.erase(std::remove(extras.begin(), extras.end(), "--"), extras.end());
  return extras;
}

/// The command that the words name, attnlab itself where they name none: `attnlab sweep heads` takes the
/// flags of heads, `attnlab train reverse` those of the task. A mark in front of it goes: to CLI11 no word
/// after the mark is a subcommand.
Command take_command(std::vector<std::string>& words, const std::vector<Command>& commands) {
  auto place = words.begin();
  while (place != words.end() && find_named(commands, *place) == nullptr)
    place += *place == "--lang" && place + 1 != words.end() ? 2 : 1;
  Command command = place == words.end() ? attnlab_command() : *find_named(commands, *place);
  if (command.of_word != nullptr && place + 1 != words.end())
    command = command.of_word(*(place + 1)).value_or(command);
  const auto mark = std::find(words.begin(), place, "--");
  if (mark != place) words.erase(mark);
  return command;
}

void run_parser(CLI::App& app, const std::vector<std::string>& arguments, const Command& command) {
  try {
    app.parse(
        std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::ParseError& error) {
    // With these settings nothing is left to throw for but a flag that ends the line without its value.
    const Flag* flag = arguments.empty() ? nullptr : flag_of(command, arguments.back());
    if (flag != nullptr) refuse_missing_value(command, *flag);
    refuse_usage(Text::same(error.what()), see_help(command));
  }
}

/// `attnlab mistakes wrong-axis` is `attnlab mistakes --mistake wrong-axis`, and `explore mistakes
/// wrong-axis` the same behind the experiment's name; what is left over is the last one's.
void take_positionals(ParsedCommand& parsed) {
  const std::vector<std::string>& names = parsed.command.positionals;
  const std::size_t first = parsed.command.of_word == nullptr ? 0 : 1;
  if (names.empty() || parsed.topics.size() <= first) return;
  for (std::size_t i = first; i < parsed.topics.size(); ++i) {
    const std::string& name = names[std::min(i - first, names.size() - 1)];
    std::vector<std::string>& values = parsed.values[name];
    values.push_back(parsed.topics[i]);
    check_values(parsed.command, *find_flag(parsed.command, name), values);
  }
  parsed.topics.resize(first);
}

/// `heads --model world` is the experiment over that model, which has other parameters than its own.
void take_model(ParsedCommand& parsed) {
  const Experiment* book = parsed.command.experiment;
  const Experiment* learned = book == nullptr ? nullptr : over_model(*book);
  if (learned == nullptr) return;
  const bool has_model = parsed.is_set("model");
  for (const auto& [name, values] : parsed.values) {
    const bool is_of_model = find_named(learned->parameters, name) != nullptr;
    if (has_model && !is_of_model && find_named(book->parameters, name) != nullptr) {
      refuse_usage(
          text("--{} と --model は同時に指定できません", "--{} and --model cannot be given together", name),
          {"モデルの重みで見るなら、その指定を外してください", "leave it out to see a model's weights"});
    }
    if (!has_model && is_of_model) {
      refuse_usage(
          text("--{} には --model が要ります", "--{} needs --model", name),
          text("例：attnlab {} --model world --{} {}", "for example attnlab {} --model world --{} {}",
               book->name, name, quotation(values.front())));
    }
  }
  if (has_model) parsed.command.experiment = learned;
}

}  // namespace

std::string ParsedCommand::value(const std::string& flag) const {
  const auto found = values.find(flag);
  return found == values.end() ? "" : found->second.front();
}

std::vector<std::string> ParsedCommand::all(const std::string& flag) const {
  const auto found = values.find(flag);
  return found == values.end() ? std::vector<std::string>{} : found->second;
}

std::vector<std::filesystem::path> ParsedCommand::files(const std::string& flag) const {
  const std::vector<std::string> names = all(flag);
  return {names.begin(), names.end()};
}

Arguments ParsedCommand::checked(const std::string& flag) const {
  Arguments arguments({*find_flag(command, flag)->parameter});
  if (is_set(flag)) arguments.set(flag, value(flag));
  return arguments;
}

ParsedCommand parse_command_line(const std::vector<std::string>& words,
                                 const std::vector<Command>& subcommands) {
  std::vector<std::string> arguments = words;
  const Command attnlab = attnlab_command();
  ParsedCommand parsed;
  parsed.command = take_command(arguments, subcommands);
  CLI::App app;
  app.require_subcommand(0, 1);
  add_flags(app, attnlab);
  const bool has_subcommand = !parsed.command.name.empty();
  CLI::App* const subcommand = has_subcommand ? app.add_subcommand(parsed.command.name) : nullptr;
  if (has_subcommand) add_flags(*subcommand, parsed.command);
  run_parser(app, arguments, parsed.command);
  collect(app, attnlab, parsed);
  if (has_subcommand) collect(*subcommand, parsed.command, parsed);
  const bool requests_help = parsed.is_set("help") || parsed.is_set("help-all");
  if (requests_help || parsed.is_set("version")) return parsed;

  refuse_extras_of_attnlab(extras_of(app), attnlab, parsed.command, subcommands);
  refuse_empty_values(arguments, parsed.command);
  for (const auto& [name, values] : parsed.values) {
    const Flag* flag = find_flag(parsed.command, name);
    check_values(parsed.command, *flag, values);
  }
  if (has_subcommand) parsed.topics = topics_of(extras_of(*subcommand), parsed.command);
  take_positionals(parsed);
  refuse_exclusions(parsed);
  take_model(parsed);
  return parsed;
}

Printing read_printing(const ParsedCommand& parsed) {
  if (parsed.is_set("json")) return Printing::json;
  if (parsed.is_set("quiet")) return Printing::nothing;
  return parsed.is_set("explain") ? Printing::explanation : Printing::report;
}

std::string only_topic(const ParsedCommand& parsed, const Text& problem, const Text& hint) {
  if (parsed.topics.empty() || parsed.topics.front().empty()) refuse_usage(problem, hint);
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return parsed.topics.front();
}

// --- The language, read from the environment and, ahead of parsing, from the command line

Language language_of_locale(const std::string& locale) {
  return language_named(locale.substr(0, locale.find_first_of("_.@"))).value_or(Language::en);
}

Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* locale = std::getenv(name);
    if (locale != nullptr && *locale != '\0') return language_of_locale(locale);
  }
  return Language::en;
}

Language chosen_language(const std::vector<std::string>& arguments, Language fallback) {
  static const std::string flag = "--lang";
  Language chosen = fallback;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    std::optional<Language> found;
    if (arguments[i] == flag && i + 1 < arguments.size()) found = language_named(arguments[i + 1]);
    if (arguments[i].rfind(flag + "=", 0) == 0) found = language_named(arguments[i].substr(flag.size() + 1));
    if (found) chosen = *found;
  }
  return chosen;
}

}  // namespace attnlab
