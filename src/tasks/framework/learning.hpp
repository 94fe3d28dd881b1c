// A training from beginning to end, with what is kept of it on the way.
#pragma once

#include "tasks/framework/held_out_error.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "training/trainer.hpp"

namespace attnlab {

/// What the held-out sequences said at one moment.
struct Point {
  std::size_t step = 0;
  double loss = 0.0;
  double accuracy = 0.0;
  double measure = 0.0;  // the task's, where it has one
};

/// The heads over the example at one moment. weights (layers, heads, tokens, tokens)
struct Snapshot {
  std::size_t step = 0;
  Tensor<double> weights;
};

struct Learned {
  Task task;
  Model<double> model;              // as it stands after the last step
  std::vector<Point> points;        // from before the first step to after the last
  std::vector<Snapshot> snapshots;  // likewise
  std::size_t steps = 0;            // that were done: fewer than wanted where someone stopped the run
  std::size_t wanted = 0;
  bool is_double = false;
  std::size_t met = 0;  // held-out sequences that the training drew as well: where there are few to draw
  bool was_trained() const { return wanted > 0; }  // else it came from a file
  bool was_stopped() const { return steps < wanted; }
  bool was_tested() const { return task.held_out.sequences > 0; }

  // What a sentence about the run may take for granted.
  /// Nine of ten answers are right.
  bool has_learned() const { return points.back().accuracy >= 0.9; }
  /// More answers are right than before the training; of a model from a file nobody knows.
  bool has_gained() const;
  /// A head gives what the task wants it to read most of its weight, and did not before.
  bool has_found() const {
    return points.back().measure >= 0.5 && points.back().measure > points.front().measure + 0.1;
  }
};

/// How a run learns, apart from what.
struct LearningSettings {
  OptimiserSettings optimiser;
  std::size_t steps = 1000;
  std::size_t batch = 64;
  std::size_t examples = 0;  // different sequences that are trained on; 0: no limit
  bool is_double = false;
  std::string rng = "numpy";
  std::uint32_t seed = 0;  // of the model's first numbers; batches are drawn from the stream of seed + 1
};
LearningSettings learning_settings(const Arguments& arguments);

/// Draws the held-out sequences of the stream of seed + 2; the first becomes the example.
void hold_out(Task& task, const Arguments& arguments, std::size_t sequences, const DrawBatch& draw);

/// Unless --no-control: the task's control is its own model with one thing changed, whose training begins
/// at this share of the whole work. The task's words name it.
void compare_with(Task& task, const Arguments& arguments, double from,
                  const std::function<void(ModelShape&)>& change);

/// The stream of the few sequences that --examples trains on: that of seed + 4.
NumpyRandom examples_stream(const LearningSettings& settings);

/// `from` and `to`: the share of the whole work that this run is, for the progress bar. Ends after the
/// current step where the context says stop. Throws Error (failed) before the first where it would need more
/// memory than there is, and when the loss is no number any more, naming the step and the likely cause.
Learned learn(const Task& task, const LearningSettings& settings, const Context& context, double from = 0.0,
              double to = 1.0);

/// Throws Error (failed): a comparison was stopped before there was anything to compare.
[[noreturn]] void refuse_stopped();

/// The model as it stands before the first step.
Model<double> first_model(const Task& task, const LearningSettings& settings);

/// The loss and the accuracy of the model; NaN of no sequence.
BatchLoss evaluate(const Model<double>& model, const Batch& batch);

/// The task's measure of the model's heads, over some of the held-out sequences; 0 without one.
template <class T>
double measured_heads(const Model<T>& model, const Task& task);

/// The heads over the example.
template <class T>
Snapshot snapshot_of(const Model<T>& model, const Task& task, std::size_t step);

/// All heads over these sequences: (sequences, layers, heads, tokens, tokens); with a source those of
/// cross-attention, (sequences, layers, heads, tokens, tokens of the source).
template <class T>
Tensor<double> weights_over(const Model<T>& model, const Batch& batch);

/// The most likely answer at every place: (sequences · tokens).
template <class T>
std::vector<int> answers_to(const Model<T>& model, const Batch& batch);

/// Answers with their probabilities, the likeliest first.
struct Likeliest {
  std::vector<ShortText> names;
  std::vector<double> shares;
};

/// What may come behind the batch's one sequence, at most so many of these words.
Likeliest likeliest_next(const Model<double>& model, const Batch& sequence,
                         const std::vector<std::string>& words, std::size_t most);

}  // namespace attnlab
