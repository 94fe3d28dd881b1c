// The script for fish: a `complete` line per subcommand and per flag of each.
#include "attnlab/documents/documents.hpp"
#include "core/escape.hpp"

namespace attnlab {
namespace {

constexpr const char* fish_head =
    R"fish(# fish completion for attnlab, made by `attnlab completion fish` from its table of commands.

function __attnlab_is --description 'Whether this call, "sweep heads" or just "heads", stands before the cursor'
    set -l words (commandline -opc)[2..-1]
    while string match -q -- '-*' "$words[1]"
        if test "$words[1]" = --lang
            set -e words[1]
        end
        set -e words[1]
    end
    set -l call $words[1]
    if contains -- "$call" sweep explore exercise; and set -q words[2]; and not string match -q -- '-*' $words[2]
        set -a call $words[2]
    end
    test "$call" = "$argv"
end

complete -c attnlab -f
)fish";

std::string fish_quoted(const std::string& text) {
  return "'" + with_backslashes(text, "'\\") + "'";
}

std::string line_for(const Command& command) {
  return fmt::format("complete -c attnlab -n '__attnlab_is {}'", command.name);
}

/// "-F -a 'causal'": what is offered, or nothing.
std::string options_for(const Offer& offer) {
  std::string options = offer.paths == Offer::Paths::files ? " -F" : "";
  if (offer.paths == Offer::Paths::folders) options += " -a '(__fish_complete_directories)'";
  if (!offer.words.empty()) options += " -a " + fish_quoted(joined(offer.words, " "));
  return options;
}

std::string flag_line(const Command& command, const Flag& flag, Language language) {
  std::string line = line_for(command);
  if (flag.letter != 0) line += std::string(" -s ") + flag.letter;
  line += " -l " + flag.name;
  if (flag.takes != Flag::Takes::nothing) {
    const Offer offer = offer_of(flag);
    line += (offer.paths == Offer::Paths::files ? " -r" : " -x") + options_for(offer);
  }
  return line + " -d " + fish_quoted(flag.help.in(language)) + "\n";
}

std::string lines_for(const Command& command, const Offer& bare, Language language) {
  std::string lines = "\n";
  const std::string options = options_for(bare);
  if (!options.empty()) lines += line_for(command) + options + "\n";
  for (const Flag& flag : flags_of(command)) lines += flag_line(command, flag, language);
  return lines;
}

}  // namespace

std::string fish_completion(const std::vector<Command>& commands, Language language) {
  const Command attnlab = attnlab_command();
  std::string script = fish_head + lines_for(attnlab, {}, language);
  for (const Command& command : commands) {
    if (command.name.find(' ') != std::string::npos) continue;
    script += line_for(attnlab) + " -a " + command.name + " -d " +
              fish_quoted(summary_of(command, language)) + "\n";
  }
  for (const Command& command : commands) {
    script += lines_for(command, offer_of(command, commands), language);
  }
  return script;
}

}  // namespace attnlab
