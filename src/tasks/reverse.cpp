// `train reverse`: a sequence backwards. What stands at place i is to be said at place n − 1 − i, whatever it
// is: the heads can only learn where to read, and positions alone tell them.
#include <xtensor/xview.hpp>

#include "tasks/all_tasks.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t reversals_held_out = 256;

Batch draw_reversed(NumpyRandom& random, std::size_t sequences, std::size_t length, std::size_t symbols) {
  Batch batch{sequences, length, std::vector<int>(sequences * length), std::vector<int>(sequences * length)};
  for (std::size_t i = 0; i < sequences; ++i) {
    int* input = batch.inputs.data() + i * length;
    for (std::size_t k = 0; k < length; ++k) input[k] = draw_index(random, symbols);
    std::reverse_copy(input, input + length, batch.targets.data() + i * length);
  }
  return batch;
}

/// Place i reads place n − 1 − i.
std::vector<WantedRead> mirrored(const int* /*input*/, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = 0; i < n; ++i) reads.push_back({i, n - 1 - i});
  return reads;
}

}  // namespace

Task reversal(const Arguments& arguments) {
  const std::size_t length = arguments.count("length");
  const std::size_t symbols = arguments.count("symbols");
  Task task{"reverse", {{"symbols", symbols}, {"tokens", length}}};
  task.shape = model_shape(arguments, symbols, symbols, length);
  task.words = task.answers = numbered_words(symbols);
  task.draw = [=](NumpyRandom& random, std::size_t sequences) {
    return draw_reversed(random, sequences, length, symbols);
  };
  hold_out(task, arguments, reversals_held_out, task.draw);
  task.measure = head_measure(task, "antidiagonal_weight", mirrored);
  if (task.shape.positions != Positions::none)
    compare_with(task, arguments, 0.5, [](ModelShape& shape) { shape.positions = Positions::none; });
  task.complete = [](const Learned& learned, TrainingReport& training) {
    const ModelShape& shape = learned.task.shape;
    if (shape.positions == Positions::rotary && shape.layers == 1)
      training.failure = training.words("failure_rotary");
  };
  return task;
}

Experiment reverse_task() {
  const TaskWords words("reverse");
  return learning_task("reverse",
                       training_parameters({words.flag("length", IntegerKind{{2, 128}}, "16"),
                                            words.flag("symbols", IntegerKind{{2, 100}}, "10"),
                                            words.flag("no-control", SwitchKind{}, "off")}),
                       learned_report<reversal>);
}

}  // namespace attnlab
