// `train contrast`: what the documents claim, decided by training: the same task several times, with one
// thing changed and everything else alike, over several seeds.
#include "tasks/contrast/contrast.hpp"

#include "experiments/framework/room.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

// --- What it says

/// By how much the first variant is ahead of another in the mean, and in how many seeds.
struct Lead {
  double mean = 0.0;
  std::size_t ahead = 0;
  std::size_t behind = 0;
};
Lead lead_over(const ContrastRun& run, std::size_t variant) {
  constexpr double tie = 0.01;
  Lead lead{run.mean(0) - run.mean(variant)};
  for (std::size_t seed = 0; seed < run.done; ++seed) {
    const double difference = run.last(0, seed) - run.last(variant, seed);
    if (difference > tie) ++lead.ahead;
    if (difference < -tie) ++lead.behind;
  }
  return lead;
}

Text verdict(const ContrastRun& run, std::size_t variant) {
  const Lead lead = lead_over(run, variant);
  const Text& one = run.contrast->variants[0].name;
  const Text& other = run.contrast->variants[variant].name;
  if (lead.ahead == run.done || lead.behind == run.done) {
    const bool first = lead.ahead == run.done;
    return text("{0} つの種すべてで「{1}」が「{2}」を上回ります（平均 {3:.3f} と {4:.3f}）",
                "With all {0} seeds \"{1}\" is ahead of \"{2}\": {3:.3f} against {4:.3f} in the mean",
                run.done, first ? one : other, first ? other : one, run.mean(first ? 0 : variant),
                run.mean(first ? variant : 0));
  }
  const std::optional<double> step = run.mean_reached(0);
  const std::optional<double> other_step = run.mean_reached(variant);
  if (lead.ahead == 0 && lead.behind == 0 && step && other_step) {
    return text(
        "「{0}」と「{1}」は同じところに着きます（{2} つの種、平均 {3:.3f} と {4:.3f}）。正解率 0.9 "
        "に達するのはステップ "
        "{5:.0f} と {6:.0f} です",
        "\"{0}\" and \"{1}\" end alike over {2} seeds ({3:.3f} and {4:.3f} in the mean); an accuracy of 0.9 "
        "is "
        "reached after {5:.0f} and {6:.0f} steps",
        one, other, run.done, run.mean(0), run.mean(variant), *step, *other_step);
  }
  if (lead.ahead == 0 && lead.behind == 0) {
    return text("「{1}」と「{2}」に差はありません（{0} つの種、平均 {3:.3f} と {4:.3f}）",
                "\"{1}\" and \"{2}\" do not differ over {0} seeds: {3:.3f} and {4:.3f} in the mean", run.done,
                one, other, run.mean(0), run.mean(variant));
  }
  return text(
      "{0} つの種のうち「{1}」が上なのは {2} つ、「{3}」が上なのは {4} つです（平均 {5:.3f} と {6:.3f}）",
      "It depends on the seed: \"{1}\" is ahead {2} times, \"{3}\" {4} times of {0} ({5:.3f} and {6:.3f} in "
      "the "
      "mean)",
      run.done, one, lead.ahead, other, lead.behind, run.mean(0), run.mean(variant));
}

Figure courses_figure(const ContrastRun& run) {
  Chart chart{Axis{{"ステップ", "Step"}}, Axis{{"正解率", "Accuracy"}}.within(0.0, 1.05)};
  for (std::size_t i = 0; i < run.courses.size(); ++i) {
    for (std::size_t seed = 0; seed < run.done; ++seed) {
      const Course& course = run.courses[i][seed];
      chart.layers.emplace_back(Curve{fmt::format("accuracy_{}_{}", i, seed), course.steps, course.accuracy,
                                      series_ink(i),
                                      seed == 0 ? run.contrast->variants[i].name : Text::none()});
    }
  }
  return Figure{"courses", verdict(run, 1)}
      .described(text("ステップに対する正解率の曲線。{} 通りを {} つの種で。",
                      "Accuracy over the steps: {} variants, each with {} seeds.", run.courses.size(),
                      run.done))
      .captioned(text("学習に使わなかった系列での正解率。曲線 1 本が 1 つの種。",
                      "Accuracy on sequences never trained on; a curve for each seed."))
      .panel(std::move(chart))
      .on_page(9.5, 5.6);
}

/// All are alike, but for those that somebody stopped.
const Course& shortest_course(const ContrastRun& run) {
  const Course* shortest = run.courses[0].data();
  for (const std::vector<Course>& courses : run.courses) {
    for (const Course& course : courses) {
      if (course.steps.size() < shortest->steps.size()) shortest = &course;
    }
  }
  return *shortest;
}

/// (variants, seeds, points)
Tensor<double> accuracies(const ContrastRun& run) {
  const std::size_t points = shortest_course(run).steps.size();
  Tensor<double> all = Tensor<double>::from_shape({run.courses.size(), run.done, points});
  double* to = all.data();
  for (const std::vector<Course>& courses : run.courses) {
    for (std::size_t seed = 0; seed < run.done; ++seed)
      to = std::copy_n(courses[seed].accuracy.data(), points, to);
  }
  return all;
}

Report run_contrast(const Arguments& arguments, const Context& context) {
  const ContrastRun run =
      train_contrast(contrasts()[arguments.chosen<std::size_t>("of")], arguments.count("seeds"),
                     static_cast<std::uint32_t>(arguments.integer("seed")), context);
  const std::size_t variants = run.courses.size();
  Report report;
  Table table{{{"条件", "variant"},
               {"平均", "mean"},
               {"最低", "lowest"},
               {"最高", "highest"},
               {"0.9 までのステップ", "steps to 0.9"}}};
  for (std::size_t i = 0; i < variants; ++i) {
    std::vector<double> row;
    for (std::size_t seed = 0; seed < run.done; ++seed) row.push_back(run.last(i, seed));
    table.rows.push_back({run.contrast->variants[i].name, fmt::format("{:.4f}", run.mean(i)),
                          fmt::format("{:.4f}", *std::min_element(row.begin(), row.end())),
                          fmt::format("{:.4f}", *std::max_element(row.begin(), row.end())),
                          run.mean_reached(i) ? fmt::format("{:.0f}", *run.mean_reached(i)) : "–"});
    report.scalars.push_back({fmt::format("mean_accuracy_{}", i), run.mean(i)});
  }
  report.scalars.push_back({"seconds", run.seconds});
  report.stages = {
      step("accuracy", Formula{}, accuracies(run), {"variants", "seeds", "points"}, derived::measured()),
      step("steps", Formula{}, to_tensor(shortest_course(run).steps), {"points"}, derived::measured())};
  report.body = {Paragraph{Role::heading, run.contrast->question},
                 Paragraph::plain("課題 `{}` を、1 か所だけ変えて {} つの種で学習しました。",
                                  "`{}` trained with one thing changed, over {} seeds.",
                                  run.contrast->task().name, run.done),
                 table};
  for (std::size_t i = 1; i < variants; ++i)
    report.body.emplace_back(Paragraph::say("{}。", "{}.", verdict(run, i)));
  report.body.emplace_back(Paragraph::misunderstanding(
      "1 つの種での違いは偶然かもしれません。いくつもの種で同じ向きなら、主張の証拠になります。",
      "A difference with one seed may be chance; the same direction with every seed is evidence."));
  report.figures = {courses_figure(run)};
  report.no_program = why_no_program();
  return report;
}

}  // namespace

Experiment contrast_task() {
  return learning_task(
      "train contrast",
      {"1 か所だけ変えて何度も学習し、文書の主張を確かめる",
       "one thing changed, several seeds: what training says of the documents' claims"},
      {"教科書 2.2.4 項、スライド、Vaswani ほか 2017 表 3",
       "textbook section 2.2.4, the slides; Vaswani et al. 2017, table 3"},
      {parameter("of", ChoiceKind{names_of(contrasts())}, "scaling", "何を変えるか", "what is changed"),
       parameter("seeds", IntegerKind{{1, 100}}, "5", "種の個数", "how many seeds"), seed_parameter("0")},
      run_contrast);
}

}  // namespace attnlab
