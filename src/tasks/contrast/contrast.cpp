// `train contrast`: what the documents claim, decided by training: the same task several times, with one
// thing changed and everything else alike, over several seeds.
#include "experiments/framework/room.hpp"
#include "tasks/framework/learning.hpp"
#include "tasks/lessons.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Variant {
  Text name;
  Settings settings;
};

struct Contrast {
  std::string word;
  Text question;
  Experiment (*task)();
  Lesson (*lesson)(const Arguments&);
  Settings common;                // of all variants
  std::vector<Variant> variants;  // the first is what the others are compared with
  Settings asked = {};            // of the lesson whose sequences are held out, where that is another
};

/// In the order of --of's words.
const std::vector<Contrast>& contrasts() {
  static const std::vector<Contrast> table{
      {"scaling",
       {"1/√d で割らないと、次元が大きいとき学習できないか",
        "Does a large width fail to learn without 1/√d?"},
       reverse_task,
       reversal,
       {{"width", "256"}, {"steps", "200"}, {"batch", "32"}},
       {{{"1/√d あり", "with 1/√d"}, {}}, {{"1/√d なし", "without"}, {{"scale", "none"}}}}},
      {"positions",
       {"位置を知らせないと、順序の課題は解けないか", "Does a task of order fail without positions?"},
       reverse_task,
       reversal,
       {{"steps", "300"}},
       {{{"学習する位置", "learned positions"}, {}}, {{"位置なし", "none"}, {{"positions", "none"}}}}},
      {"encoding",
       {"位置は学習したほうがよいか、正弦波や回転でよいか",
        "Are learned positions better than sinusoids and rotations?"},
       reverse_task,
       reversal,
       {{"steps", "300"}},
       {{{"学習", "learned"}, {}},
        {{"正弦波", "sinusoidal"}, {{"positions", "sinusoidal"}}},
        {{"回転", "rotary"}, {{"positions", "rotary"}}}}},
      {"score",
       {"内積のスコアは、加法のスコアより学習しやすいか",
        "Do dot products learn more easily than additive scores?"},
       reverse_task,
       reversal,
       {{"steps", "200"}, {"batch", "32"}},
       {{{"内積", "dot product"}, {}}, {{"加法", "additive"}, {{"score", "additive"}}}}},
      {"heads",
       {"ヘッドは 1 つより 4 つのほうがよいか", "Are four heads better than one?"},
       dictionary_task,
       dictionaries,
       {{"steps", "400"}, {"heads", "4"}},
       {{{"4 ヘッド", "four heads"}, {}}, {{"1 ヘッド", "one head"}, {{"heads", "1"}}}}},
      {"norm",
       {"深いモデルは pre-norm のほうが学習しやすいか", "Do deep models learn more easily with pre-norm?"},
       reverse_task,
       reversal,
       {{"steps", "200"}, {"layers", "12"}, {"mlp", "64"}, {"batch", "32"}, {"norm", "pre"}},
       {{{"pre-norm", "pre-norm"}, {}}, {{"post-norm", "post-norm"}, {{"norm", "post"}}}}},
      {"period",
       {"いつも同じ周期で学習しても、繰り返しを見つけられるか",
        "Does a model that saw one period alone find repetitions of another?"},
       induction_task,
       repetition,
       {{"steps", "600"}},
       {{{"周期 5～16 で学習", "trained on 5 to 16"}, {}},
        {{"周期 16 だけで学習", "trained on 16 alone"}, {{"shortest", "16"}, {"longest", "16"}}}},
       {{"shortest", "11"}, {"longest", "11"}}},
      {"examples",
       {"少しの例を繰り返すと、覚えるだけで終わるか", "Does a model learn the rule from a few examples?"},
       dictionary_task,
       dictionaries,
       {{"steps", "500"}},
       {{{"毎回新しい例", "new examples"}, {}}, {{"64 個の例", "64 examples"}, {{"examples", "64"}}}}}};
  return table;
}

std::vector<std::string> contrast_words() {
  std::vector<std::string> words;
  for (const Contrast& contrast : contrasts()) words.push_back(contrast.word);
  return words;
}

struct Course {
  std::vector<double> steps;
  std::vector<double> accuracy;  // on the held-out sequences
};

struct ContrastRun {
  const Contrast* contrast = nullptr;
  std::vector<std::vector<Course>> courses;  // by variant, by seed
  double seconds = 0.0;
  std::size_t done = 0;  // seeds of which every variant is there

  double last(std::size_t variant, std::size_t seed) const { return courses[variant][seed].accuracy.back(); }
  /// The first step at which the accuracy was 0.9; nothing where it never was.
  std::optional<double> reached(std::size_t variant, std::size_t seed) const {
    const Course& course = courses[variant][seed];
    for (std::size_t i = 0; i < course.steps.size(); ++i) {
      if (course.accuracy[i] >= 0.9) return course.steps[i];
    }
    return std::nullopt;
  }
  /// Its mean over the seeds; nothing where one never reached it.
  std::optional<double> mean_reached(std::size_t variant) const {
    double sum = 0.0;
    for (std::size_t seed = 0; seed < done; ++seed) {
      const std::optional<double> step = reached(variant, seed);
      if (!step) return std::nullopt;
      sum += *step;
    }
    return sum / static_cast<double>(done);
  }
  double mean(std::size_t variant) const {
    double sum = 0.0;
    for (std::size_t seed = 0; seed < done; ++seed) sum += last(variant, seed);
    return sum / static_cast<double>(done);
  }
};

Arguments arguments_for(const Contrast& contrast, const Settings& variant, std::uint32_t seed) {
  Arguments arguments(contrast.task().parameters);
  for (const Settings* settings : {&contrast.common, &variant}) {
    for (const auto& [name, text] : *settings) arguments.set(name, text);
  }
  arguments.set("seed", std::to_string(seed));
  return arguments;
}

ContrastRun compute_contrast(const Arguments& arguments, const Context& context) {
  const double began = context.seconds();
  ContrastRun run;
  run.contrast = &contrasts()[arguments.chosen<std::size_t>("of")];
  const std::vector<Variant>& variants = run.contrast->variants;
  const std::size_t seeds = arguments.count("seeds");
  const auto first = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.courses.resize(variants.size());
  const auto trainings = static_cast<double>(seeds * variants.size());
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(first + seed);
      const Arguments own = arguments_for(*run.contrast, variants[i].settings, number);
      Lesson lesson = run.contrast->lesson(own);
      if (!run.contrast->asked.empty()) {
        lesson.held_out =
            run.contrast->lesson(arguments_for(*run.contrast, run.contrast->asked, number)).held_out;
      }
      const double from = static_cast<double>(seed * variants.size() + i) / trainings;
      const Learned learned = learn(lesson, learning_settings(own), context, from, from + 1.0 / trainings);
      if (learned.was_stopped() && run.done > 0) return run;
      Course course;
      for (const Point& point : learned.points) {
        course.steps.push_back(static_cast<double>(point.step));
        course.accuracy.push_back(point.accuracy);
      }
      run.courses[i].push_back(std::move(course));
    }
    ++run.done;
    run.seconds = context.seconds() - began;
  }
  return run;
}

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
      "種によって違います：「{1}」が上は {2} 回、「{3}」が上は {4} 回（{0} つの種、平均 {5:.3f} と "
      "{6:.3f}）",
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

Report run_contrast(const Arguments& arguments, const Context& context) {
  const ContrastRun run = compute_contrast(arguments, context);
  const std::size_t variants = run.courses.size();
  Report report;
  Tensor<double> accuracy = Tensor<double>::from_shape({variants, run.done});
  Table table{{{"条件", "variant"},
               {"平均", "mean"},
               {"最低", "lowest"},
               {"最高", "highest"},
               {"0.9 までのステップ", "steps to 0.9"}}};
  for (std::size_t i = 0; i < variants; ++i) {
    for (std::size_t seed = 0; seed < run.done; ++seed) accuracy(i, seed) = run.last(i, seed);
    const Tensor<double> row = xt::view(accuracy, i, xt::all());
    table.rows.push_back({run.contrast->variants[i].name, fmt::format("{:.4f}", run.mean(i)),
                          fmt::format("{:.4f}", *std::min_element(row.begin(), row.end())),
                          fmt::format("{:.4f}", *std::max_element(row.begin(), row.end())),
                          run.mean_reached(i) ? fmt::format("{:.0f}", *run.mean_reached(i)) : "–"});
    report.scalars.push_back({fmt::format("mean_accuracy_{}", i), run.mean(i)});
  }
  report.scalars.push_back({"seconds", run.seconds});
  report.stages = {
      step("accuracy", Formula{}, accuracy, {"variants", "seeds"}, derived::measured()),
      step("steps", Formula{}, to_tensor(run.courses[0][0].steps), {"points"}, derived::measured())};
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
  return {"train contrast",
          {"1 か所だけ変えて何度も学習し、文書の主張を確かめる",
           "one thing changed, several seeds: what training says of the documents' claims"},
          {"教科書 2.2.4 項、スライド、Vaswani ほか 2017 表 3",
           "textbook section 2.2.4, the slides; Vaswani et al. 2017, table 3"},
          {parameter("of", ChoiceKind{contrast_words()}, "scaling", "何を変えるか", "what is changed"),
           parameter("seeds", IntegerKind{{1, 100}}, "5", "種の個数", "how many seeds"), seed_parameter("0")},
          run_contrast,
          "",
          {},
          {},
          true};
}

}  // namespace attnlab
