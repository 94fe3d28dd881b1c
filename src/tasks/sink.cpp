// `train sink`: why the first token takes everything. A head is needed at one sign alone, where it fetches
// the letter before it; everywhere else whatever it fetched would be in the way. But weights sum to 1: what
// is not needed has to go somewhere, and the first token, which every query sees and which says nothing,
// takes it. With 1 added to the denominator a query may read nothing, and needs no such place; with a gate
// behind the head it may let nothing pass. Sources: Xiao et al. 2023, "Efficient streaming language models
// with attention sinks"; Miller 2023, "Attention is off by one"; Qiu et al. 2025, "Gated attention for large
// language models".
#include <xtensor/xview.hpp>

#include "core/counted.hpp"
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

/// The heads of both models side by side, which the task's words call `plain` and `other`.
Figure both_heads(const Learned& learned, const TaskWords& words, const Control& control,
                  const std::string& other) {
  return Figure{"sink", words("sink" + other)}
      .described(words("sink_description" + other))
      .captioned(words("sink_caption" + other))
      .panel(words("sink_plain" + other), first_head("plain", learned.snapshots.back().weights, learned))
      .panel(words("sink_other" + other), first_head("other", control.weights, learned))
      .sharing_scale(weight_colours())
      .on_page(11.0, 5.4);
}

/// Both softmaxes, and what they have done with the first token.
void report_control(const Learned& learned, TrainingReport& training) {
  if (learned.task.shape.softmax.denominator == Denominator::sum_plus_one)
    training.learned.erase(training.learned.begin());  // its weights need not go anywhere
  if (training.controls.empty()) return;
  const Control& control = training.controls.front();
  training.scalars.push_back({"first_token_weight_plus_one", control.measure});
  const TaskWords words = training.words.with({{"control", control.measure}});
  training.figures.push_back(both_heads(learned, words, control, ""));
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
    compare_with(task, arguments, 0.5, [&](ModelShape& shape) {
      if (arguments.is_on("gate")) {
        shape.is_gated = true;
      } else {
        shape.softmax.denominator = Denominator::sum_plus_one;
      }
    });
  }
  task.complete = report_control;
  return task;
}

// --- --gate: the same head with and without one, over five seeds

constexpr std::size_t seeds = 5;

/// The weight on the first token of both heads that one seed has trained, and their accuracies.
struct PairOfHeads {
  std::uint32_t seed = 0;
  Point plain;
  Point gated;
};

/// The run's own and those of the seeds behind it; fewer where someone stopped it.
std::vector<PairOfHeads> with_more_seeds(const PairOfHeads& first, const Arguments& arguments,
                                         const Context& context, double from) {
  std::vector<PairOfHeads> pairs{first};
  const double share = (1.0 - from) / static_cast<double>(2 * (seeds - 1));
  for (std::size_t i = 1; i < seeds; ++i) {
    Arguments own = arguments;
    own.set("seed", std::to_string(static_cast<std::uint32_t>(first.seed + i)));
    const Task task = sinking(own);
    const LearningSettings settings = learning_settings(own);
    const double begin = from + static_cast<double>(2 * (i - 1)) * share;
    const Learned plain = learn(task, settings, context, begin, begin + share);
    if (plain.was_stopped()) break;
    const Learned gated =
        learn(with_shape(task, task.control->shape), settings, context, begin + share, begin + 2.0 * share);
    if (gated.was_stopped()) break;
    pairs.push_back({settings.seed, plain.points.back(), gated.points.back()});
  }
  return pairs;
}

std::vector<double> weights_of(const std::vector<PairOfHeads>& pairs, Point PairOfHeads::*head) {
  std::vector<double> weights;
  weights.reserve(pairs.size());
  for (const PairOfHeads& pair : pairs) weights.push_back((pair.*head).measure);
  return weights;
}

Table table_of(const std::vector<PairOfHeads>& pairs, const TaskWords& words) {
  Table table{{words("seed"), words("weight_plain"), words("weight_gated"), words("accuracy_plain"),
               words("accuracy_gated")}};
  const auto number = [](double value) { return fmt::format("{:.3f}", value); };
  for (const auto& [seed, plain, gated] : pairs)
    table.rows.push_back({std::to_string(seed), number(plain.measure), number(gated.measure),
                          number(plain.accuracy), number(gated.accuracy)});
  return table;
}

/// A point a seed and head.
Figure seeds_figure(const std::vector<PairOfHeads>& pairs, const TaskWords& words) {
  std::vector<double> numbers;
  numbers.reserve(pairs.size());
  for (const PairOfHeads& pair : pairs) numbers.push_back(static_cast<double>(pair.seed));
  return Figure{"seeds", words("seeds_title")}
      .described(words("seeds_description"))
      .captioned(words("seeds_caption"))
      .panel(Chart{Axis{words("seed")},
                   Axis{words("measure")}.within(0.0, 1.05),
                   {Points{"weight_plain", numbers, weights_of(pairs, &PairOfHeads::plain), series_ink(0),
                           words("sink_plain_gate")},
                    Points{"weight_gated", numbers, weights_of(pairs, &PairOfHeads::gated), series_ink(1),
                           words("sink_other_gate")}}})
      .on_page(9.5, 5.6);
}

void report_gate(const Learned& learned, const std::vector<PairOfHeads>& pairs, TrainingReport& training) {
  const Control& control = training.controls.front();
  const double plain = mean_of(weights_of(pairs, &PairOfHeads::plain)).mean;
  const double gated = mean_of(weights_of(pairs, &PairOfHeads::gated)).mean;
  const auto lower = std::count_if(pairs.begin(), pairs.end(), [](const PairOfHeads& pair) {
    return pair.gated.measure < pair.plain.measure;
  });
  const TaskWords words = training.words.with({{"control", control.measure},
                                               {"seeds", counted(pairs.size(), "seed")},
                                               {"lower", static_cast<std::size_t>(lower)},
                                               {"plain", plain},
                                               {"gated", gated}});
  training.scalars = {{"first_token_weight_gated", control.measure},
                      {"mean_first_token_weight", plain},
                      {"mean_first_token_weight_gated", gated}};
  training.closing = {words.say("say_gate"), words.paragraph(Role::heading, "by_seed"),
                      table_of(pairs, words), words.paragraph(Role::text, "published")};
  training.figures = {both_heads(learned, words, control, "_gate"), seeds_figure(pairs, words)};
}

Report run_sink(const Arguments& arguments, const Context& context) {
  Task task = sinking(arguments);
  if (!arguments.is_on("gate")) return learn_and_report(task, arguments, context);
  const TaskWords words("sink");
  if (!task.control || arguments.sources.model) refuse_usage(words("no_pair"), words("no_pair_hint"));
  task.control->name = words("sink_other_gate");
  constexpr double own_share = 1.0 / static_cast<double>(seeds);
  task.complete = [&](const Learned& learned, TrainingReport& training) {
    if (training.controls.empty()) return;
    const Control& control = training.controls.front();
    const PairOfHeads first{learning_settings(arguments).seed,
                            learned.points.back(),
                            {learned.steps, 0.0, control.accuracy, control.measure}};
    report_gate(learned, with_more_seeds(first, arguments, context, own_share), training);
  };
  Context own = context;
  own.progress = [&](double fraction) { context.progress(own_share * fraction); };
  return learn_and_report(task, arguments, own);
}

}  // namespace

Experiment sink_task() {
  const TaskWords words("sink");
  return learning_task(
      "sink",
      training_parameters(
          {words.flag("length", IntegerKind{{4, 256}}, "16"),
           words.flag("letters", IntegerKind{{2, 26}}, "12"),
           words.flag("share", NumberKind{{0.01, 0.9}}, "0.15"), words.flag("gate", SwitchKind{}, "off"),
           words.flag("no-control", SwitchKind{}, "off")},
          {{"mask", "causal"}, {"mlp", "64"}, {"rate", "0.01"}, {"steps", "2000"}}),
      run_sink);
}

}  // namespace attnlab
