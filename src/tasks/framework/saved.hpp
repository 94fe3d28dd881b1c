// A trained model for a file, and from one.
#pragma once

#include "tasks/framework/learning.hpp"

namespace attnlab {

/// Its parameters under GPT-2's names and in GPT-2's layout: c_attn, c_proj and c_fc are (in, out). Metadata:
/// the words that are read and said.
LearnedModel saved_model(const Learned& learned);

/// The words that a model reads ("words") or says ("answers"), and how long its sequences may be. Throw Error
/// (failed) where it does not tell.
std::vector<std::string> words_of(const LearnedModel& saved, const std::string& key);
std::size_t tokens_of(const LearnedModel& saved);

/// A task without sequences, for a saved model whose file is not there: it answers what is typed. Throws
/// Error (usage) where nothing is. The flag of the file is called as the task.
Task task_of_words(const std::string& task_name, const Arguments& arguments);

/// The model of the task's shape and words. Throws Error (failed) where it has other ones, naming the first
/// that differs.
Model<double> restored_model(const LearnedModel& saved, const Task& task);

/// What stands behind --model, beside the random weights that it began with; else a training (see learn()). A
/// sequence that was typed (--input) takes the example's place. Throws Error (usage) for a sequence of
/// unknown words or too many.
Learned learned_from(Task task, const Arguments& arguments, const Context& context, double from = 0.0,
                     double to = 1.0);

/// The words of a typed sequence by their numbers: parted by blanks, or, where there is none, single
/// characters. Throws Error (usage).
std::vector<int> read_sequence(const std::string& typed, const Task& task);

}  // namespace attnlab
