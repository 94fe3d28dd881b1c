// What a task says: src/tasks/NAME.toml, in both languages.
#pragma once

#include "experiments/framework/parameter.hpp"
#include "tasks/framework/task.hpp"

namespace attnlab {

/// The sentences of a task, with the values that a run gives to the names in them.
class TaskWords {
 public:
  /// Throws std::logic_error where the task has no file.
  explicit TaskWords(const std::string& task_name, SentenceValues values = {});

  /// The values beside those that are there; they take the place of others of their name.
  TaskWords with(const SentenceValues& more) const;

  bool has(const std::string& key) const { return sentences_->count(key) == 1; }
  /// As it stands in the file. Throws std::out_of_range where it does not.
  const Text& plain(const std::string& key) const { return sentences_->at(key); }
  /// With the values that it names.
  Text operator()(const std::string& key) const { return filled(plain(key), values_); }
  Paragraph paragraph(Role role, const std::string& key) const { return {role, (*this)(key)}; }
  Paragraph say(const std::string& key = "say") const { return paragraph(Role::say, key); }
  Paragraph misunderstanding() const { return paragraph(Role::misunderstanding, "misunderstanding"); }

  /// A flag, of which `"--NAME"` says what it does.
  Parameter flag(const std::string& name, ParameterKind kind, std::string default_text) const;

  /// The words of a list in one language, parted by blanks.
  std::vector<std::string> list(const std::string& key, Language language) const;

 private:
  const Sentences* sentences_;
  SentenceValues values_;
};

/// The weight on what is wanted, called as the task's words call their "measure".
HeadMeasure head_measure(const Task& task, const std::string& name, WantedReads wanted);

/// What all trainings say: src/tasks/training.toml.
TaskWords training_words(SentenceValues values = {});

}  // namespace attnlab
