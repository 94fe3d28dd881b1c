#include "attnlab/documents/documents.hpp"

#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

struct Shell {
  std::string name;
  /// The script, from the commands as a shell completes them. zsh and fish show a line about each word.
  std::string (*script)(const std::vector<Command>& commands, Language language);
};

const std::vector<Shell>& shells() {
  static const std::vector<Shell> all{
      {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
  return all;
}

Ending run_completion(const ParsedCommand& parsed, Language language) {
  const std::string name =
      only_topic(parsed, {"completion にシェルの名前がありません", "completion needs the name of a shell"},
                 {"例：attnlab completion bash", "for example: attnlab completion bash"});
  const Shell* shell = find_named(shells(), name);
  if (shell == nullptr) {
    refuse_usage(
        text("シェル {} の補完はありません", "there is no completion for the shell {}", quotation(name)),
        suggestion_or(name, names_of(shells()),
                      {"bash、zsh、fish から選んでください", "choose bash, zsh or fish"}));
  }
  write_output(shell->script(completed_commands(subcommands(experiments())), language));
  return Ending::done;
}

}  // namespace

std::vector<std::string> shell_names() {
  return names_of(shells());
}

Command completion_command() {
  return {"completion",
          {"シェルの補完スクリプトを表示します：サブコマンド、オプション、その値",
           "print the script with which a shell completes subcommands, flags and values"},
          {general_group()},
          run_completion,
          Text::same(fmt::format(" {}", joined(names_of(shells()), "|"))),
          [](const std::vector<Command>&) {
            return Offer{shell_names(), Offer::Paths::none};
          }};
}

}  // namespace attnlab
