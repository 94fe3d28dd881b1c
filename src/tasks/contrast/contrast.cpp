// `train contrast`: what the documents claim, decided by training: the same task several times, with one
// thing changed and everything else alike, over several seeds.
#include "tasks/contrast/contrast.hpp"

#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/held_out_error.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

// --- What it says

/// By how much the first variant is ahead of another in the mean, and in how many seeds by more than the
/// error.
struct Lead {
  double mean = 0.0;
  std::size_t ahead = 0;
  std::size_t behind = 0;
};
Lead lead_over(const ContrastRun& run, std::size_t variant) {
  Lead lead{run.mean(0) - run.mean(variant)};
  for (std::size_t seed = 0; seed < run.done; ++seed) {
    if (is_clearly_above(run.last(0, seed), run.last(variant, seed), run.answers)) ++lead.ahead;
    if (is_clearly_above(run.last(variant, seed), run.last(0, seed), run.answers)) ++lead.behind;
  }
  return lead;
}

Text verdict(const ContrastRun& run, std::size_t variant) {
  const Lead lead = lead_over(run, variant);
  const bool first = lead.ahead == run.done;
  const std::size_t better = first ? 0 : variant;
  const std::size_t worse = first ? variant : 0;
  const std::optional<double> step = run.mean_reached(0);
  const std::optional<double> other_step = run.mean_reached(variant);
  const auto name = [&](std::size_t i) { return run.contrast->variants[i].name; };
  const TaskWords words("contrast", {{"seeds", run.done},
                                     {"one", name(0)},
                                     {"other", name(variant)},
                                     {"mean", run.mean(0)},
                                     {"other_mean", run.mean(variant)},
                                     {"better", name(better)},
                                     {"worse", name(worse)},
                                     {"more", run.mean(better)},
                                     {"less", run.mean(worse)},
                                     {"step", step.value_or(0.0)},
                                     {"other_step", other_step.value_or(0.0)},
                                     {"ahead", lead.ahead},
                                     {"behind", lead.behind}});
  if (first || lead.behind == run.done) return words("always");
  if (lead.ahead > 0 || lead.behind > 0) return words("by_seed");
  return words(step && other_step ? "alike_in_steps" : "alike");
}

Figure courses_figure(const ContrastRun& run) {
  const TaskWords words("contrast", {{"variants", run.courses.size()}, {"seeds", run.done}});
  Chart chart{Axis{training_words()("step")}, Axis{training_words()("accuracy")}.within(0.0, 1.05)};
  for (std::size_t i = 0; i < run.courses.size(); ++i) {
    for (std::size_t seed = 0; seed < run.done; ++seed) {
      const Course& course = run.courses[i][seed];
      chart.layers.emplace_back(Curve{fmt::format("accuracy_{}_{}", i, seed), course.steps, course.accuracy,
                                      series_ink(i),
                                      seed == 0 ? run.contrast->variants[i].name : Text::none()});
    }
  }
  return Figure{"courses", verdict(run, 1)}
      .described(words("courses_description"))
      .captioned(words("courses_caption"))
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
  const TaskWords words("contrast", {{"task", run.contrast->experiment().name}, {"seeds", run.done}});
  Table table{{words("variant"), words("mean"), words("lowest"), words("highest"), words("steps")}};
  for (std::size_t i = 0; i < variants; ++i) {
    std::vector<double> row;
    for (std::size_t seed = 0; seed < run.done; ++seed) row.push_back(run.last(i, seed));
    table.rows.push_back({run.contrast->variants[i].name, fmt::format("{:.4f}", run.mean(i)),
                          fmt::format("{:.4f}", *std::min_element(row.begin(), row.end())),
                          fmt::format("{:.4f}", *std::max_element(row.begin(), row.end())),
                          run.mean_reached(i) ? fmt::format("{:.0f}", *run.mean_reached(i)) : "–"});
    report.scalars.push_back({fmt::format("mean_accuracy_{}", i), run.mean(i)});
  }
  report.stages = {learned_stage("accuracy", accuracies(run), {"variants", "seeds", "points"}),
                   learned_stage("steps", to_tensor(shortest_course(run).steps), {"points"})};
  report.body = {Paragraph{Role::heading, run.contrast->question}, words.paragraph(Role::text, "trained"),
                 table};
  for (std::size_t i = 1; i < variants; ++i)
    report.body.emplace_back(words.with({{"verdict", verdict(run, i)}}).say("verdict"));
  report.body.emplace_back(words.misunderstanding());
  report.figures = {courses_figure(run)};
  report.program.missing = why_no_program();
  return report;
}

}  // namespace

Experiment contrast_task() {
  const TaskWords words("contrast");
  return learning_task("contrast",
                       {words.flag("of", ChoiceKind{names_of(contrasts())}, "scaling"),
                        words.flag("seeds", IntegerKind{{1, 100}}, "5"), seed_parameter("0")},
                       run_contrast);
}

}  // namespace attnlab
