// The mistakes: a training done right, one done wrong, and the two ways of looking at either.
#include "tasks/all_tasks.hpp"
#include "tasks/mistakes/trained_mistake.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t padding = 112;  // beside a sequence of 128 tokens
constexpr std::size_t few_examples = 64;

Batch held_out(const Looked& at) { return at.task.held_out; }

/// What a model with --examples was trained on; for one without, as many sequences that it has not seen.
Batch training_sequences(const Looked& at) {
  NumpyRandom random = examples_stream(at.settings);
  return at.task.draw(random, few_examples);
}

Batch other_period(const Looked& at) {
  const Settings eleven{{"shortest", "11"}, {"longest", "11"}};
  return repetition(arguments_for(at.mistake.experiment(), {at.mistake.common, eleven}, at.settings.seed))
      .held_out;
}

/// The beginnings of the held-out sequences, of which the last word alone is to be answered.
Batch beginnings(const Batch& whole, std::size_t tokens) {
  Batch cut{whole.sequences, tokens, {}, {}};
  for (std::size_t i = 0; i < whole.sequences; ++i) {
    const auto from = whole.inputs.begin() + static_cast<std::ptrdiff_t>(i * whole.tokens);
    cut.inputs.insert(cut.inputs.end(), from, from + static_cast<std::ptrdiff_t>(tokens));
    cut.targets.insert(cut.targets.end(), tokens - 1, no_target);
    cut.targets.push_back(whole.targets[i * whole.tokens + tokens - 1]);
  }
  return cut;
}

/// As a generator reads: what has been said so far.
Batch answered_so_far(const Looked& at) {
  return beginnings(at.task.held_out, at.task.held_out.tokens * 3 / 4);
}

/// A dictionary of n pairs has n questions behind it.
Batch first_question(const Looked& at) {
  return beginnings(at.task.held_out, at.task.held_out.tokens * 2 / 3 + 1);
}

/// As they stand in a batch with a longer sequence: word 0 fills them up. Where the filling is masked, nobody
/// reads it: the sequences are as they were.
Batch padded(const Looked& at) {
  const Batch& bare = at.task.held_out;
  if (at.training == Looked::Training::right) return bare;
  Batch longer{bare.sequences, bare.tokens + padding, {}, {}};
  for (std::size_t i = 0; i < bare.sequences; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(i * bare.tokens);
    const auto to = from + static_cast<std::ptrdiff_t>(bare.tokens);
    longer.inputs.insert(longer.inputs.end(), bare.inputs.begin() + from, bare.inputs.begin() + to);
    longer.inputs.insert(longer.inputs.end(), padding, 0);
    longer.targets.insert(longer.targets.end(), bare.targets.begin() + from, bare.targets.begin() + to);
    longer.targets.insert(longer.targets.end(), padding, no_target);
  }
  return longer;
}

/// With places for the padding.
Task roomy_reversal(const Arguments& arguments) {
  Task task = reversal(arguments);
  task.shape.tokens += padding;
  return task;
}

}  // namespace

const std::vector<TrainedMistake>& trained_mistakes() {
  static const std::vector<TrainedMistake> table{
      {"period",
       induction_task,
       repetition,
       {{"steps", "600"}},
       {{"shortest", "16"}, {"longest", "16"}},
       held_out,
       other_period},
      {"mask", induction_task, repetition, {{"steps", "600"}}, {{"mask", "none"}}, held_out, answered_so_far},
      {"axis",
       dictionary_task,
       dictionaries,
       {{"steps", "1000"}},
       {{"softmax-axis", "queries"}},
       held_out,
       first_question},
      {"padding", reverse_task, roomy_reversal, {{"steps", "300"}}, {}, held_out, padded},
      {"examples",
       dictionary_task,
       dictionaries,
       {{"steps", "500"}},
       {{"examples", std::to_string(few_examples)}},
       training_sequences,
       held_out}};
  return table;
}

}  // namespace attnlab
