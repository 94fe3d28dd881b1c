// `train dictionary`: pairs of a key and a value, then questions. A key is asked for, its value is to be
// said: the slides' dictionary, but nobody tells the model what query, key and value are.
#include "tasks/all_tasks.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t dictionaries_held_out = 256;
constexpr std::size_t most_keys = 26;

struct DictionarySizes {
  std::size_t pairs;
  std::size_t keys;
  std::size_t values;
  std::size_t tokens() const { return 3 * pairs; }
};

/// key value key value ... and then every key once more, in another order. Keys are the words 0, 1, ...;
/// values come behind them.
Batch draw_dictionaries(NumpyRandom& random, std::size_t sequences, const DictionarySizes& sizes) {
  const std::size_t length = sizes.tokens();
  Batch batch{sequences, length, {}, std::vector<int>(sequences * length, no_target)};
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::vector<int> keys = draw_different(random, sizes.pairs, sizes.keys);
    std::vector<int> values;
    for (const int key : keys) {
      values.push_back(draw_index(random, sizes.values));
      batch.inputs.insert(batch.inputs.end(), {key, static_cast<int>(sizes.keys) + values.back()});
    }
    const std::vector<int> questions = draw_different(random, sizes.pairs, sizes.pairs);
    for (std::size_t k = 0; k < questions.size(); ++k) {
      const auto requested = static_cast<std::size_t>(questions[k]);
      batch.inputs.push_back(keys[requested]);
      batch.targets[i * length + 2 * sizes.pairs + k] = values[requested];
    }
  }
  return batch;
}

/// A question reads the value behind its key.
std::vector<WantedRead> requested_values(const int* input, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = 2 * n / 3; i < n; ++i) {
    reads.push_back({i, static_cast<std::size_t>(std::find(input, input + n, input[i]) - input) + 1});
  }
  return reads;
}

}  // namespace

Task dictionaries(const Arguments& arguments) {
  const DictionarySizes sizes{arguments.count("pairs"), std::max<std::size_t>(arguments.count("pairs"), 10),
                              arguments.count("values")};
  Task task{"dictionary", {{"pairs", sizes.pairs}}};
  task.shape = model_shape(arguments, sizes.keys + sizes.values, sizes.values, sizes.tokens());
  task.answers = numbered_words(sizes.values);
  for (std::size_t i = 0; i < sizes.keys; ++i) task.words.emplace_back(1, static_cast<char>('A' + i));
  task.words = all_words({task.words, task.answers});
  task.draw = [sizes](NumpyRandom& random, std::size_t sequences) {
    return draw_dictionaries(random, sequences, sizes);
  };
  hold_out(task, arguments, dictionaries_held_out, task.draw);
  task.measure = head_measure(task, "weight_on_the_value", requested_values);
  return task;
}

Experiment dictionary_task() {
  const TaskWords words("dictionary");
  return learning_task(
      "dictionary",
      training_parameters({words.flag("pairs", IntegerKind{{2, static_cast<long long>(most_keys)}}, "5"),
                           words.flag("values", IntegerKind{{2, 100}}, "10")},
                          {{"layers", "2"}, {"heads", "2"}, {"mask", "causal"}, {"steps", "1500"}}),
      learned_report<dictionaries>);
}

}  // namespace attnlab
