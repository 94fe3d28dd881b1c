// The program: reads the command line, carries it out, and turns every failure into one line and an exit
// code.
#include <new>

#include "attnlab/documents/documents.hpp"
#include "attnlab/output/defaults.hpp"
#include "attnlab/terminal/console.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/names.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"

namespace attnlab {
namespace {

constexpr int failed = 1;

/// What stands for a command that has another name, "layernorm" or "図 2.2.14", gives way to it, and is told;
/// one that means several is refused with all of them.
std::vector<std::string> with_meaning(const std::vector<std::string>& words, std::size_t place,
                                      Language language) {
  const std::vector<Meaning> meanings = meanings_of(words[place]);
  if (meanings.empty()) return words;
  for (const Meaning& meaning : meanings)
    write_note(meanings.size() == 1
                   ? text("{}：attnlab {}", "{}: attnlab {}", printable(words[place]), meaning.command)
                   : text("attnlab {}  {}", "attnlab {}  {}", meaning.command, meaning.shows),
               language);
  if (meanings.size() > 1)
    refuse_usage(text("{} には意味がいくつかあります", "{} means several things", quotation(words[place])),
                 {"上から 1 つ選んでください", "choose one of those above"});
  std::vector<std::string> understood = words;
  std::vector<std::string> command = split(meanings.front().command, " ");
  const auto is_typed = [&](const char* flag) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word.rfind(flag, 0) == 0; });
  };
  if (is_typed("--figure") || is_typed("--no-figure"))
    command.erase(std::find(command.begin(), command.end(), "--figure"), command.end());
  const auto at = understood.erase(understood.begin() + static_cast<std::ptrdiff_t>(place));
  understood.insert(at, command.begin(), command.end());
  return understood;
}

/// The command's name is the first word that is neither a flag nor what --lang takes; the words' number where
/// there is none.
std::size_t place_of_name(const std::vector<std::string>& words) {
  std::size_t place = 0;
  while (place < words.size() && words[place].rfind('-', 0) == 0) place += words[place] == "--lang" ? 2U : 1U;
  return std::min(place, words.size());
}

ParsedCommand parsed_words(std::vector<std::string> words, Language language) {
  const std::vector<Command> commands = subcommands(experiments());
  const std::size_t place = place_of_name(words);
  if (place < words.size() && find_named(commands, words[place]) == nullptr)
    words = with_meaning(words, place, language);
  return parse_command_line(words, commands);
}

Ending carry_out(const std::vector<std::string>& words, const Defaults& defaults, Language language) {
  ParsedCommand parsed = parsed_words(words, language);
  const Command& command = parsed.command;
  parsed.checked("lang");  // refuses --lang fr, which chosen_language has passed over
  const bool explains_all = command.name.empty() || command.name == "help";
  if (parsed.is_set("version")) {
    write_output(std::string("attnlab ") + version + "\n");
  } else if ((parsed.is_set("help") && !explains_all) || parsed.is_set("help-all")) {
    write_output(command_help(command, language, parsed.is_set("help") ? HelpExtent::own : HelpExtent::all));
  } else {
    for (const Text& note : defaults.notes) write_note(note, language);
    if (defaults.fault) throw Error(*defaults.fault);
    take_defaults(defaults, parsed);
    return command.run(parsed, language);
  }
  return Ending::done;
}

int run_program(const std::vector<std::string>& words, const Defaults& defaults, Language language) {
  try {
    return static_cast<int>(carry_out(words, defaults, language));
  } catch (const Error& error) {
    write_error(error.message(language));
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    write_error(language == Language::ja ? "メモリが足りません。大きさを減らしてください"
                                         : "out of memory; choose smaller sizes");
    return failed;
  }
}

/// What the words say; those behind `complete --`, which is hidden, are yet to become a command.
int run_words(const std::vector<std::string>& words) {
  const Defaults defaults = read_defaults();
  const Language language = chosen_language(words, language_of(defaults).value_or(language_of_environment()));
  clean_up_on_interruption(language);
  occupy_closed_streams();
  const auto mark = std::find(words.begin(), words.end(), "--");
  if (mark == words.end() || words.front() != "complete") return run_program(words, defaults, language);
  write_output(completions({mark + 1, words.end()}, language));
  return 0;
}

}  // namespace
}  // namespace attnlab

int main(int argc, char** argv) {
  try {
    return attnlab::run_words({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::exception& error) {
    attnlab::write_error(error.what());
    return attnlab::failed;
  }
}
