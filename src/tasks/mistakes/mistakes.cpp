// `train mistakes`: what a falling loss does not tell. Each mistake is trained beside the right way, and both
// are looked at twice: as their author looks at them, and at what is wanted.
#include <xtensor/xview.hpp>

#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/mistakes/trained_mistake.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_tokens = 32;    // in a figure
constexpr double least_appearance = 0.05;  // before a mistake is said to hide something

double mean_of(const std::vector<TwoViews>& views, double TwoViews::*view) {
  double sum = 0.0;
  for (const TwoViews& one : views) sum += one.*view;
  return sum / static_cast<double>(views.size());
}

/// "1.000 (0.999 – 1.000)"
std::string spread(const std::vector<TwoViews>& views, double TwoViews::*view) {
  double least = 1.0;
  double most = 0.0;
  for (const TwoViews& one : views) {
    least = std::min(least, one.*view);
    most = std::max(most, one.*view);
  }
  return fmt::format("{:.3f} ({:.3f} – {:.3f})", mean_of(views, view), least, most);
}

/// What mistakes.toml says of all mistakes, with this one's words and numbers.
TaskWords words_of(const TrainedMistakeRun& run) {
  const TrainedMistake& mistake = *run.mistake;
  return TaskWords("mistakes", {{"title", mistake.says("title")},
                                {"measured", mistake.says("measured")},
                                {"wanted", mistake.says("wanted")},
                                {"task", mistake.experiment().name},
                                {"seeds", run.right.size()},
                                {"right_measured", mean_of(run.right, &TwoViews::measured)},
                                {"right_wanted", mean_of(run.right, &TwoViews::wanted)},
                                {"wrong_measured", mean_of(run.wrong, &TwoViews::measured)},
                                {"wrong_wanted", mean_of(run.wrong, &TwoViews::wanted)}});
}

/// Whether the mistaken training looks better than it is.
bool hides_something(const TrainedMistakeRun& run) {
  return mean_of(run.wrong, &TwoViews::measured) - mean_of(run.wrong, &TwoViews::wanted) > least_appearance;
}

Text mistake_message(const TrainedMistakeRun& run) {
  return words_of(run)(hides_something(run) ? "message_hiding" : "message");
}

Figure accuracy_figure(const TrainedMistakeRun& run) {
  const TaskWords words = words_of(run);
  const std::vector<ShortText> names{Text{"正しい", "Right"}, Text{"誤り", "Wrong"}};
  const auto chart = [&](const char* id, double TwoViews::*view) {
    return Chart{Axis{Text::none()}.named(names),
                 Axis{{"正解率", "Accuracy"}}.within(0.0, 1.1),
                 {Bars{id, {mean_of(run.right, view), mean_of(run.wrong, view)}}.with_numbers(2)}};
  };
  return Figure{"accuracy", mistake_message(run)}
      .described(words("bars"))
      .captioned(words("bars_caption"))
      .panel(run.mistake->says("measured"), chart("measured", &TwoViews::measured))
      .panel(run.mistake->says("wanted"), chart("wanted", &TwoViews::wanted))
      .on_page(9.5, 5.0);
}

/// The heads of the last layer over a sequence as it is wanted: right above, wrong below.
Figure mistaken_heads_figure(const TrainedMistakeRun& run) {
  const auto layers = run.right.front().weights.shape()[0];
  const std::size_t heads = run.right.front().weights.shape()[1];
  Figure figure{"heads", mistake_message(run)};
  figure.description = words_of(run)("heads");
  figure.caption = words_of(run)("heads_caption");
  for (const bool is_wrong : {false, true}) {
    const TwoViews& view = is_wrong ? run.wrong.front() : run.right.front();
    for (std::size_t head = 0; head < heads; ++head) {
      const auto end = static_cast<std::ptrdiff_t>(std::min(most_tokens, view.weights.shape().back()));
      const Tensor<double> weights =
          xt::view(view.weights, layers - 1, head, xt::range(0, end), xt::range(0, end));
      figure.panels.push_back(
          {text("{}：ヘッド {}", "{}: head {}", is_wrong ? Text{"誤り", "Wrong"} : Text{"正しい", "Right"},
                head),
           HeatMap{fmt::format("{}_{}", is_wrong ? "wrong" : "right", head), to_matrix(weights)}
               .rows({"クエリ", "Query"})
               .columns({"キー", "Key"})
               .coloured(weight_colours())});
    }
  }
  figure.columns = heads;
  figure.shared_scale = weight_colours();
  figure.shared_axes = true;
  figure.page = {3.4 * static_cast<double>(heads) + 1.6, 8.0};
  return figure;
}

Tensor<double> views_of(const std::vector<TwoViews>& views) {
  Tensor<double> all = Tensor<double>::from_shape({views.size(), std::size_t{2}});
  for (std::size_t i = 0; i < views.size(); ++i) {
    all(i, 0) = views[i].measured;
    all(i, 1) = views[i].wanted;
  }
  return all;
}

Report run_mistakes(const Arguments& arguments, const Context& context) {
  const TrainedMistakeRun run =
      train_mistake(trained_mistakes()[arguments.chosen<std::size_t>("of")], arguments.count("seeds"),
                    static_cast<std::uint32_t>(arguments.integer("seed")), context);
  const TrainedMistake& mistake = *run.mistake;
  const TaskWords words = words_of(run);
  Report report;
  report.stages = {
      learned_stage("right", views_of(run.right), {"seeds", "views"}),
      learned_stage("wrong", views_of(run.wrong), {"seeds", "views"}),
      learned_stage("right_weights", run.right.front().weights, {"layers", "heads", "queries", "keys"}),
      learned_stage("wrong_weights", run.wrong.front().weights, {"layers", "heads", "queries", "keys"})};
  report.scalars = {{"measured_right", mean_of(run.right, &TwoViews::measured)},
                    {"measured_wrong", mean_of(run.wrong, &TwoViews::measured)},
                    {"wanted_right", mean_of(run.right, &TwoViews::wanted)},
                    {"wanted_wrong", mean_of(run.wrong, &TwoViews::wanted)}};
  Table table{{{"正解率", "accuracy"}, {"正しい学習", "done right"}, {"誤り", "the mistake"}}};
  table.rows = {
      {mistake.says("measured"), spread(run.right, &TwoViews::measured),
       spread(run.wrong, &TwoViews::measured)},
      {mistake.says("wanted"), spread(run.right, &TwoViews::wanted), spread(run.wrong, &TwoViews::wanted)}};
  report.body = {Paragraph{Role::heading, mistake.says("title")}, words.paragraph(Role::text, "trained"),
                 table};
  if (hides_something(run)) report.body.emplace_back(Paragraph{Role::text, mistake.says("why")});
  report.body.insert(report.body.end(),
                     {Paragraph{Role::say, mistake.says("remedy")}, words.misunderstanding()});
  report.figures = {accuracy_figure(run), mistaken_heads_figure(run)};
  report.program.missing = why_no_program();
  return report;
}

}  // namespace

Experiment mistakes_task() {
  const TaskWords words("mistakes");
  return learning_task("mistakes",
                       {words.flag("of", ChoiceKind{names_of(trained_mistakes())}, "period"),
                        words.flag("seeds", IntegerKind{{1, 100}}, "3"), seed_parameter("0")},
                       run_mistakes);
}

}  // namespace attnlab
