// The program: reads the command line, carries it out, and turns every failure into one line and an exit
// code.
#include <new>

#include "attention/blas_library.hpp"
#include "attnlab/documents/documents.hpp"
#include "attnlab/output/defaults.hpp"
#include "attnlab/terminal/console.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/names.hpp"
#include "core/memory.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"

namespace {

using attnlab::Ending;
using attnlab::Language;

constexpr int failed = 1;

/// What stands for a command that has another name, "layernorm" or "図 2.2.14", gives way to it, and is told;
/// one that means several is refused with all of them.
std::vector<std::string> with_meaning(const std::vector<std::string>& words, std::size_t place,
                                      Language language) {
  const std::vector<attnlab::Meaning> meanings = attnlab::meanings_of(words[place]);
  if (meanings.empty()) return words;
  for (const attnlab::Meaning& meaning : meanings)
    attnlab::write_note(
        meanings.size() == 1
            ? attnlab::text("{}：attnlab {}", "{}: attnlab {}", attnlab::printable(words[place]),
                            meaning.command)
            : attnlab::text("attnlab {}  {}", "attnlab {}  {}", meaning.command, meaning.shows),
        language);
  if (meanings.size() > 1)
    attnlab::refuse_usage(attnlab::text("{} には意味がいくつかあります", "{} means several things",
                                        attnlab::quotation(words[place])),
                          {"上から 1 つ選んでください", "choose one of those above"});
  std::vector<std::string> understood = words;
  std::vector<std::string> command = attnlab::split(meanings.front().command, " ");
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

attnlab::ParsedCommand parsed_words(std::vector<std::string> words, Language language) {
  std::vector<attnlab::Command> commands = attnlab::subcommands(attnlab::experiments());
  const std::size_t place = place_of_name(words);
  if (place < words.size() && attnlab::find_named(commands, words[place]) == nullptr)
    words = with_meaning(words, place, language);
  return attnlab::parse_command_line(words, std::move(commands));
}

Ending carry_out(const std::vector<std::string>& words, const attnlab::Defaults& defaults,
                 Language language) {
  attnlab::ParsedCommand parsed = parsed_words(words, language);
  const attnlab::Command& command = parsed.command;
  parsed.checked("lang");  // refuses --lang fr, which chosen_language has passed over
  const bool explains_all = command.name.empty() || command.name == "help";
  if (parsed.given("version")) {
    attnlab::write_output(std::string("attnlab ") + attnlab::version + "\n");
  } else if ((parsed.given("help") && !explains_all) || parsed.given("help-all")) {
    attnlab::write_output(attnlab::command_help(
        command, language, parsed.given("help") ? attnlab::HelpExtent::own : attnlab::HelpExtent::all));
  } else {
    for (const attnlab::Text& note : defaults.notes) attnlab::write_note(note, language);
    if (defaults.fault) throw attnlab::Error(*defaults.fault);
    attnlab::take_defaults(defaults, parsed);
    return command.run(parsed, language);
  }
  return Ending::done;
}

int run_program(const std::vector<std::string>& words, const attnlab::Defaults& defaults, Language language) {
  try {
    return static_cast<int>(carry_out(words, defaults, language));
  } catch (const attnlab::Error& error) {
    attnlab::write_error(error.message(language));
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    attnlab::write_error(language == Language::ja ? "メモリが足りません。大きさを減らしてください"
                                                  : "out of memory; choose smaller sizes");
    return failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const attnlab::Defaults defaults = attnlab::read_defaults();
    const Language language =
        attnlab::chosen_language(words, language_of(defaults).value_or(attnlab::language_of_environment()));
    attnlab::clean_up_on_interruption(language);
    attnlab::occupy_closed_streams();
    const auto mark = std::find(words.begin(), words.end(), "--");
    if (mark != words.end() &&
        words.front() == "complete") {  // hidden: its words are yet to become a command
      attnlab::write_output(attnlab::completions({mark + 1, words.end()}, language));
      return 0;
    }
    return run_program(words, defaults, language);
  } catch (const std::exception& error) {
    attnlab::write_error(error.what());
    return failed;
  }
}
