// `attnlab completion SHELL`: the script with which the shell asks `attnlab complete` what may follow.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/embedded_file.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names{"bash", "zsh", "fish"};
  return names;
}

Ending run_completion(const ParsedCommand& parsed, Language language) {
  const std::string name =
      only_topic(parsed, {"completion にシェルの名前がありません", "completion needs the name of a shell"},
                 {"例：attnlab completion bash", "for example: attnlab completion bash"});
  for (const EmbeddedFile& script : completion_files()) {
    if (script.path != "attnlab." + name) continue;
    std::string text(script.text);
    const std::string question = " complete ";  // in the language of whoever asks, unless --lang says another
    if (parsed.is_set("lang"))
      text.insert(text.find(question + "--") + question.size(), "--lang " + code_of(language) + " ");
    write_output(text);
    return Ending::done;
  }
  refuse_usage(
      text("シェル {} の補完はありません", "there is no completion for the shell {}", quotation(name)),
      suggestion_or(name, shells(), {"bash、zsh、fish から選んでください", "choose bash, zsh or fish"}));
}

}  // namespace

Command completion_command() {
  return {"completion",
          command_words("completion"),
          {general_group()},
          run_completion,
          Text::same(fmt::format(" {}", joined(shells(), "|"))),
          [](const std::vector<Command>&) { return Offer{shells()}; }};
}

}  // namespace attnlab
