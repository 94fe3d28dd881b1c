#include "tasks/framework/learning.hpp"

#include <xtensor/xview.hpp>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/number_order.hpp"
#include "training/initialise.hpp"

namespace attnlab {
namespace {

constexpr std::size_t moments_of_a_run = 40;
constexpr std::size_t sequences_measured = 32;

/// The steps before which the model is looked at: dense at first, where most happens. i² / 40² of the way.
std::set<std::size_t> moments_of(std::size_t steps) {
  std::set<std::size_t> moments;
  for (std::size_t i = 0; i < moments_of_a_run; ++i) {
    moments.insert(steps * i * i / (moments_of_a_run * moments_of_a_run));
  }
  return moments;
}

[[noreturn]] void refuse_loss(std::size_t step, const LearningSettings& settings, const ModelShape& shape) {
  const TaskWords words = training_words({{"step", step}, {"rate", settings.optimiser.rate}});
  const bool is_unscaled = shape.scale.has_value() && settings.optimiser.rate <= 0.01;
  refuse_failed(words("no_number"), words(is_unscaled ? "no_number_unscaled" : "no_number_rate"));
}

template <class T>
Model<T> initialised(const Task& task, const LearningSettings& settings) {
  Model<T> model(task.shape);
  if (settings.rng == "torch") {
    initialise(model, TorchRandom(settings.seed));
  } else {
    initialise(model, NumpyRandom(settings.seed));
  }
  return model;
}

/// Of the task's sequences, or of a few that were drawn once.
DrawBatch draws_of(const Task& task, const LearningSettings& settings) {
  if (settings.examples == 0) return task.draw;
  NumpyRandom random = examples_stream(settings);
  return [all = task.draw(random, settings.examples)](NumpyRandom& stream, std::size_t sequences) {
    return drawn_from(all, stream, sequences);
  };
}

/// Of one of the task's sequences, as a batch holds it.
double bytes_of_sequence(const Task& task) {
  const auto numbers = [](const auto& all) { return static_cast<double>(sizeof(all[0]) * all.size()); };
  const Batch one = first_of(task.held_out);
  return numbers(one.inputs) + numbers(one.targets) + numbers(one.sources) + numbers(one.patches);
}

/// Before anything is drawn: what the training will hold at once, and what one of its steps, which nobody can
/// stop, multiplies.
void require_reasonable(const Task& task, const LearningSettings& settings, std::size_t number) {
  const ModelShape& shape = task.shape;
  constexpr double of_double = sizeof(double);
  const auto of_number = static_cast<double>(number);
  const double parameters = static_cast<double>(places_of(shape).size);
  const auto weights = static_cast<double>(shape.layers * shape.heads * shape.tokens * shape.longest());
  const double trainer = of_number * (parameters + Trainer<double>::numbers_of(shape, settings.batch));
  const double model = 2.0 * of_double * parameters;
  const double examples = bytes_of_sequence(task) * static_cast<double>(settings.examples);
  const double kept = of_double * weights * (moments_of_a_run + 2);
  const double measured =
      task.measure ? sequences_measured * of_double * weights +
                         of_number * numbers_of_pass(shape, sequences_at_once(shape, sequences_measured))
                   : 0.0;
  constexpr double gigabyte = 1e9;
  constexpr double most_gigabytes = 2.0;
  constexpr double most_products = 1e13;  // some minutes
  const double needed = (trainer + model + examples + kept + measured) / gigabyte;
  const double products = 3.0 * products_of_pass(shape, std::max(settings.batch, task.held_out.sequences));
  const double allowed = std::min(most_gigabytes, available_memory() / gigabyte);
  const TaskWords words = training_words(
      {{"needed", needed}, {"allowed", allowed}, {"products", products}, {"most", most_products}});
  const bool is_of_examples = examples > 0.5 * needed * gigabyte;
  if (needed > allowed)
    refuse_failed(words("no_memory"), words(is_of_examples ? "fewer_examples" : "smaller_model"));
  if (products > most_products) refuse_failed(words("long_step"), words("smaller_batch"));
}

/// Notices held-out sequences among those that are trained on.
class Meetings {
 public:
  explicit Meetings(const Batch& held_out) {
    for (std::size_t i = 0; i < held_out.sequences; ++i) ++new_[sequence(held_out, i)];
  }
  void look_at(const Batch& batch) {
    for (std::size_t i = 0; i < batch.sequences && !new_.empty(); ++i) {
      const auto found = new_.find(sequence(batch, i));
      if (found == new_.end()) continue;
      met_ += found->second;
      new_.erase(found);
    }
  }
  std::size_t count() const { return met_; }

 private:
  static std::vector<int> sequence(const Batch& batch, std::size_t i) {
    const int* first = batch.inputs.data() + i * batch.tokens;
    const int* source = batch.sources.data() + i * batch.source_tokens;
    std::vector<int> words(first, first + batch.tokens);
    words.insert(words.end(), source, source + batch.source_tokens);
    const std::size_t numbers = batch.tokens * batch.pixels;
    for (std::size_t k = 0; k < numbers; ++k)  // of a picture, in 255 steps
      words.push_back(static_cast<int>(std::lround(255.0F * batch.patches[i * numbers + k])));
    return words;
  }
  std::map<std::vector<int>, std::size_t> new_;  // how often each is held out
  std::size_t met_ = 0;
};

template <class T>
Learned learn_in(const Task& task, const LearningSettings& settings, const Context& context, double from,
                 double to) {
  require_reasonable(task, settings, sizeof(T));
  Model<T> model = initialised<T>(task, settings);
  Meetings meetings(task.held_out);
  Learned learned{task, Model<double>(task.shape), {}, {}, 0, settings.steps, settings.is_double};
  Trainer<T> trainer(model, settings.optimiser, settings.steps, settings.batch);
  const auto keep = [&](std::size_t step) {
    const BatchLoss now = trainer.evaluate(task.held_out);
    learned.points.push_back({step, now.loss, now.accuracy, measured_heads(model, task)});
    learned.snapshots.push_back(snapshot_of(model, task, step));
    if (context.state)
      context.state(training_words({{"loss", now.loss}, {"accuracy", now.accuracy}})("state"));
  };
  const std::set<std::size_t> moments = moments_of(settings.steps);
  NumpyRandom batches(settings.seed + 1);
  const DrawBatch draw = draws_of(task, settings);
  std::size_t step = 0;
  for (; step < settings.steps; ++step) {
    if (context.stops && context.stops()) break;
    if (moments.count(step) != 0) keep(step);
    const Batch batch = draw(batches, settings.batch);
    meetings.look_at(batch);
    const BatchLoss loss = trainer.step(batch);
    if (!std::isfinite(loss.loss)) refuse_loss(step, settings, task.shape);
    context.progress(from +
                     (to - from) * static_cast<double>(step + 1) / static_cast<double>(settings.steps));
  }
  keep(step);
  if (!std::isfinite(learned.points.back().loss)) refuse_loss(step, settings, task.shape);
  learned.steps = step;
  learned.met = meetings.count();
  learned.model = model_in<double>(model);
  return learned;
}

}  // namespace

bool Learned::has_gained() const {
  return !was_trained() ||
         is_clearly_above(points.back().accuracy, points.front().accuracy, task.held_out.counted());
}

void refuse_stopped() { refuse_failed(training_words()("no_seed"), training_words()("no_seed_hint")); }

LearningSettings learning_settings(const Arguments& arguments) {
  LearningSettings settings;
  settings.optimiser = optimiser_settings(arguments);
  settings.steps = arguments.count("steps");
  settings.batch = arguments.count("batch");
  settings.examples = arguments.count("examples");
  settings.is_double = arguments.text("dtype") == "float64";
  settings.rng = arguments.text("rng");
  settings.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  return settings;
}

void hold_out(Task& task, const Arguments& arguments, std::size_t sequences, const DrawBatch& draw) {
  NumpyRandom random(learning_settings(arguments).seed + 2);
  task.held_out = draw(random, sequences);
  task.example = first_of(task.held_out);
}

void compare_with(Task& task, const Arguments& arguments, double from,
                  const std::function<void(ModelShape&)>& change) {
  if (arguments.is_on("no-control")) return;
  task.control =
      TaskControl{"control_accuracy", TaskWords(task.task_name).plain("control"), task.shape, from};
  change(task.control->shape);
}

NumpyRandom examples_stream(const LearningSettings& settings) { return NumpyRandom(settings.seed + 4); }

Learned learn(const Task& task, const LearningSettings& settings, const Context& context, double from,
              double to) {
  return settings.is_double ? learn_in<double>(task, settings, context, from, to)
                            : learn_in<float>(task, settings, context, from, to);
}

Model<double> first_model(const Task& task, const LearningSettings& settings) {
  return settings.is_double ? initialised<double>(task, settings)
                            : model_in<double>(initialised<float>(task, settings));
}

BatchLoss evaluate(const Model<double>& model, const Batch& batch) {
  if (batch.sequences == 0) return {not_a_number, not_a_number};
  const std::size_t at_once = sequences_at_once(model.shape, batch.sequences);
  Pass<double> pass(model, at_once);
  LossSum sum;
  for (std::size_t first = 0; first < batch.sequences; first += at_once) {
    pass.forward(model, batch, first, std::min(at_once, batch.sequences - first));
    sum += pass.loss(batch, 1.0);
  }
  const auto counted = static_cast<double>(sum.counted);
  return {sum.loss / counted, static_cast<double>(sum.correct) / counted};
}

template <class T>
Tensor<double> weights_over(const Model<T>& model, const Batch& batch) {
  const ModelShape& shape = model.shape;
  const std::size_t at_once = sequences_at_once(shape, batch.sequences);
  Pass<T> pass(model, at_once);
  const std::size_t keys = shape.source.tokens > 0 ? batch.source_tokens : batch.tokens;
  Tensor<double> all =
      Tensor<double>::from_shape({batch.sequences, shape.layers, shape.heads, batch.tokens, keys});
  double* to = all.data();
  for (std::size_t sequence = 0; sequence < batch.sequences; ++sequence) {
    if (sequence % at_once == 0)
      pass.forward(model, batch, sequence, std::min(at_once, batch.sequences - sequence));
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        const T* weights = pass.stack().head(layer, head, sequence % at_once).weights.data;
        to = std::copy_n(weights, batch.tokens * keys, to);
      }
    }
  }
  return all;
}

template <class T>
double measured_heads(const Model<T>& model, const Task& task) {
  if (!task.measure) return 0.0;
  const Batch some = first_of(task.held_out, sequences_measured);
  return task.measure->measure(some, weights_over(model, some));
}

template <class T>
Snapshot snapshot_of(const Model<T>& model, const Task& task, std::size_t step) {
  return {step, xt::view(weights_over(model, task.example), 0)};
}

template <class T>
std::vector<int> answers_to(const Model<T>& model, const Batch& batch) {
  const std::size_t at_once = sequences_at_once(model.shape, batch.sequences);
  Pass<T> pass(model, at_once);
  std::vector<int> answers;
  for (std::size_t first = 0; first < batch.sequences; first += at_once) {
    const StridedMatrix<T> logits =
        pass.forward(model, batch, first, std::min(at_once, batch.sequences - first));
    for (std::size_t i = 0; i < logits.rows; ++i) {
      const T* row = logits.row(i);
      answers.push_back(static_cast<int>(std::max_element(row, row + logits.columns) - row));
    }
  }
  return answers;
}

Likeliest likeliest_next(const Model<double>& model, const Batch& sequence,
                         const std::vector<std::string>& words, std::size_t most) {
  Pass<double> pass(model, 1);
  const StridedMatrix<double> logits = pass.forward(model, sequence, 0, 1);
  double* row = logits.row(sequence.tokens - 1);
  softmax_row(row, logits.columns);
  std::vector<std::size_t> order(logits.columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return larger_first(row[a], row[b]); });
  order.resize(std::min(most, order.size()));
  Likeliest found;
  for (const std::size_t word : order) {
    found.names.emplace_back(Text::same(words[word]));
    found.shares.push_back(row[word]);
  }
  return found;
}

template std::vector<int> answers_to(const Model<float>&, const Batch&);
template std::vector<int> answers_to(const Model<double>&, const Batch&);
template double measured_heads(const Model<double>&, const Task&);
template Snapshot snapshot_of(const Model<double>&, const Task&, std::size_t);
template Tensor<double> weights_over(const Model<float>&, const Batch&);
template Tensor<double> weights_over(const Model<double>&, const Batch&);

}  // namespace attnlab
