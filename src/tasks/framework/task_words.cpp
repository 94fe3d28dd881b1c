#include "tasks/framework/task_words.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

const Sentences& sentences_of(const std::string& task_name) {
  static const std::map<std::string, Sentences> all = [] {
    std::map<std::string, Sentences> read;
    for (const EmbeddedFile& file : task_word_files()) {
      read.emplace(file.path.substr(0, file.path.find('.')), read_sentences(file));
    }
    return read;
  }();
  const auto found = all.find(task_name);
  if (found == all.end()) throw std::logic_error("no src/tasks/" + task_name + ".toml");
  return found->second;
}

}  // namespace

TaskWords::TaskWords(const std::string& task_name, SentenceValues values)
    : sentences_(&sentences_of(task_name)), values_(std::move(values)) {}

TaskWords TaskWords::with(const SentenceValues& more) const {
  TaskWords words = *this;
  for (const auto& [name, value] : more) words.values_.insert_or_assign(name, value);
  return words;
}

Parameter TaskWords::flag(const std::string& name, ParameterKind kind, std::string default_text) const {
  return {name, std::move(kind), std::move(default_text), plain("--" + name)};
}

std::vector<std::string> TaskWords::list(const std::string& key, Language language) const {
  return split(plain(key).in(language), " ");
}

HeadMeasure head_measure(const Task& task, const std::string& name, WantedReads wanted) {
  return {name, TaskWords(task.task_name).plain("measure"), weight_on(std::move(wanted))};
}

TaskWords training_words(SentenceValues values) { return TaskWords("training", std::move(values)); }

}  // namespace attnlab
