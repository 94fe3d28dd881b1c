#include "tasks/framework/story.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/weight_summary.hpp"
#include "core/counted.hpp"
#include "experiments/framework/room.hpp"

namespace attnlab {

namespace {

constexpr std::size_t rows_of_table = 6;

Tensor<double> of_points(const Learned& learned, double (*value)(const Point&)) {
  Tensor<double> values = Tensor<double>::from_shape({learned.points.size()});
  std::transform(learned.points.begin(), learned.points.end(), values.begin(), value);
  return values;
}

Stage numbers(const std::string& name, const Tensor<double>& values, std::vector<std::string> axes) {
  return step(name, Formula{}, values, std::move(axes), derived::measured());
}

std::vector<Stage> stages_of(const Learned& learned, const Tensor<double>& without_heads) {
  const std::vector<std::string> heads{"layers", "heads", "queries", "keys"};
  std::vector<Stage> stages{
      numbers("steps", of_points(learned, [](const Point& point) { return static_cast<double>(point.step); }),
              {"points"}),
      numbers("loss", of_points(learned, [](const Point& point) { return point.loss; }), {"points"}),
      numbers("accuracy", of_points(learned, [](const Point& point) { return point.accuracy; }), {"points"})};
  if (learned.lesson.measure) {
    stages.push_back(numbers(learned.lesson.measure->name,
                             of_points(learned, [](const Point& point) { return point.measure; }),
                             {"points"}));
  }
  append(stages, {numbers("weights_before", learned.snapshots.front().weights, heads),
                  numbers("weights", learned.snapshots.back().weights, heads)});
  if (without_heads.dimension() > 0)
    stages.push_back(numbers("accuracy_without_head", without_heads, {"layers", "heads"}));
  return stages;
}

std::vector<Scalar> scalars_of(const Learned& learned, const Story& story) {
  const Point& last = learned.points.back();
  std::vector<Scalar> scalars;
  if (learned.was_tested())
    scalars = {{"held_out_accuracy", last.accuracy},
               {"held_out_loss", last.loss},
               {"held_out_met", static_cast<double>(learned.met)}};
  if (learned.lesson.measure) scalars.push_back({learned.lesson.measure->name, last.measure});
  for (const Control& control : story.controls) scalars.push_back({control.scalar, control.accuracy});
  scalars.insert(scalars.end(), story.scalars.begin(), story.scalars.end());
  scalars.insert(scalars.end(), {{"parameters", static_cast<double>(learned.model.places.size)},
                                 {"steps", static_cast<double>(learned.steps)},
                                 {"seconds", learned.seconds}});
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

std::vector<Invariant> invariants_of(const Learned& learned) {
  const Tensor<double>& weights = learned.snapshots.back().weights;
  const double rounding = 1e-6 * std::sqrt(static_cast<double>(weights.shape().back()));
  std::vector<Invariant> invariants{invariant("weights_sum_to_one", row_sum_error(weights), rounding,
                                              "学習後の注意度も、どの行の和も 1",
                                              "every row of the learned weights sums to 1")};
  if (learned.lesson.shape.reading == Reading::what_came_before) {
    invariants.push_back(invariant("no_weight_on_the_future", weight_on_the_future(weights), 0.0,
                                   "どのクエリも後ろのキーを読まない", "no query reads a later key"));
  }
  return invariants;
}

// --- Words

Text described_model(const ModelShape& shape, std::size_t parameters) {
  static const std::array<Text, 4> positions{
      Text{"位置なし", "no positions"}, Text{"正弦波の位置", "sinusoidal positions"},
      Text{"学習する位置", "learned positions"}, Text{"回転位置", "rotary positions"}};
  const Text mlp =
      shape.hidden == 0 ? Text{"MLP なし", "no MLP"} : text("MLP {}", "an MLP of {}", shape.hidden);
  const Text norm = shape.norm == NormPlace::none
                        ? Text{"正規化なし", "no norm"}
                        : text("{}-norm", "{}-norm", shape.norm == NormPlace::pre ? "pre" : "post");
  return text("モデル：{} 層 × {} ヘッド、D = {}、{}、{}、{}{}。パラメータは {} 個。",
              "Model: {} of {}, D = {}, {}, {}, {}{}; {} parameters.", counted(shape.layers, "layer"),
              counted(shape.heads, "head"), shape.width, mlp, norm,
              positions[static_cast<std::size_t>(shape.positions)],
              shape.reading == Reading::everything ? Text::none() : Text{"、因果マスク", ", causal mask"},
              parameters);
}

Table course(const Learned& learned) {
  const std::optional<HeadMeasure>& measure = learned.lesson.measure;
  Table table{{{"ステップ", "step"}, {"損失", "loss"}, {"正解率", "accuracy"}}};
  if (measure) table.header.push_back(measure->label);
  const std::size_t last = learned.points.size() - 1;
  for (std::size_t i = 0; i < rows_of_table; ++i) {
    const Point& point = learned.points[last * i / (rows_of_table - 1)];
    std::vector<ShortText> row{std::to_string(point.step), fmt::format("{:.4f}", point.loss),
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
  Table table{{{"層、ヘッド", "layer, head"},
               {"最大の注意度", "largest weight"},
               {"自分", "own"},
               {"直前", "previous"},
               {"先頭", "first"},
               {"距離", "distance"}}};
  const bool is_silenced = without_heads.dimension() > 0 && !learned.lesson.has_typed_example;
  if (is_silenced)
    table.header.push_back({"取り分けた系列で、これなしの正解率", "held-out accuracy without it"});
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
  Table table{{{"位置", "place"}, {"入力", "input"}, {"答え", "answer"}}};
  if (!is_typed) table.header.insert(table.header.begin() + 2, {"正解", "target"});
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
  return Paragraph::say("モデルの答え（「{}」で）：{}", "The model's answer, behind \"{}\": {}",
                        joined(read, " "), joined(said, " "));
}

/// What came of it, in numbers.
Paragraph result_of(const Learned& learned, const Story& story) {
  const double before = learned.points.front().accuracy;
  const double after = learned.points.back().accuracy;
  if (learned.has_learned()) {
    return Paragraph::say("正解率は、学習前の {:.3f} から {:.3f} になりました。",
                          "The accuracy went from {:.3f} before the training to {:.3f}.", before, after);
  }
  return Paragraph::say(
      "課題は学習できていません。正解率は学習前が {:.3f}、学習後が {:.3f} です（0.9 "
      "以上を学習できたと見ます）。{}",
      "The task is not learned: the accuracy is {1:.3f}, and was {0:.3f} before the training (0.9 would "
      "count as "
      "learned).{2}",
      before, after, story.failure);
}

/// Of a lesson with a measure: no word of success where there is none.
Story as_it_came(const Learned& learned, Story story) {
  if (!learned.lesson.measure) return story;
  const Point& first = learned.points.front();
  const Point& last = learned.points.back();
  const Text& measured = learned.lesson.measure->label;
  if (!learned.has_found()) {
    story.weights_title = text("{}：{}", "{}: {}", measured, development(learned));
    story.weights_description = text("各ヘッドの注意度のヒートマップ。{}は {:.2f}。",
                                     "Heat maps of every head. {}: {:.2f}.", measured, last.measure);
  }
  const bool has_succeeded = learned.has_found() && learned.has_learned();
  if (!has_succeeded) {
    story.learned.clear();
    story.learning_title =
        text("損失 {:.2f} → {:.2f}、正解率 {:.3f} → {:.3f}", "Loss {:.2f} → {:.2f}, accuracy {:.3f} → {:.3f}",
             first.loss, last.loss, first.accuracy, last.accuracy);
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
  const Point& last = learned.points.back();
  std::vector<Block> body{
      Paragraph{Role::heading, story.heading}, Paragraph{Role::text, story.data},
      Paragraph{Role::text, described_model(learned.lesson.shape, learned.model.places.size)}};
  const std::size_t tested = learned.lesson.held_out.sequences;
  if (learned.was_trained()) {
    body.insert(
        body.end(),
        {Paragraph::plain("{} 個の系列での結果（{}）：", "On {} sequences, {}:", tested, novelty(learned)),
         course(learned),
         Paragraph::plain("{} ステップ、{:.1f} 秒。正解率 {:.4f}。", "{} steps in {:.1f} s; accuracy {:.4f}.",
                          learned.steps, learned.seconds, last.accuracy)});
  } else if (learned.was_tested()) {
    body.emplace_back(Paragraph::plain("保存されたモデルの、{} 個の系列での正解率（{}）：{:.4f}。",
                                       "The saved model's accuracy on {} sequences, {}: {:.4f}.", tested,
                                       novelty(learned), last.accuracy));
  }
  for (const Control& control : story.controls) {
    body.emplace_back(Paragraph::plain("対照（{}）：正解率 {:.4f}", "Control ({}): accuracy {:.4f}",
                                       control.name, control.accuracy));
  }
  const bool is_typed = learned.lesson.has_typed_example;
  if (is_typed) body.emplace_back(typed_answer(learned, story));
  body.insert(body.end(), {is_typed ? Paragraph::heading("入力された系列での各ヘッドの働き",
                                                         "What each head does on the sequence that was typed")
                                    : Paragraph::heading("各ヘッドの働き（図の例で）",
                                                         "What each head does (on the example)"),
                           roles(learned, without_heads),
                           is_typed ? Paragraph::heading("入力された系列", "The sequence that was typed")
                                    : Paragraph::heading("例", "The example"),
                           example(learned)});
  body.insert(body.end(), story.closing.begin(), story.closing.end());
  return body;
}

}  // namespace

Silenced silence_heads(const Learned& learned, const Context& context) {
  const ModelShape& shape = learned.lesson.shape;
  const std::size_t heads = shape.layers * shape.heads;
  const Batch& test = learned.lesson.held_out;
  if (test.sequences == 0 || learned.was_stopped()) return {};
  constexpr double most_products = 2e12;  // about a minute
  const double products = static_cast<double>(heads * test.sequences * test.tokens) *
                          static_cast<double>(learned.model.places.size);
  if (products > most_products) {
    return {{},
            text("大きなモデルなので、{} 個のヘッドを 1 つずつ除いた正解率は求めていません",
                 "the accuracy without each of the {} heads is left out: the model is large", heads)};
  }
  Tensor<double> accuracy = Tensor<double>::from_shape({shape.layers, shape.heads});
  for (std::size_t i = 0; i < heads; ++i) {
    if (context.stops && context.stops()) {
      return {{},
              text("ヘッドを 1 つずつ除く途中（{} / {}）で止めたので、その正解率はありません",
                   "stopped at head {} of {} while they were silenced: the accuracy without each is left out",
                   i, heads)};
    }
    if (context.state) context.state(text("ヘッドを除く {}/{}", "silencing head {} of {}", i + 1, heads));
    context.progress(1.0);
    std::vector<std::vector<bool>> silent(shape.layers, std::vector<bool>(shape.heads, false));
    silent[i / shape.heads][i % shape.heads] = true;
    accuracy.flat(i) = evaluate(learned.model, test, silent).accuracy;
  }
  return {accuracy};
}

Report report_of(const Learned& learned, Story story, const Context& context) {
  story = as_it_came(learned, std::move(story));
  const Silenced silenced = silence_heads(learned, context);
  const Tensor<double>& without_heads = silenced.accuracy;
  Report report;
  report.stages = stages_of(learned, without_heads);
  report.scalars = scalars_of(learned, story);
  report.invariants = invariants_of(learned);
  report.body = body_of(learned, story, without_heads);
  report.model = saved_model(learned);
  report.figures = {weights_figure(learned, story)};
  if (learned.was_trained()) {
    report.figures.push_back(learning_figure(learned, story));
    report.figures.push_back(forming_figure(learned));
    report.film = forming_film(learned);
  }
  if (without_heads.dimension() > 0 || !story.controls.empty())
    report.figures.push_back(ablation_figure(learned, story, without_heads));
  report.figures.insert(report.figures.end(), story.figures.begin(), story.figures.end());
  report.no_program = why_no_program();
  if (learned.was_stopped()) {
    report.warnings.push_back(text("{} ステップのうち {} で止めました。ここまでの結果を示します",
                                   "stopped after {1} of {0} steps; this is what there is", learned.wanted,
                                   learned.steps));
  }
  if (silenced.left_out) report.warnings.push_back(*silenced.left_out);
  return report;
}

}  // namespace attnlab
