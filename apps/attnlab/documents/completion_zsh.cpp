// The script for zsh: a list of _arguments per subcommand, with the help line of every flag.
#include "attnlab/documents/documents.hpp"
#include "core/escape.hpp"

namespace attnlab {
namespace {

constexpr const char* zsh_head = R"zsh(#compdef attnlab
# zsh completion for attnlab, made by `attnlab completion zsh` from its table of commands.

_attnlab_words_or_files() {
  _alternative "words:word:($*)" 'files:file:_files'
}

_attnlab_subcommands() {
  local -a subcommands=(
)zsh";

constexpr const char* after_subcommands = R"zsh(  )
  _describe -t commands subcommand subcommands
}

_attnlab() {
  local curcontext=$curcontext state line
  local -A opt_args
)zsh";

constexpr const char* before_cases =
    R"zsh(    '1:subcommand:_attnlab_subcommands' '*:: :->arguments' && return
  [[ $state == arguments ]] || return
  curcontext=${curcontext%:*}-$words[1]:
  local call=$words[1]
  if [[ $call == (sweep|explore|exercise) && CURRENT -gt 2 && $words[2] != -* ]]; then call+=" $words[2]"; fi
  case $call in
)zsh";

constexpr const char* zsh_tail = R"zsh(  esac
}

# Found by name in a folder of $fpath, or read with `source <(attnlab completion zsh)`.
if [[ $funcstack[1] == _attnlab ]]; then
  _attnlab "$@"
else
  compdef _attnlab attnlab
fi
)zsh";

/// In single quotes.
std::string zsh_quoted(const std::string& text) {
  return "'" + with_words(text, {{'\'', "'\\''"}}) + "'";
}

/// With a backslash before what would end a part of a specification.
std::string escaped(const std::string& text, char end) {
  return with_backslashes(text, std::string("\\") + end);
}

/// What _arguments does at this place; a blank action shows the message and offers nothing.
std::string action_of(const Offer& offer) {
  if (offer.paths == Offer::Paths::folders) return "_path_files -/";  // _files would fall back to all files
  const std::string words = escaped(joined(offer.words, " "), ':');
  if (offer.paths == Offer::Paths::files) {
    return words.empty() ? "_files" : " _attnlab_words_or_files " + words;
  }
  return words.empty() ? " " : "(" + words + ")";
}

/// '--theme=[colours]:light|dark|print:(light dark print)'; with a short form, names before the bracket are
/// in braces, which the shell expands.
std::string specification(const Flag& flag, Language language) {
  const bool takes_value = flag.takes != Flag::Takes::nothing;
  std::string rest = "[" + escaped(flag.help.in(language), ']') + "]";
  if (takes_value) rest += ":" + escaped(flag.form, ':') + ":" + action_of(offer_of(flag));
  const std::string name = "--" + flag.name + (takes_value ? "=" : "");
  const bool repeats = flag.takes == Flag::Takes::values;
  if (flag.letter == 0) return zsh_quoted((repeats ? "*" : "") + name + rest);
  const std::string letter = std::string("-") + flag.letter;
  const std::string names = "{" + letter + (takes_value ? "+" : "") + "," + name + "}";
  return zsh_quoted(repeats ? "*" : fmt::format("({} --{})", letter, flag.name)) + names + zsh_quoted(rest);
}

std::string arguments_of(const Command& command, const std::string& margin, Language language) {
  std::string lines;
  for (const Flag& flag : flags_of(command)) lines += margin + specification(flag, language) + " \\\n";
  return lines;
}

std::string command_case(const Command& command, const Offer& bare, Language language) {
  const std::string begin = fmt::format("  {})\n    _arguments \\\n", zsh_quoted(command.name));
  const std::string flags = arguments_of(command, "      ", language);
  // Never empty: two colons together would mean something else.
  const std::string message = " " + escaped(command.argument.in(language), ':');
  return begin + flags + "      " + zsh_quoted("*:" + message + ":" + action_of(bare)) + "\n    ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<Command>& commands, Language language) {
  std::string script = zsh_head;
  for (const Command& command : commands) {
    if (command.name.find(' ') != std::string::npos) continue;
    script += "    " + zsh_quoted(command.name + ":" + escaped(summary_of(command, language), ':')) + "\n";
  }
  script += after_subcommands;
  script += "  _arguments -C \\\n" + arguments_of(attnlab_command(), "    ", language) + before_cases;
  for (const Command& command : commands) {
    script += command_case(command, offer_of(command, commands), language);
  }
  return script + zsh_tail;
}

}  // namespace attnlab
