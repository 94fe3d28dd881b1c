#include "attnlab/documents/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attnlab/command_line/offer.hpp"
#include "attnlab/refusals.hpp"
#include "attnlab/suggestions.hpp"
#include "core/utf8.hpp"

namespace attnlab {

std::vector<std::string> shell_names() {
  return {"bash", "zsh", "fish"};
}

Shell shell_named(const std::string& name) {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  const std::optional<std::string> meant = did_you_mean(name, shell_names());
  refuse({fmt::format("シェル {} の補完はありません", quotation(name)),
          fmt::format("there is no completion for the shell {}", quotation(name))},
         {meant ? fmt::format("{} のことですか", *meant) : "bash、zsh、fish から選んでください",
          meant ? fmt::format("did you mean {}?", *meant) : "choose bash, zsh or fish"});
}

std::string completion_script(Shell shell, const std::vector<Command>& commands, Language language) {
  const std::vector<Command> complete = completed_commands(commands);
  switch (shell) {
    case Shell::bash:
      return bash_completion(complete);
    case Shell::zsh:
      return zsh_completion(complete, language);
    case Shell::fish:
      break;
  }
  return fish_completion(complete, language);
}

}  // namespace attnlab
