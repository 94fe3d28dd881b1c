// `train induction`: random tokens that repeat themselves. The second time round, what comes next is what
// came next before: a head of the second layer finds the token's earlier place, which a head of the first
// layer has marked with what stood before it. Source: Olsson et al. 2022, "In-context learning and induction
// heads".
#include <xtensor/xview.hpp>

#include "core/error.hpp"
#include "tasks/all_tasks.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t repetitions_held_out = 128;

struct InductionData {
  std::size_t length;
  std::size_t symbols;
  std::size_t shortest;  // period
  std::size_t longest;
};

/// The symbols of one period are all different, so that what came next before is the answer. Places 0, ...,
/// period − 1 cannot be foretold; from then on every next token can.
Batch draw_repeated(NumpyRandom& random, std::size_t sequences, const InductionData& data) {
  const std::size_t length = data.length;
  Batch batch{sequences, length, std::vector<int>(sequences * length),
              std::vector<int>(sequences * length, no_target)};
  std::vector<int> row(length + 1);  // a sequence, and what would come next
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::size_t period =
        data.shortest + static_cast<std::size_t>(draw_index(random, data.longest - data.shortest + 1));
    const std::vector<int> symbols = draw_different(random, period, data.symbols);
    for (std::size_t k = 0; k <= length; ++k) row[k] = k < period ? symbols[k] : row[k - period];
    for (std::size_t k = 0; k < length; ++k) {
      batch.inputs[i * length + k] = row[k];
      if (k >= period) batch.targets[i * length + k] = row[k + 1];
    }
  }
  return batch;
}

/// A query in the second half reads all places behind earlier occurrences of its own token. The weight on
/// them is the prefix-matching score.
std::vector<WantedRead> followers(const int* input, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = n / 2; i < n; ++i) {
    for (std::size_t j = 1; j <= i; ++j) {
      if (input[j - 1] == input[i]) reads.push_back({i, j});
    }
  }
  return reads;
}

/// Only the second half counts for the accuracy: a period may be as long as the first.
Batch second_half(Batch batch) {
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    if (i % batch.tokens < batch.tokens / 2) batch.targets[i] = no_target;
  }
  return batch;
}

}  // namespace

Task repetition(const Arguments& arguments) {
  const InductionData data{arguments.count("length"), arguments.count("symbols"), arguments.count("shortest"),
                           arguments.count("longest")};
  Task task{"induction",
            {{"length", data.length},
             {"symbols", data.symbols},
             {"shortest", data.shortest},
             {"longest", data.longest}}};
  const TaskWords words("induction", task.values);
  if (data.shortest > data.longest || 2 * data.longest > data.length || data.longest > data.symbols)
    refuse_usage(words("no_periods"), words("no_periods_hint"));
  task.shape = model_shape(arguments, data.symbols, data.symbols, data.length);
  task.words = task.answers = numbered_words(data.symbols);
  task.draw = [data](NumpyRandom& random, std::size_t sequences) {
    return draw_repeated(random, sequences, data);
  };
  hold_out(task, arguments, repetitions_held_out, [&](NumpyRandom& random, std::size_t sequences) {
    return second_half(task.draw(random, sequences));
  });
  task.measure = head_measure(task, "prefix_matching_score", followers);
  if (task.shape.layers > 1) compare_with(task, arguments, 0.65, [](ModelShape& shape) { shape.layers = 1; });
  task.complete = [](const Learned& learned, TrainingReport& training) {
    if (learned.met > 0) training.learned.pop_back();  // there it may have learned by heart
  };
  return task;
}

Experiment induction_task() {
  const TaskWords words("induction");
  return learning_task("induction",
                       training_parameters({words.flag("length", IntegerKind{{4, 256}}, "32"),
                                            words.flag("symbols", IntegerKind{{2, 200}}, "20"),
                                            words.flag("shortest", IntegerKind{{1, 128}}, "5"),
                                            words.flag("longest", IntegerKind{{1, 128}}, "16"),
                                            words.flag("no-control", SwitchKind{}, "off")},
                                           {{"layers", "2"}, {"heads", "2"}, {"mask", "causal"}}),
                       learned_report<repetition>);
}

}  // namespace attnlab
