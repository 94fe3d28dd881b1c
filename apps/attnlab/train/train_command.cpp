// `attnlab train TASK`: an experiment whose run is a training.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/documents/documents.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

std::vector<std::string> task_words() {
  std::vector<std::string> words;
  for (const Experiment& task : tasks()) words.push_back(task.task);
  return words;
}

std::optional<Command> train_of(const std::string& word) {
  const Experiment* task = find_task(word);
  if (task == nullptr) return std::nullopt;
  return train_command(task);
}

Ending run_train(const ParsedCommand& parsed, Language language) {
  const Text hint{"課題の一覧は `attnlab train --list` で見られます",
                  "`attnlab train --list` shows the tasks"};
  if (parsed.command.experiment == nullptr) {
    if (parsed.is_set("list")) {
      write_output(experiment_list(tasks(), language));
      return Ending::done;
    }
    const std::string word =
        only_topic(parsed, {"train に課題名がありません", "train needs a task"},
                   {"例：attnlab train reverse。一覧は `attnlab train --list` で見られます",
                    "for example attnlab train reverse; `attnlab train --list` shows the tasks"});
    const std::vector<std::string> words = task_words();
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      refuse_usage(text("{} は train のすぐ後ろに書きます", "{} must stand right after train", word), hint);
    }
    refuse_usage(text("課題 {} はありません", "there is no task {}", quotation(word)),
                 suggestion_before(word, words, hint));
  }
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return run_experiment(parsed, language);
}

/// Flags that the task itself has; a training is no program of a few lines, and its stages are not drawn one
/// by one.
void leave_out(std::vector<FlagGroup>& groups, const Experiment& task) {
  for (std::size_t i = 1; i < groups.size(); ++i) {
    std::vector<Flag>& flags = groups[i].flags;
    flags.erase(std::remove_if(flags.begin(), flags.end(),
                               [&](const Flag& flag) {
                                 const bool is_code = flag.name == "code" || flag.name == "steps";
                                 return (is_code && task.may_be_stopped) ||
                                        find_named(task.parameters, flag.name) != nullptr;
                               }),
                flags.end());
  }
}

}  // namespace

Command train_command(const Experiment* task) {
  Command command;
  if (task != nullptr) {
    command = experiment_command(*task);
    leave_out(command.groups, *task);
    if (find_named(task->parameters, "model") != nullptr) {
      command.groups.front().flags.push_back(flag("save-model", "FILE.safetensors").repeated());
      command.groups.front().flags.push_back(flag("film", "FILE").repeated());
    }
    command.is_experiment = false;
    command.argument = Text::same(" " + task->task);
  } else {
    command.shows = {"小さな Transformer をこの場で学習させ、ヘッドが何を覚えたかを見ます",
                     "train a small Transformer here, and see what its heads learn"};
    command.groups = {{{"課題", "Tasks"}, {flag("list")}}, general_group()};
    command.argument = {" 課題名", " TASK"};
    command.offer = [](const std::vector<Command>&) { return Offer{task_words()}; };
  }
  command.name = "train";
  command.run = run_train;
  command.of_word = train_of;
  return command;
}

}  // namespace attnlab
