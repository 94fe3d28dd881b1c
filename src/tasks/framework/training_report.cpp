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
  if (learned.lesson.measure) stages.push_back(of_points(learned.lesson.measure->name, &Point::measure));
  append(stages, {learned_stage("weights_before", learned.snapshots.front().weights, heads),
                  learned_stage("weights", learned.snapshots.back().weights, heads)});
  if (without_heads.dimension() > 0)
    stages.push_back(learned_stage("accuracy_without_head", without_heads, {"layers", "heads"}));
  return stages;
}

std::vector<Scalar> scalars_of(const Learned& learned, const Story& story) {
  const Point& last = learned.points.back();
  std::vector<Scalar> scalars;
  if (learned.was_tested())
    scalars = {{learned.lesson.accuracy, last.accuracy},
               {"held_out_loss", last.loss},
               {"held_out_met", static_cast<double>(learned.met)}};
  if (learned.lesson.measure) scalars.push_back({learned.lesson.measure->name, last.measure});
  for (const Control& control : story.controls) scalars.push_back({control.scalar, control.accuracy});
  scalars.insert(scalars.end(), story.scalars.begin(), story.scalars.end());
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
  const bool is_whole = learned.lesson.shape.softmax.denominator == Denominator::sum;
  std::vector<Invariant> invariants{
      is_whole ? holds("weights_sum_to_one", row_sum_error(weights), rounding, "rows_sum_to_one")
               : holds("weights_sum_to_at_most_one", row_sum_excess(weights), rounding,
                       "rows_sum_to_at_most_one")};
  if (learned.lesson.shape.reading == Reading::what_came_before && !learned.lesson.reads_source())
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
  const std::optional<HeadMeasure>& measure = learned.lesson.measure;
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
  const bool is_silenced = without_heads.dimension() > 0 && !learned.lesson.has_typed_example;
  if (is_silenced) table.header.push_back(training_words()("column_silenced"));
  const std::size_t heads = learned.lesson.shape.heads;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const WeightStatistics& statistics = summaries[i].statistics;
    const auto number = [](double value) { return fmt::format("{:.3f}", value); };
    table.rows.push_back({fmt::format("{}, {}", i / heads, i % heads), number(statistics.largest),
                          number(statistics.on_own), number(statistics.on_previous),
                          number(statistics.on_first), fmt::format("{:.1f}", statistics.distance)});
    if (is_silenced) table.rows.back().emplace_back(number(without_heads.flat(i)));
  }
  return table;
}

std::string word(const std::vector<std::string>& words, int number) {
  return words.at(static_cast<std::size_t>(number));
}

/// Where the example is asked for an answer: where it has a target, or, where it was typed, where the
/// held-out sequences have one behind a word that is asked for there; or else everywhere.
std::vector<std::size_t> asked_places(const Learned& learned) {
  const Batch& sequence = learned.lesson.example;
  const Batch& known = learned.lesson.has_typed_example ? learned.lesson.held_out : sequence;
  std::set<std::size_t> places;
  std::set<int> words;
  for (std::size_t i = 0; i < known.targets.size(); ++i) {
    if (known.targets[i] == no_target) continue;
    places.insert(i % known.tokens);
    words.insert(known.inputs[i]);
  }
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < sequence.tokens; ++i) {
    if (places.count(i) != 0 && words.count(sequence.inputs[i]) != 0) asked.push_back(i);
  }
  if (asked.empty()) {
    asked.resize(sequence.tokens);
    std::iota(asked.begin(), asked.end(), std::size_t{0});
  }
  return asked;
}

/// The example, what is wanted, and what the model says; of a typed sequence nobody knows what is wanted.
Table example(const Learned& learned) {
  const Batch& sequence = learned.lesson.example;
  const bool is_typed = learned.lesson.has_typed_example;
  const std::vector<int> said = answers_to(learned.model, sequence);
  Table table =
      is_typed ? table_of({"place", "input", "answer"}) : table_of({"place", "input", "target", "answer"});
  for (const std::size_t i : asked_places(learned)) {
    std::vector<ShortText> row{std::to_string(i), word(learned.lesson.words, sequence.inputs[i])};
    if (!is_typed) row.emplace_back(word(learned.lesson.answers, sequence.targets[i]));
    row.emplace_back(word(learned.lesson.answers, said[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "At its last 3 places the model says: 4 2 7".
Paragraph typed_answer(const Learned& learned, const Story& story) {
  if (story.typed_answer) return {Role::say, *story.typed_answer};
  const std::vector<int> all = answers_to(learned.model, learned.lesson.example);
  std::vector<std::string> said;
  std::vector<std::string> read;
  for (const std::size_t place : asked_places(learned)) {
    read.push_back(word(learned.lesson.words, learned.lesson.example.inputs[place]));
    said.push_back(word(learned.lesson.answers, all[place]));
  }
  return training_words({{"read", joined(read, " ")}, {"answer", joined(said, " ")}}).say("typed_answer");
}

/// What came of it, in numbers.
Paragraph result_of(const Learned& learned, const Story& story) {
  const TaskWords words = training_words(values_of(learned)).with({{"failure", story.failure}});
  return words.say(learned.has_learned() ? "learned" : "not_learned");
}

/// Of a lesson with a measure: no word of success where there is none.
Story as_it_came(const Learned& learned, Story story) {
  if (!learned.lesson.measure) return story;
  const TaskWords words = training_words(values_of(learned));
  if (!learned.has_found()) {
    story.weights_title = words("weights_as_they_came");
    story.weights_description = words("weights_as_they_came_description");
  }
  const bool has_succeeded = learned.has_found() && learned.has_learned();
  if (!has_succeeded) {
    story.learned.clear();
    story.learning_title = words("learning_as_it_came");
  }
  story.learned.insert(story.learned.end(), story.closing.begin(), story.closing.end());
  story.closing = std::move(story.learned);
  const bool has_point = std::any_of(story.closing.begin(), story.closing.end(), [](const Block& block) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    return paragraph != nullptr && paragraph->role == Role::say;
  });
  if (!has_point || !has_succeeded) story.closing.insert(story.closing.begin(), result_of(learned, story));
  return story;
}

std::vector<Block> body_of(const Learned& learned, const Story& story, const Tensor<double>& without_heads) {
  const TaskWords words = training_words(values_of(learned));
  std::vector<Block> body{
      Paragraph{Role::heading, story.heading}, Paragraph{Role::text, story.data},
      Paragraph{Role::text, described_model(learned.lesson.shape, learned.model.places.size)}};
  if (learned.was_trained()) {
    body.insert(body.end(), {words.paragraph(Role::text, "results"), course(learned),
                             words.paragraph(Role::text, "trained")});
  } else if (learned.was_tested()) {
    body.emplace_back(words.paragraph(Role::text, "saved"));
  }
  for (const Control& control : story.controls) {
    const TaskWords of_it = words.with({{"name", control.name}, {"accuracy", control.accuracy}});
    body.emplace_back(of_it.paragraph(Role::text, "control"));
  }
  const bool is_typed = learned.lesson.has_typed_example;
  if (is_typed) body.emplace_back(typed_answer(learned, story));
  if (!learned.lesson.reads_source())  // a head's own place, the one before it: of one sequence
    body.insert(body.end(), {words.paragraph(Role::heading, is_typed ? "roles_typed" : "roles_example"),
                             roles(learned, without_heads)});
  body.insert(body.end(), {words.paragraph(Role::heading, is_typed ? "typed" : "example"), example(learned)});
  body.insert(body.end(), story.closing.begin(), story.closing.end());
  return body;
}

}  // namespace

Silenced silence_heads(const Learned& learned, const Context& context) {
  const ModelShape& shape = learned.lesson.shape;
  const std::size_t heads = shape.layers * shape.heads;
  const Batch& test = learned.lesson.held_out;
  if (test.sequences == 0 || learned.was_stopped() || !learned.lesson.silences_heads) return {};
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
          {"measure", learned.lesson.measure ? learned.lesson.measure->label : Text::none()},
          {"steps", learned.steps},
          {"wanted", learned.wanted},
          {"tested", learned.lesson.held_out.sequences},
          {"met", learned.met},
          {"novelty", novelty(learned)},
          {"tokens", learned.lesson.example.tokens},
          {"layers", learned.lesson.shape.layers},
          {"parameters", learned.model.places.size}};
}

Story story_of(const Learned& learned) {
  const TaskWords words = TaskWords(learned.lesson.task, values_of(learned)).with(learned.lesson.values);
  Story story{words,
              words("heading"),
              words("data"),
              words("weights"),
              words("weights_description"),
              words("learning")};
  if (words.has("say")) story.learned.emplace_back(words.say());
  if (words.has("misunderstanding")) story.learned.emplace_back(words.misunderstanding());
  return story;
}

Report learn_and_tell(const Lesson& lesson, const Arguments& arguments, const Context& context) {
  const bool has_control = lesson.control && !arguments.sources.model;
  const double share = has_control ? lesson.control->from : 1.0;
  const Learned learned = learned_from(lesson, arguments, context, 0.0, share);
  Story story = story_of(learned);
  if (has_control && add_control(lesson, lesson.control->shape, arguments, context, {share, 1.0},
                                 {lesson.control->scalar, lesson.control->name}, story)) {
    const double control = story.controls.back().accuracy;
    if (is_clearly_above(learned.points.back().accuracy, control, learned.lesson.held_out.counted(),
                         clear_lead)) {
      if (story.words.has("say")) story.learned.erase(story.learned.begin());
      story.learned.insert(story.learned.begin(),
                           story.words.with({{"control", control}}).say("say_control"));
    }
  }
  if (lesson.tell) lesson.tell(learned, story);
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, std::move(story), context);
}

Report report_of(const Learned& learned, Story story, const Context& context) {
  story = as_it_came(learned, std::move(story));
  const Silenced silenced = silence_heads(learned, context);
  const Tensor<double>& without_heads = silenced.accuracy;
  Report report;
  report.stages = stages_of(learned, without_heads);
  append(report.stages, story.stages);
  report.scalars = scalars_of(learned, story);
  report.invariants = invariants_of(learned);
  report.body = body_of(learned, story, without_heads);
  report.trained.model = saved_model(learned);
  report.figures = {weights_figure(learned, story)};
  if (learned.was_trained()) {
    report.figures.push_back(learning_figure(learned, story));
    report.figures.push_back(forming_figure(learned));
    report.trained.film = forming_film(learned);
  }
  if (without_heads.dimension() > 0 || !story.controls.empty())
    report.figures.push_back(ablation_figure(learned, story, without_heads));
  report.figures.insert(report.figures.end(), story.figures.begin(), story.figures.end());
  report.program.missing = why_no_program();
  if (learned.was_trained() && learned.points.back().loss > 10.0 * learned.points.front().loss)
    report.warnings.push_back(training_words(values_of(learned))("diverged"));
  if (learned.was_stopped()) report.warnings.push_back(training_words(values_of(learned))("stopped"));
  if (silenced.left_out) report.warnings.push_back(*silenced.left_out);
  return report;
}

}  // namespace attnlab
