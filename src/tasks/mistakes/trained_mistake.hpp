// Mistakes of a training: what its author measures looks well, what they want to know does not.
#pragma once

#include "tasks/contrast/contrast.hpp"
#include "tasks/framework/learning.hpp"
#include "tasks/framework/task_words.hpp"

namespace attnlab {

struct TrainedMistake;

/// A training that is looked at.
struct Looked {
  enum class Training { right, wrong };

  const TrainedMistake& mistake;
  const Task& task;
  const LearningSettings& settings;
  Training training;
};

/// Its words are those of mistakes.toml that begin with its name: "mask_title".
struct TrainedMistake {
  std::string name;
  Experiment (*experiment)();
  Task (*task)(const Arguments&);
  Settings common;                      // of the right and the wrong training
  Settings wrong;                       // over the common ones
  Batch (*measured)(const Looked& at);  // the sequences that its author looks at
  Batch (*wanted)(const Looked& at);    // those that they want to know of

  const Text& says(const std::string& what) const { return TaskWords("mistakes").plain(name + "_" + what); }
};

/// In the order of --of's words.
const std::vector<TrainedMistake>& trained_mistakes();

/// One training, looked at in both ways.
struct TwoViews {
  double measured = 0.0;  // accuracies
  double wanted = 0.0;
  Tensor<double> weights;  // over the first of the wanted sequences: (layers, heads, tokens, tokens)
};

struct TrainedMistakeRun {
  const TrainedMistake* mistake = nullptr;
  std::vector<TwoViews> right;  // by seed
  std::vector<TwoViews> wrong;
};

/// Trains right and wrong with the seeds first, first + 1, ... Where the context says stop, the seeds so far.
TrainedMistakeRun train_mistake(const TrainedMistake& mistake, std::size_t seeds, std::uint32_t first,
                                const Context& context);

}  // namespace attnlab
