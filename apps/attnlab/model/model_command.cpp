// `attnlab model` and `attnlab generation`: experiments over a model on the user's disk.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "io/learned_model.hpp"
#include "model/generation_experiment.hpp"
#include "model/model_experiment.hpp"
#include "model/run.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {
namespace {

/// `attnlab model` by itself.
void list_shipped_models(Language language) {
  Table table{{{"モデル", "Model"}, {"内容", "What it is"}}};
  for (const std::string& name : shipped_models()) {
    Arguments arguments(model_experiment().parameters);
    arguments.set("model", name);
    const auto files = std::static_pointer_cast<const ModelFiles>(open_model_files(arguments));
    table.rows.push_back({name, model_summary(*files->opened)});
  }
  write_output(to_terminal(
      {Paragraph::heading("付属のモデル", "The models that come along"), std::move(table),
       Paragraph::note(
           "例：attnlab model text \"Alice was beginning to\"。手もとのモデルは、そのフォルダーを指定します。",
           "For example attnlab model text \"Alice was beginning to\"; name the folder of your own model.")},
      language, output_colouring()));
}

/// The vocabulary, a word a line.
std::string words_of(const OpenedModel& opened) {
  if (!opened.tokenizer) refuse_model("no_tokenizer", {{"model", quotation(opened.checkpoint.name)}});
  std::string lines;
  for (std::size_t token = 0; token < opened.tokenizer->size; ++token)
    lines += opened.tokenizer->label(token) + "\n";
  return lines;
}

Ending run_or_list(const ParsedCommand& parsed, Language language) {
  const bool is_alone = std::all_of(parsed.values.begin(), parsed.values.end(), [](const auto& flag) {
    return flag.first == "lang" || flag.first == "list";
  });
  if (is_alone) {
    list_shipped_models(language);
    return Ending::done;
  }
  if (!parsed.given("list") && !parsed.given("words"))
    return experiment_command(model_experiment()).run(parsed, language);
  Arguments arguments(model_experiment().parameters);
  for (const char* name : {"model", "tokenizer"}) {
    if (parsed.given(name)) arguments.set(name, parsed.value(name));
  }
  const auto files = std::static_pointer_cast<const ModelFiles>(open_model_files(arguments));
  write_output(parsed.given("words") ? words_of(*files->opened) : model_listing(*files->opened, language));
  return Ending::done;
}

}  // namespace

Command model_command() {
  Command command = experiment_command(model_experiment());
  command.is_experiment = false;
  command.run = run_or_list;
  command.groups.front().flags.push_back(flag(
      "list", "モデルが何かを示して終わります：系統、層、ヘッド、幅、トークナイザー、読まなかったテンソル",
      "say what the model is, and stop: family, layers, heads, widths, tokenizer, tensors that were not read"));
  command.groups.front().flags.push_back(flag("words", "モデルの語彙を 1 行に 1 語ずつ示して終わります",
                                              "print the model's vocabulary, a word a line, and stop"));
  return command;
}

Command generation_command() {
  Command command = experiment_command(generation_experiment());
  command.is_experiment = false;
  return command;
}

}  // namespace attnlab
