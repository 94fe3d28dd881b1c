// `train mistakes`: what a falling loss does not tell. Each mistake is trained beside the right way, and both
// are looked at twice: as their author looks at them, and at what is wanted.
#include <xtensor/xview.hpp>

#include "experiments/framework/room.hpp"
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

/// "1.0000 (0.9990 to 1.0000)"
std::string spread(const std::vector<TwoViews>& views, double TwoViews::*view) {
  double least = 1.0;
  double most = 0.0;
  for (const TwoViews& one : views) {
    least = std::min(least, one.*view);
    most = std::max(most, one.*view);
  }
  return fmt::format("{:.3f} ({:.3f} – {:.3f})", mean_of(views, view), least, most);
}

const Text right_name{"正しい学習", "Done right"};

/// By how much the mistaken training looks better than it is.
double appearance(const TrainedMistakeRun& run) {
  return mean_of(run.wrong, &TwoViews::measured) - mean_of(run.wrong, &TwoViews::wanted);
}

Text mistake_message(const TrainedMistakeRun& run) {
  const double measured = mean_of(run.wrong, &TwoViews::measured);
  const double wanted = mean_of(run.wrong, &TwoViews::wanted);
  if (appearance(run) > least_appearance) {
    return text("{}：正解率は {:.2f} に見えて、実は {:.2f}",
                "{}: an accuracy of {:.2f} that is really {:.2f}", run.mistake->title, measured, wanted);
  }
  return text("{}：見ている正解率は {:.2f}、知りたい正解率は {:.2f}",
              "{}: the accuracy is {:.2f} as it is looked at, {:.2f} as it is wanted", run.mistake->title,
              measured, wanted);
}

Figure accuracy_figure(const TrainedMistakeRun& run) {
  const TrainedMistake& mistake = *run.mistake;
  const std::vector<double> measured{mean_of(run.right, &TwoViews::measured),
                                     mean_of(run.wrong, &TwoViews::measured)};
  const std::vector<double> wanted{mean_of(run.right, &TwoViews::wanted),
                                   mean_of(run.wrong, &TwoViews::wanted)};
  const std::vector<ShortText> names{Text{"正しい", "Right"}, Text{"誤り", "Wrong"}};
  const auto chart = [&](const char* id, const std::vector<double>& values) {
    return Chart{Axis{Text::none()}.named(names),
                 Axis{{"正解率", "Accuracy"}}.within(0.0, 1.1),
                 {Bars{id, values}.with_numbers(2)}};
  };
  return Figure{"accuracy", mistake_message(run)}
      .described(text("正解率の棒グラフが 2 枚。{}では {:.2f} と {:.2f}、{}では {:.2f} と {:.2f}。",
                      "Two charts of the accuracy. {}: {:.2f} and {:.2f}; {}: {:.2f} and {:.2f}.",
                      mistake.measured, measured[0], measured[1], mistake.wanted, wanted[0], wanted[1]))
      .captioned(text("左は見ているもの、右は知りたいもの。種 {} つの平均。",
                      "Left: what is looked at; right: what is wanted. Means; seeds: {}.", run.right.size()))
      .panel(mistake.measured, chart("measured", measured))
      .panel(mistake.wanted, chart("wanted", wanted))
      .on_page(9.5, 5.0);
}

/// The heads of the last layer over a sequence as it is wanted: right above, wrong below.
Figure mistaken_heads_figure(const TrainedMistakeRun& run) {
  const auto layers = run.right.front().weights.shape()[0];
  const std::size_t heads = run.right.front().weights.shape()[1];
  Figure figure{"heads", mistake_message(run)};
  figure.description = {"最後の層の注意度のヒートマップ。上が正しい学習、下が誤り。",
                        "Heat maps of the last layer: done right above, the mistake below."};
  figure.caption = text("「{}」の 1 つ（最初の種、最後の層）。",
                        "Over one of these: {} (first seed, last layer).", run.mistake->wanted);
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
  Report report;
  report.stages = {step("right", Formula{}, views_of(run.right), {"seeds", "views"}, derived::learned()),
                   step("wrong", Formula{}, views_of(run.wrong), {"seeds", "views"}, derived::learned()),
                   step("right_weights", Formula{}, run.right.front().weights,
                        {"layers", "heads", "queries", "keys"}, derived::learned()),
                   step("wrong_weights", Formula{}, run.wrong.front().weights,
                        {"layers", "heads", "queries", "keys"}, derived::learned())};
  report.scalars = {{"measured_right", mean_of(run.right, &TwoViews::measured)},
                    {"measured_wrong", mean_of(run.wrong, &TwoViews::measured)},
                    {"wanted_right", mean_of(run.right, &TwoViews::wanted)},
                    {"wanted_wrong", mean_of(run.wrong, &TwoViews::wanted)},
                    {"seconds", run.seconds}};
  Table table{{{"正解率", "accuracy"}, {"正しい学習", "done right"}, {"誤り", "the mistake"}}};
  table.rows = {
      {mistake.measured, spread(run.right, &TwoViews::measured), spread(run.wrong, &TwoViews::measured)},
      {mistake.wanted, spread(run.right, &TwoViews::wanted), spread(run.wrong, &TwoViews::wanted)}};
  report.body = {
      Paragraph{Role::heading, mistake.title},
      Paragraph::plain("課題 `{}` を正しい方法と誤った方法で、{} つの種で学習しました。上の行が見ている数、下"
                       "の行が知りたい数です。平均（最低 – 最高）。",
                       "`{}` trained in the right way and with the mistake, over {} seeds. The first row is "
                       "what is looked at, the second what is wanted: mean (lowest – highest).",
                       mistake.task().name, run.right.size()),
      table};
  if (appearance(run) > least_appearance) report.body.emplace_back(Paragraph{Role::text, mistake.why});
  report.body.insert(report.body.end(),
                     {Paragraph{Role::say, mistake.remedy},
                      Paragraph::misunderstanding("損失が下がることは、正しい実装の証拠ではありません。",
                                                  "A falling loss is no proof of a right implementation.")});
  report.figures = {accuracy_figure(run), mistaken_heads_figure(run)};
  report.no_program = why_no_program();
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
