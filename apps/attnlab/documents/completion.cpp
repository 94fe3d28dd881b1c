#include "attnlab/documents/documents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attnlab/command_line/refusals.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"

namespace attnlab {

std::vector<std::string> shell_names() {
  return {"bash", "zsh", "fish"};
}

namespace {

enum class Shell { bash, zsh, fish };

Shell shell_named(const std::string& name) {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  refuse(
      text("シェル {} の補完はありません", "there is no completion for the shell {}", quotation(name)),
      suggestion_or(name, shell_names(), {"bash、zsh、fish から選んでください", "choose bash, zsh or fish"}));
}

/// The script, made from the table of commands. zsh and fish show a line about each word in the language.
std::string completion_script(Shell shell, Language language) {
  const std::vector<Command> complete = completed_commands(subcommands(experiments()));
  if (shell == Shell::bash) return bash_completion(complete);
  return shell == Shell::zsh ? zsh_completion(complete, language) : fish_completion(complete, language);
}

Ending run_completion(const ParsedCommand& parsed, Language language) {
  const std::string shell =
      only_topic(parsed, {"completion にシェルの名前がありません", "completion needs the name of a shell"},
                 {"例：attnlab completion bash", "for example: attnlab completion bash"});
  write_output(completion_script(shell_named(shell), language));
  return Ending::done;
}

Offer any_shell(const std::vector<Command>&) {
  return {shell_names(), Offer::Paths::none};
}

}  // namespace

Command completion_command() {
  return {"completion",
          {"シェルの補完スクリプトを表示します：サブコマンド、オプション、その値",
           "print the script with which a shell completes subcommands, flags and values"},
          {general_group()},
          run_completion,
          Text::same(fmt::format(" {}", fmt::join(shell_names(), "|"))),
          any_shell};
}

}  // namespace attnlab
