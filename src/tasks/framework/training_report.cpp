#include "tasks/framework/training_report.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/weight_summary.hpp"
#include "core/counted.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {
namespace {

constexpr std::size_t rows_of_table = 6;

std::vector<Stage> stages_of(const Learned& learned, const Tensor<double>& without_heads) {
  const std::vector<std::string> heads{"layers", "heads", "queries", "keys"};
  const auto of_points = [&](const std::string& name, double Point::*value) {
    return learned_stage(name, to_tensor(values_of_points(learned, value)), {"points"});
  };
  std::vector<Stage> stages{learned_stage("steps", to_tensor(steps_of(learned)), {"points"}),
                            of_points("loss", &Point::loss), of_points("accuracy", &Point::accuracy)};
  if (learned.task.measure) stages.push_back(of_points(learned.task.measure->name, &Point::measure));
  append(stages, {learned_stage("weights_before", learned.snapshots.front().weights, heads),
                  learned_stage("weights", learned.snapshots.back().weights, heads)});
  if (without_heads.dimension() > 0)
    stages.push_back(learned_stage("accuracy_without_head", without_heads, {"layers", "heads"}));
  return stages;
}

std::vector<Scalar> scalars_of(const Learned& learned, const TrainingReport& training) {
  const Point& last = learned.points.back();
  std::vector<Scalar> scalars;
  if (learned.was_tested())
    scalars = {{learned.task.accuracy, last.accuracy},
               {"held_out_loss", last.loss},
               {"held_out_met", static_cast<double>(learned.met)}};
  if (learned.task.measure) scalars.push_back({learned.task.measure->name, last.measure});
  for (const Control& control : training.controls) scalars.push_back({control.scalar, control.accuracy});
  scalars.insert(scalars.end(), training.scalars.begin(), training.scalars.end());
  scalars.insert(scalars.end(), {{"parameters", static_cast<double>(learned.model.places.size)},
                                 {"steps", static_cast<double>(learned.steps)}});
  return scalars;
}

/// What a causal mask lets through of the weights on later keys: nothing.
double weight_on_the_future(const Tensor<double>& weights) {
  const std::size_t tokens = weights.shape().back();
  double most = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool is_later = i % tokens > i / tokens % tokens;
    if (is_later) most = worst(most, weights.flat(i));
  }
  return most;
}

/// By how much the fullest row exceeds 1; 0 of none.
double row_sum_excess(const Tensor<double>& weights) {
  const std::size_t keys = weights.shape().back();
  double most = 0.0;
  for (std::size_t begin = 0; begin < weights.size(); begin += keys) {
    const double* row = weights.data() + begin;
    most = worst(most, std::accumulate(row, row + keys, 0.0) - 1.0);
  }
  return most;
}

std::vector<Invariant> invariants_of(const Learned& learned) {
  const Tensor<double>& weights = learned.snapshots.back().weights;
  const double rounding = 1e-6 * std::sqrt(static_cast<double>(weights.shape().back()));
  const auto holds = [](const char* name, double error, double tolerance, const char* words) {
    const Text& sentence = training_words().plain(words);
    return invariant(name, error, tolerance, sentence.ja(), sentence.en());
  };
  const bool is_whole = learned.task.shape.softmax.denominator == Denominator::sum;
  std::vector<Invariant> invariants{
      is_whole ? holds("weights_sum_to_one", row_sum_error(weights), rounding, "rows_sum_to_one")
               : holds("weights_sum_to_at_most_one", row_sum_excess(weights), rounding,
                       "rows_sum_to_at_most_one")};
  if (learned.task.shape.reading == Reading::what_came_before && !learned.task.reads_source())
    invariants.push_back(
        holds("no_weight_on_the_future", weight_on_the_future(weights), 0.0, "no_later_key"));
  return invariants;
}

// --- Words

Text described_model(const ModelShape& shape, std::size_t parameters) {
  const TaskWords words = training_words({{"hidden", shape.hidden},
                                          {"layers", counted(shape.layers, "layer")},
                                          {"heads", counted(shape.heads, "head")},
                                          {"width", shape.width},
                                          {"encoder", counted(shape.source.layers, "layer")},
                                          {"parameters", parameters}});
  const bool has_norm = shape.norm != NormPlace::none;
  const bool is_causal = shape.reading != Reading::everything;
  return words.with({{"mlp", words(shape.hidden == 0 ? "no_mlp" : "mlp")},
                     {"norm", has_norm ? Text::same(shape.norm == NormPlace::pre ? "pre-norm" : "post-norm")
                                       : words("no_norm")},
                     {"positions", words(fmt::format("positions_{}", static_cast<int>(shape.positions)))},
                     {"mask", is_causal ? words("causal_mask") : Text::none()},
                     {"source", shape.source.tokens > 0 ? words("with_encoder") : Text::none()}})("model");
}

/// A table whose columns are called so.
Table table_of(std::initializer_list<const char*> columns) {
  Table table;
  for (const char* column : columns)
    table.header.push_back(training_words().plain(std::string("column_") + column));
  return table;
}

Table course(const Learned& learned) {
  const std::optional<HeadMeasure>& measure = learned.task.measure;
  Table table = table_of({"step", "loss", "accuracy"});
  if (measure) table.header.push_back(measure->label);
  const std::size_t last = learned.points.size() - 1;
  std::set<std::size_t> shown;
  for (std::size_t i = 0; i < rows_of_table; ++i) shown.insert(last * i / (rows_of_table - 1));
  for (const std::size_t i : shown) {
    const Point& point = learned.points[i];
    std::vector<ShortText> row{std::to_string(point.step),
                               fmt::format(fmt::runtime(point.loss < 1e6 ? "{:.4f}" : "{:.4g}"), point.loss),
                               fmt::format("{:.4f}", point.accuracy)};
    if (measure) row.emplace_back(fmt::format("{:.4f}", point.measure));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What each head does on the example: where its weight lies on the average. Of a typed one nothing else is
/// told; without a head the accuracy is that of the held-out sequences.
Table roles(const Learned& learned, const Tensor<double>& without_heads) {
  const Tensor<double>& weights = learned.snapshots.back().weights;
  const std::size_t tokens = weights.shape().back();
  const std::vector<WeightSummary> summaries = summarise_weights(
      weights, RowFlags(weights.size() / tokens, false), {{0, tokens}, {0, tokens}, tokens, tokens});
  Table table = table_of({"head", "largest", "own", "previous", "first", "distance"});
  const bool has_ablation = without_heads.dimension() > 0 && !learned.task.has_typed_example;
  if (has_ablation) table.header.push_back(training_words()("column_silenced"));
  const std::size_t heads = learned.task.shape.heads;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const WeightStatistics& statistics = summaries[i].statistics;
    const auto number = [](double value) { return fmt::format("{:.3f}", value); };
    table.rows.push_back({fmt::format("{}, {}", i / heads, i % heads), number(statistics.largest),
                          number(statistics.on_own), number(statistics.on_previous),
                          number(statistics.on_first), fmt::format("{:.1f}", statistics.distance)});
    if (has_ablation) table.rows.back().emplace_back(number(without_heads.flat(i)));
  }
  return table;
}

std::string word(const std::vector<std::string>& words, int number) {
  return words.at(static_cast<std::size_t>(number));
}

/// Where the example is asked for an answer: where it has a target, or, where it was typed, where the
/// held-out sequences have one behind a word that is asked for there; or else everywhere.
std::vector<std::size_t> requested_places(const Learned& learned) {
  const Batch& sequence = learned.task.example;
  const Batch& known = learned.task.has_typed_example ? learned.task.held_out : sequence;
  std::set<std::size_t> places;
  std::set<int> words;
  for (std::size_t i = 0; i < known.targets.size(); ++i) {
    if (known.targets[i] == no_target) continue;
    places.insert(i % known.tokens);
    words.insert(known.inputs[i]);
  }
  std::vector<std::size_t> requested;
  for (std::size_t i = 0; i < sequence.tokens; ++i) {
    if (places.count(i) != 0 && words.count(sequence.inputs[i]) != 0) requested.push_back(i);
  }
  if (requested.empty()) {
    requested.resize(sequence.tokens);
    std::iota(requested.begin(), requested.end(), std::size_t{0});
  }
  return requested;
}

/// The example, what is wanted, and what the model says; of a typed sequence nobody knows what is wanted.
Table example(const Learned& learned) {
  const Batch& sequence = learned.task.example;
  const bool is_typed = learned.task.has_typed_example;
  const std::vector<int> answered = answers_to(learned.model, sequence);
  Table table =
      is_typed ? table_of({"place", "input", "answer"}) : table_of({"place", "input", "target", "answer"});
  for (const std::size_t i : requested_places(learned)) {
    std::vector<ShortText> row{std::to_string(i), word(learned.task.words, sequence.inputs[i])};
    if (!is_typed) row.emplace_back(word(learned.task.answers, sequence.targets[i]));
    row.emplace_back(word(learned.task.answers, answered[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "At its last 3 places the model says: 4 2 7".
Paragraph typed_answer(const Learned& learned, const TrainingReport& training) {
  if (training.typed_answer) return {Role::say, *training.typed_answer};
  const std::vector<int> all = answers_to(learned.model, learned.task.example);
  std::vector<std::string> answered;
  std::vector<std::string> read;
  for (const std::size_t place : requested_places(learned)) {
    read.push_back(word(learned.task.words, learned.task.example.inputs[place]));
    answered.push_back(word(learned.task.answers, all[place]));
  }
  return training_words({{"read", joined(read, " ")}, {"answer", joined(answered, " ")}}).say("typed_answer");
}

/// What came of it, in numbers.
Paragraph result_of(const Learned& learned, const TrainingReport& training) {
  const TaskWords words = training_words(values_of(learned)).with({{"failure", training.failure}});
  return words.say(learned.has_learned() ? "learned" : "not_learned");
}

/// Of a task with a measure: no word of success where there is none.
TrainingReport as_it_came(const Learned& learned, TrainingReport training) {
  if (!learned.task.measure) return training;
  const TaskWords words = training_words(values_of(learned));
  if (!learned.has_found()) {
    training.weights_title = words("weights_as_they_came");
    training.weights_description = words("weights_as_they_came_description");
  }
  const bool has_succeeded = learned.has_found() && learned.has_learned();
  if (!has_succeeded) {
    training.learned.clear();
    training.learning_title = words("learning_as_it_came");
  }
  training.learned.insert(training.learned.end(), training.closing.begin(), training.closing.end());
  training.closing = std::move(training.learned);
  const bool has_point =
      std::any_of(training.closing.begin(), training.closing.end(), [](const Block& block) {
        const auto* paragraph = std::get_if<Paragraph>(&block);
        return paragraph != nullptr && paragraph->role == Role::say;
      });
  if (!has_point || !has_succeeded)
    training.closing.insert(training.closing.begin(), result_of(learned, training));
  return training;
}

std::vector<Block> body_of(const Learned& learned, const TrainingReport& training,
                           const Tensor<double>& without_heads) {
  const TaskWords words = training_words(values_of(learned));
  std::vector<Block> body{
      Paragraph{Role::heading, training.heading}, Paragraph{Role::text, training.data},
      Paragraph{Role::text, described_model(learned.task.shape, learned.model.places.size)}};
  if (learned.was_trained()) {
    body.insert(body.end(), {words.paragraph(Role::text, "results"), course(learned),
                             words.paragraph(Role::text, "trained")});
  } else if (learned.was_tested()) {
    body.emplace_back(words.paragraph(Role::text, "saved"));
  }
  for (const Control& control : training.controls) {
    const TaskWords of_it = words.with({{"name", control.name}, {"accuracy", control.accuracy}});
    body.emplace_back(of_it.paragraph(Role::text, "control"));
  }
  const bool is_typed = learned.task.has_typed_example;
  if (is_typed) body.emplace_back(typed_answer(learned, training));
  if (!learned.task.reads_source())  // a head's own place, the one before it: of one sequence
    body.insert(body.end(), {words.paragraph(Role::heading, is_typed ? "roles_typed" : "roles_example"),
                             roles(learned, without_heads)});
  body.insert(body.end(), {words.paragraph(Role::heading, is_typed ? "typed" : "example"), example(learned)});
  body.insert(body.end(), training.closing.begin(), training.closing.end());
  return body;
}

}  // namespace

Ablated ablate_heads(const Learned& learned, const Context& context) {
  const ModelShape& shape = learned.task.shape;
  const std::size_t heads = shape.layers * shape.heads;
  const Batch& test = learned.task.held_out;
  if (test.sequences == 0 || learned.was_stopped() || !learned.task.ablates_heads) return {};
  constexpr double most_products = 2e12;  // about a minute
  const double products = static_cast<double>(heads) * products_of_pass(shape, test.sequences);
  if (products > most_products) return {{}, training_words({{"heads", heads}})("too_large")};
  Tensor<double> accuracy = Tensor<double>::from_shape({shape.layers, shape.heads});
  for (std::size_t i = 0; i < heads; ++i) {
    if (context.stops && context.stops())
      return {{}, training_words({{"done", i}, {"heads", heads}})("stopped_silencing")};
    if (context.state) context.state(training_words({{"done", i + 1}, {"heads", heads}})("silencing"));
    context.progress(1.0);
    accuracy.flat(i) = evaluate(without_head(learned.model, i), test).accuracy;
  }
  return {accuracy};
}

SentenceValues values_of(const Learned& learned) {
  const Point& first = learned.points.front();
  const Point& last = learned.points.back();
  return {{"loss_before", first.loss},
          {"loss", last.loss},
          {"accuracy_before", first.accuracy},
          {"accuracy", last.accuracy},
          {"weight", last.measure},
          {"development", fmt::format("{:.2f} → {:.2f}", first.measure, last.measure)},
          {"measure", learned.task.measure ? learned.task.measure->label : Text::none()},
          {"steps", learned.steps},
          {"wanted", learned.wanted},
          {"tested", learned.task.held_out.sequences},
          {"met", learned.met},
          {"novelty", novelty(learned)},
          {"tokens", learned.task.example.tokens},
          {"layers", learned.task.shape.layers},
          {"parameters", learned.model.places.size}};
}

TrainingReport training_report_of(const Learned& learned) {
  const TaskWords words = TaskWords(learned.task.task_name, values_of(learned)).with(learned.task.values);
  TrainingReport training{words,
                          words("heading"),
                          words("data"),
                          words("weights"),
                          words("weights_description"),
                          words("learning")};
  if (words.has("say")) training.learned.emplace_back(words.say());
  if (words.has("misunderstanding")) training.learned.emplace_back(words.misunderstanding());
  return training;
}

Report learn_and_report(const Task& task, const Arguments& arguments, const Context& context) {
  const bool has_control = task.control && !arguments.sources.model;
  const double share = has_control ? task.control->from : 1.0;
  const Learned learned = learned_from(task, arguments, context, 0.0, share);
  TrainingReport training = training_report_of(learned);
  if (has_control && add_control(task, task.control->shape, arguments, context, {share, 1.0},
                                 {task.control->scalar, task.control->name}, training)) {
    const double control = training.controls.back().accuracy;
    if (training.words.has("say_control") && is_clearly_above(learned.points.back().accuracy, control,
                                                              learned.task.held_out.counted(), clear_lead)) {
      if (training.words.has("say")) training.learned.erase(training.learned.begin());
      training.learned.insert(training.learned.begin(),
                              training.words.with({{"control", control}}).say("say_control"));
    }
  }
  if (task.complete) task.complete(learned, training);
  add_ablations(task, arguments, context, training);
  return report_of(learned, std::move(training), context);
}

Report report_of(const Learned& learned, TrainingReport training, const Context& context) {
  training = as_it_came(learned, std::move(training));
  const Ablated ablated = ablate_heads(learned, context);
  const Tensor<double>& without_heads = ablated.accuracy;
  Report report;
  report.stages = stages_of(learned, without_heads);
  append(report.stages, training.stages);
  report.scalars = scalars_of(learned, training);
  report.invariants = invariants_of(learned);
  report.body = body_of(learned, training, without_heads);
  report.trained.model = saved_model(learned);
  report.figures = {training.weights ? *training.weights : weights_figure(learned, training)};
  if (learned.was_trained()) {
    report.figures.push_back(learning_figure(learned, training));
    report.figures.push_back(forming_figure(learned));
    report.trained.film = forming_film(learned);
  }
  if (without_heads.dimension() > 0 || !training.controls.empty())
    report.figures.push_back(ablation_figure(learned, training, without_heads));
  report.figures.push_back(words_figure(learned));
  report.figures.insert(report.figures.end(), training.figures.begin(), training.figures.end());
  report.program.missing = why_no_program();
  if (learned.was_trained() && learned.points.back().loss > 10.0 * learned.points.front().loss)
    report.warnings.push_back(training_words(values_of(learned))("diverged"));
  if (learned.was_stopped()) report.warnings.push_back(training_words(values_of(learned))("stopped"));
  if (ablated.left_out) report.warnings.push_back(*ablated.left_out);
  return report;
}

}  // namespace attnlab
