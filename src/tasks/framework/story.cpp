#include "tasks/framework/story.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/weight_summary.hpp"
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
                  numbers("weights", learned.snapshots.back().weights, heads),
                  numbers("accuracy_without_head", without_heads, {"layers", "heads"})});
  return stages;
}

std::vector<Scalar> scalars_of(const Learned& learned, const Story& story) {
  const Point& last = learned.points.back();
  std::vector<Scalar> scalars{{"held_out_accuracy", last.accuracy}, {"held_out_loss", last.loss}};
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
  const auto plural = [](std::size_t count) { return Text{"", count == 1 ? "" : "s"}; };
  return text("モデル：{} 層{} × {} ヘッド{}、D = {}、{}、{}、{}{}。パラメータは {} 個。",
              "Model: {} layer{} of {} head{}, D = {}, {}, {}, {}{}; {} parameters.", shape.layers,
              plural(shape.layers), shape.heads, plural(shape.heads), shape.width, mlp, norm,
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

/// What each head does on the example: where its weight lies on the average.
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
               {"距離", "distance"},
               {"これなしの正解率", "accuracy without it"}}};
  const std::size_t heads = learned.lesson.shape.heads;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const WeightStatistics& statistics = summaries[i].statistics;
    const auto number = [](double value) { return fmt::format("{:.3f}", value); };
    table.rows.push_back({fmt::format("{}, {}", i / heads, i % heads), number(statistics.largest),
                          number(statistics.on_own), number(statistics.on_previous),
                          number(statistics.on_first), fmt::format("{:.1f}", statistics.distance),
                          number(without_heads.flat(i))});
  }
  return table;
}

/// The example, what is wanted, and what the model says; of a typed sequence nobody knows what is wanted.
Table example(const Learned& learned) {
  const Batch& sequence = learned.lesson.example;
  const bool is_typed = learned.lesson.has_typed_example;
  const std::vector<int> said = answers_to(learned.model, sequence);
  const auto word = [](const std::vector<std::string>& words, int number) {
    return words.at(static_cast<std::size_t>(number));
  };
  Table table{{{"位置", "place"}, {"入力", "input"}, {"答え", "answer"}}};
  if (!is_typed) table.header.insert(table.header.begin() + 2, {"正解", "target"});
  for (std::size_t i = 0; i < sequence.tokens; ++i) {
    if (!is_typed && sequence.targets[i] == no_target) continue;
    std::vector<ShortText> row{std::to_string(i), word(learned.lesson.words, sequence.inputs[i])};
    if (!is_typed) row.emplace_back(word(learned.lesson.answers, sequence.targets[i]));
    row.emplace_back(word(learned.lesson.answers, said[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<Block> body_of(const Learned& learned, const Story& story, const Tensor<double>& without_heads) {
  const Point& last = learned.points.back();
  std::vector<Block> body{
      Paragraph{Role::heading, story.heading}, Paragraph{Role::text, story.data},
      Paragraph{Role::text, described_model(learned.lesson.shape, learned.model.places.size)}};
  if (learned.was_trained()) {
    body.insert(
        body.end(),
        {Paragraph::plain("学習に使わなかった {} 個の系列での結果：",
                          "On {} sequences that were never trained on:", learned.lesson.held_out.sequences),
         course(learned),
         Paragraph::plain("{} ステップ、{:.1f} 秒。正解率 {:.4f}。", "{} steps in {:.1f} s; accuracy {:.4f}.",
                          learned.steps, learned.seconds, last.accuracy)});
  } else {
    body.emplace_back(
        Paragraph::plain("保存されたモデルの、学習に使わなかった {} 個の系列での正解率：{:.4f}。",
                         "The saved model's accuracy on {} sequences that were never trained on: {:.4f}.",
                         learned.lesson.held_out.sequences, last.accuracy));
  }
  for (const Control& control : story.controls) {
    body.emplace_back(Paragraph::plain("対照（{}）：正解率 {:.4f}", "Control ({}): accuracy {:.4f}",
                                       control.name, control.accuracy));
  }
  body.insert(body.end(),
              {Paragraph::heading("各ヘッドの働き（図の例で）", "What each head does (on the example)"),
               roles(learned, without_heads), Paragraph::heading("例", "The example"), example(learned)});
  body.insert(body.end(), story.closing.begin(), story.closing.end());
  return body;
}

}  // namespace

Tensor<double> accuracy_without_heads(const Learned& learned) {
  const ModelShape& shape = learned.lesson.shape;
  Tensor<double> accuracy = Tensor<double>::from_shape({shape.layers, shape.heads});
  for (std::size_t i = 0; i < accuracy.size(); ++i) {
    std::vector<std::vector<bool>> silent(shape.layers, std::vector<bool>(shape.heads, false));
    silent[i / shape.heads][i % shape.heads] = true;
    accuracy.flat(i) = evaluate(learned.model, learned.lesson.held_out, silent).accuracy;
  }
  return accuracy;
}

Report report_of(const Learned& learned, const Story& story) {
  const Tensor<double> without_heads = accuracy_without_heads(learned);
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
  report.figures.push_back(ablation_figure(learned, story, without_heads));
  report.figures.insert(report.figures.end(), story.figures.begin(), story.figures.end());
  report.no_program = why_no_program();
  if (learned.was_stopped()) {
    report.warnings.push_back(text("{} ステップのうち {} で止めました。ここまでの結果を示します",
                                   "stopped after {1} of {0} steps; this is what there is", learned.wanted,
                                   learned.steps));
  }
  return report;
}

}  // namespace attnlab
