// `attnlab model` and `attnlab generation`: experiments over a model on the user's disk.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "io/learned_model.hpp"
#include "model/card/card.hpp"
#include "model/model_experiment.hpp"
#include "model/run.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {
namespace {

/// A translator, which is no stack of layers, is shown by the experiment about what it does.
bool is_translator(const std::string& model) {
  const std::filesystem::path path = model;
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(path, ignored) && path.extension() == ".safetensors";
  const bool is_shipped = !is_on_disk(model) && comes_along(model);
  if (!is_file && !is_shipped) return false;
  const auto metadata = stored_model(shipped_for(model, Language::en)).metadata;
  const auto task = metadata.find("task");
  return task != metadata.end() && task->second == "train translate";
}

/// `attnlab model` by itself.
void list_shipped_models(Language language) {
  Table table{{{"モデル", "Model"}, {"内容", "What it is"}}};
  for (const std::string& name : shipped_models()) {
    if (is_translator(name)) {
      table.rows.push_back(
          {name, Text{"翻訳：エンコーダーとデコーダー", "translates: an encoder and a decoder"}});
      continue;
    }
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

/// `attnlab model translate.en-ja "..."`.
Ending translate(const ParsedCommand& parsed, Language language) {
  ParsedCommand translating = parsed;
  translating.command = experiment_command(*find_experiment("cross-attention"));
  for (const auto& [name, values] : parsed.values) {
    if (find_flag(translating.command, name) != nullptr) continue;
    refuse_usage(
        text("--{} は翻訳するモデルにはありません", "--{} has no meaning for a model that translates", name),
        {"attnlab cross-attention --help に、使えるものがあります",
         "attnlab cross-attention --help lists what it takes"});
  }
  translating.command.experiment = over_model(*translating.command.experiment);
  return run_experiment(translating, language);
}

/// Whether the configuration alone is asked for: nothing is computed.
bool wants_card(const ParsedCommand& parsed) {
  const std::vector<std::string> figures = parsed.all("figure");
  const bool has_only_cards = std::all_of(figures.begin(), figures.end(), [](const std::string& figure) {
    return figure == "architecture" || figure == "cache";
  });
  return (!figures.empty() && has_only_cards) ||
         std::filesystem::path(parsed.value("model")).extension() == ".json";
}

/// `attnlab model config.json`, `attnlab model FOLDER --figure architecture`.
Ending show_card(const ParsedCommand& parsed, Language language) {
  ParsedCommand showing = parsed;
  showing.command = experiment_command(card_experiment());
  for (const auto& [name, values] : parsed.values) {
    if (find_flag(showing.command, name) != nullptr) continue;
    refuse_usage(text("設定だけを見るとき、--{} は使えません",
                      "--{} has no meaning for the configuration alone", name),
                 {"モデルと --figure architecture か cache だけを指定してください",
                  "give the model and --figure architecture or cache alone"});
  }
  return run_experiment(showing, language);
}

Ending run_or_list(const ParsedCommand& parsed, Language language) {
  const bool is_alone = std::all_of(parsed.values.begin(), parsed.values.end(), [](const auto& flag) {
    return flag.first == "lang" || flag.first == "list";
  });
  if (is_alone) {
    list_shipped_models(language);
    return Ending::done;
  }
  if (wants_card(parsed)) return show_card(parsed, language);
  if (is_translator(parsed.value("model"))) return translate(parsed, language);
  if (!parsed.is_set("list") && !parsed.is_set("words"))
    return experiment_command(model_experiment()).run(parsed, language);
  Arguments arguments(model_experiment().parameters);
  for (const char* name : {"model", "tokenizer"}) {
    if (parsed.is_set(name)) arguments.set(name, parsed.value(name));
  }
  const auto files = std::static_pointer_cast<const ModelFiles>(open_model_files(arguments));
  write_output(parsed.is_set("words") ? words_of(*files->opened) : model_listing(*files->opened, language));
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
