// `train sink`: why the first token takes everything. A head is needed at one sign alone, where it fetches
// the letter before it; everywhere else whatever it fetched would be in the way. But weights sum to 1: what
// is not needed has to go somewhere, and the first token, which every query sees and which says nothing,
// takes it. With 1 added to the denominator a query may read nothing, and needs no such place. Sources: Xiao
// et al. 2023, "Efficient streaming language models with attention sinks"; Miller 2023, "Attention is off by
// one".
#include <xtensor/xview.hpp>

#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t sequences_held_out = 256;
constexpr int start = 0;  // the numbers of the signs; letters follow
constexpr int fetch = 1;
constexpr int first_letter = 2;
constexpr std::size_t choices = 3;  // letters that may follow a letter

struct SinkData {
  std::size_t length;
  std::size_t letters;
  double share;  // of places behind a letter that are a sign
};

/// Which letters may follow a letter, all equally likely: the same for every seed.
std::vector<std::vector<int>> followers_of(std::size_t letters) {
  NumpyRandom random(0);
  std::vector<std::vector<int>> followers;
  for (std::size_t i = 0; i < letters; ++i)
    followers.push_back(draw_different(random, std::min<std::size_t>(choices, letters), letters));
  return followers;
}

/// The next token is to be said. Behind a letter it is one of those that may follow it, or the sign: no other
/// token tells more. Behind the sign it is the letter before it once more.
Batch draw_signs(NumpyRandom& random, std::size_t sequences, const SinkData& data,
                 const std::vector<std::vector<int>>& followers) {
  Batch batch{sequences, data.length, std::vector<int>(sequences * data.length),
              std::vector<int>(sequences * data.length)};
  std::vector<int> row(data.length + 1);
  for (std::size_t i = 0; i < sequences; ++i) {
    row[0] = start;
    row[1] = first_letter + draw_index(random, data.letters);
    for (std::size_t k = 2; k <= data.length; ++k) {
      if (row[k - 1] == fetch) {
        row[k] = row[k - 2];
      } else if (random.uniform() < data.share) {
        row[k] = fetch;
      } else {
        const std::vector<int>& next = followers[static_cast<std::size_t>(row[k - 1] - first_letter)];
        row[k] = first_letter + next[static_cast<std::size_t>(draw_index(random, next.size()))];
      }
    }
    if (std::find(row.begin(), row.end(), fetch) == row.end()) {  // every sequence asks once at least
      row[data.length - 1] = fetch;
      row[data.length] = row[data.length - 2];
    }
    std::copy_n(row.begin(), data.length,
                batch.inputs.begin() + static_cast<std::ptrdiff_t>(i * data.length));
    std::copy_n(row.begin() + 1, data.length,
                batch.targets.begin() + static_cast<std::ptrdiff_t>(i * data.length));
  }
  return batch;
}

/// What comes behind the sign alone: nothing else can be known.
Batch requested_at_signs(Batch batch) {
  for (std::size_t i = 0; i < batch.targets.size(); ++i)
    if (batch.inputs[i] != fetch) batch.targets[i] = no_target;
  return batch;
}

/// Letters have nothing to fetch: where they put their weight is what is measured.
std::vector<WantedRead> idle(const int* input, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = 1; i < n; ++i) {
    if (input[i] >= first_letter) reads.push_back({i, 0});
  }
  return reads;
}

std::vector<std::string> words_of(std::size_t letters) {
  std::vector<std::string> words{"[", "?"};
  for (std::size_t i = 0; i < letters; ++i) words.emplace_back(1, static_cast<char>('a' + i));
  return words;
}

/// The first head over the example.
HeatMap first_head(const std::string& id, const Tensor<double>& weights, const Learned& learned) {
  const Batch& example = learned.task.example;
  const std::vector<ShortText> tokens = short_texts(spelled(example.inputs, learned.task.words));
  const Tensor<double> head = xt::view(weights, 0, 0, xt::all(), xt::all());
  return HeatMap{id, to_matrix(head)}
      .rows({"クエリ", "Query"}, tokens)
      .columns({"キー", "Key"}, tokens)
      .coloured(weight_colours());
}

/// Both softmaxes side by side, and what they have done with the first token.
void report_control(const Learned& learned, TrainingReport& training) {
  if (learned.task.shape.softmax.denominator == Denominator::sum_plus_one)
    training.learned.erase(training.learned.begin());  // its weights need not go anywhere
  if (training.controls.empty()) return;
  const Control& control = training.controls.front();
  training.scalars.push_back({"first_token_weight_plus_one", control.measure});
  const TaskWords words = training.words.with({{"control", control.measure}});
  training.figures.push_back(
      Figure{"sink", words("sink")}
          .described(words("sink_description"))
          .captioned(words("sink_caption"))
          .panel(words("sink_plain"), first_head("plain", learned.snapshots.back().weights, learned))
          .panel(words("sink_plus_one"), first_head("plus_one", control.weights, learned))
          .sharing_scale(weight_colours())
          .on_page(11.0, 5.4));
  const bool does_without = control.accuracy >= 0.9 && control.measure < learned.points.back().measure / 2.0;
  if (learned.has_found() && does_without) {
    training.learned.erase(training.learned.begin());
    training.learned.insert(training.learned.begin(), words.say("say_plus_one"));
  }
}

Task sinking(const Arguments& arguments) {
  const SinkData data{arguments.count("length"), arguments.count("letters"), arguments.number("share")};
  Task task{"sink", {{"letters", data.letters}, {"length", data.length}}};
  const std::size_t vocabulary = data.letters + static_cast<std::size_t>(first_letter);
  task.shape = model_shape(arguments, vocabulary, vocabulary, data.length);
  task.words = task.answers = words_of(data.letters);
  task.draw = [data, followers = followers_of(data.letters)](NumpyRandom& random, std::size_t sequences) {
    return draw_signs(random, sequences, data, followers);
  };
  hold_out(task, arguments, sequences_held_out, [&](NumpyRandom& random, std::size_t sequences) {
    return requested_at_signs(task.draw(random, sequences));
  });
  task.measure = head_measure(task, "first_token_weight", idle);
  if (task.shape.softmax.denominator == Denominator::sum) {
    compare_with(task, arguments, 0.5,
                 [](ModelShape& shape) { shape.softmax.denominator = Denominator::sum_plus_one; });
  }
  task.complete = report_control;
  return task;
}

}  // namespace

Experiment sink_task() {
  const TaskWords words("sink");
  return learning_task(
      "sink",
      training_parameters({words.flag("length", IntegerKind{{4, 256}}, "16"),
                           words.flag("letters", IntegerKind{{2, 26}}, "12"),
                           words.flag("share", NumberKind{{0.01, 0.9}}, "0.15"),
                           words.flag("no-control", SwitchKind{}, "off")},
                          {{"mask", "causal"}, {"mlp", "64"}, {"rate", "0.01"}, {"steps", "2000"}}),
      learned_report<sinking>);
}

}  // namespace attnlab
