// The script for bash: a table of flags and words, and a function that looks the cursor's place up in it.
#include "attnlab/documents/documents.hpp"

namespace attnlab {
namespace {

constexpr const char* bash_head =
    R"bash(# bash completion for attnlab, made by `attnlab completion bash` from its table of commands.

# What may stand where: sets flags, repeatable, words and paths for the subcommand $1 ("sweep heads" is one of its own)
# and the word $2 before the cursor.
_attnlab_table() {
  case $1 in
)bash";

constexpr const char* bash_tail = R"bash(  *)
    return 1
    ;;
  esac
}

_attnlab() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} last=$((COMP_CWORD - 1))
  # To bash --theme=dark is three words.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $before == '=' ]]; then
    last=$((COMP_CWORD - 2))
    before=${COMP_WORDS[last]}
  fi

  local call= i
  for ((i = 1; i <= last; i++)); do
    case ${COMP_WORDS[i]} in
    --lang)
      i=$((i + 1))
      if [[ ${COMP_WORDS[i]} == '=' ]]; then i=$((i + 1)); fi
      ;;
    -*) ;;
    *)
      call=${COMP_WORDS[i]}
      if [[ $call == @(sweep|explore|exercise) && i -lt last && ${COMP_WORDS[i + 1]} != -* ]]; then call+=" ${COMP_WORDS[i + 1]}"; fi
      break
      ;;
    esac
  done

  local flags= repeatable= words= paths= value=yes
  COMPREPLY=()
  _attnlab_table "$call" "$before" || return
  if [[ -z $value && $current == -* || -z $value$words$paths ]]; then
    local flag typed=" ${COMP_WORDS[*]:1:last} "
    words= paths=
    for flag in $flags; do
      if [[ $typed != *" $flag "* || $repeatable == *" $flag "* ]]; then words+=" $flag"; fi
    done
  fi
  if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"); fi
  # Left to bash where there are no words: it knows how to quote the names of files.
  case $paths in
  files) compopt -o default ;;
  folders) compopt -o dirnames ;;
  esac
}

complete -F _attnlab attnlab
)bash";

/// "words='ja en' paths=files": what the script's variables become.
std::string settings_of(const Offer& offer) {
  std::vector<std::string> settings;
  if (!offer.words.empty()) settings.push_back(fmt::format("words='{}'", joined(offer.words, " ")));
  if (offer.paths != Offer::Paths::none)
    settings.emplace_back(offer.paths == Offer::Paths::files ? "paths=files" : "paths=folders");
  return joined(settings, " ");
}

std::string names_of(const Flag& flag) {
  return (flag.letter == 0 ? "" : std::string("-") + flag.letter + " | ") + "--" + flag.name;
}

/// The flags that take a value, those with the same offer on one line.
std::string value_cases(const std::vector<Flag>& flags) {
  std::map<std::string, std::vector<std::string>> names_by_settings;
  for (const Flag& flag : flags) {
    if (flag.takes == Flag::Takes::nothing) continue;
    names_by_settings[settings_of(offer_of(flag))].push_back(names_of(flag));
  }
  std::string cases;
  for (const auto& [settings, names] : names_by_settings) {
    cases += fmt::format("    {}) {};;\n", joined(names, " | "), settings.empty() ? "" : settings + " ");
  }
  return cases;
}

std::string command_case(const Command& command, const Offer& bare) {
  std::vector<std::string> names;
  std::vector<std::string> repeatable;
  const std::vector<Flag> flags = flags_of(command);
  for (const Flag& flag : flags) {
    names.push_back("--" + flag.name);
    if (flag.takes == Flag::Takes::values) repeatable.push_back("--" + flag.name);
  }
  return fmt::format(
      "  {}) flags='{}' repeatable=' {} '\n    case $2 in\n{}    *) value= {} ;;\n    esac\n    ;;\n",
      "'" + command.name + "'", joined(names, " "), joined(repeatable, " "), value_cases(flags),
      settings_of(bare));
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands, Language) {
  const Offer subcommands{subcommand_names(commands), Offer::Paths::none};
  std::string script = bash_head + command_case(attnlab_command(), subcommands);
  for (const Command& command : commands) script += command_case(command, offer_of(command, commands));
  return script + bash_tail;
}

}  // namespace attnlab
