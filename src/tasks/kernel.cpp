// `train kernel`: attention pooling as regression. A value at x is the mean of the known values, weighted by
// softmax(−(w (x − x_i))² / 2): Nadaraya and Watson's kernel regression of 1964, with one number to be
// learned.
#include "attention/softmax.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/held_out_error.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"
#include "training/layers/loss.hpp"
#include "training/optimiser.hpp"

namespace attnlab {
namespace {

constexpr double furthest = 5.0;
constexpr std::size_t places_held_out = 100;

double truth(double x) { return 2.0 * std::sin(x) + std::pow(x, 0.8); }

struct Known {
  Tensor<double> x;  // (n), rising: the keys
  Tensor<double> y;  // (n): the values
};

Known draw_known(NumpyRandom& random, std::size_t count, double noise) {
  std::vector<double> x(count);
  for (double& place : x) place = furthest * random.uniform();
  std::sort(x.begin(), x.end());
  std::vector<double> y(count);
  std::transform(x.begin(), x.end(), y.begin(),
                 [&](double place) { return truth(place) + noise * random.normal(); });
  return {to_tensor(x), to_tensor(y)};
}

/// softmax(−(w (q − k))² / 2): (queries, keys). A query that is one of the keys does not read itself where
/// `leaves_out`: what is predicted must not be read.
Tensor<double> kernel_weights(const Tensor<double>& query, const Tensor<double>& key, double w,
                              bool leaves_out) {
  const Tensor<double> distance = w * (xt::view(query, xt::all(), xt::newaxis()) - key);
  Tensor<double> scores = -0.5 * distance * distance;
  for (std::size_t i = 0; leaves_out && i < key.size(); ++i) scores(i, i) = -infinity;
  return softmax(scores);
}

Tensor<double> pooled(const Tensor<double>& weights, const Tensor<double>& values) {
  Tensor<double> column = values;
  column.reshape({values.size(), std::size_t{1}});
  Tensor<double> output = matmul(weights, column);
  output.reshape({weights.shape()[0]});
  return output;
}

double mean_square(const Tensor<double>& error) {
  return sum_of(xt::square(error)) / static_cast<double>(error.size());
}

struct KernelLoss {
  double loss = 0.0;      // mean square over the known points, each predicted by the others
  double gradient = 0.0;  // by w
};

/// With s = −(w δ)² / 2 and ŷ = Σ a y: ∂ŷ/∂w = Σ a (y − ŷ) ∂s/∂w, ∂s/∂w = −w δ².
KernelLoss kernel_loss(const Known& known, double w) {
  const Tensor<double> weights = kernel_weights(known.x, known.x, w, true);
  const Tensor<double> predicted = pooled(weights, known.y);
  const std::size_t n = known.x.size();
  Tensor<double> gradient = predicted;  // by ŷ
  KernelLoss result{squared_error(gradient.data(), known.y.data(), n, 1.0 / static_cast<double>(n))};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double distance = known.x(i) - known.x(j);
      result.gradient -= gradient(i) * weights(i, j) * (known.y(j) - predicted(i)) * w * distance * distance;
    }
  }
  return result;
}

struct KernelRun {
  Known known;
  Tensor<double> query;   // (places)
  Tensor<double> target;  // (places)
  std::vector<double> w;  // before every step, and after the last
  std::vector<double> loss;
  Tensor<double> weights_before;  // (places, known)
  Tensor<double> weights;         // (places, known)
  Tensor<double> before;          // (places)
  Tensor<double> output;          // (places)
  double mean_error = 0.0;        // of the mean of all values
  double error_before = 0.0;
  double error = 0.0;
};

/// Whether the learned width is nearer to the truth, by a hundredth and by more than the error of the mean.
bool has_lower_error(const KernelRun& run) {
  const Tensor<double> gained = xt::square(run.target - run.before) - xt::square(run.target - run.output);
  const MeanWithError mean = mean_of(values_of(gained));
  return mean.mean > mean.error && run.error < 0.99 * run.error_before;
}

KernelRun learn_kernel(const Arguments& arguments, const Context& context) {
  NumpyRandom random(static_cast<std::uint32_t>(arguments.integer("seed")));
  KernelRun run;
  run.known = draw_known(random, arguments.count("points"), arguments.number("noise"));
  run.query = xt::linspace<double>(0.0, furthest, places_held_out);
  run.target = xt::zeros_like(run.query);
  std::transform(run.query.begin(), run.query.end(), run.target.begin(), truth);

  const std::size_t steps = arguments.count("steps");
  OptimiserSettings settings;
  settings.rate = arguments.number("rate");
  Optimiser<double> optimiser(settings, 1);
  std::vector<double> w{arguments.number("width")};
  for (std::size_t step = 0; step < steps; ++step) {
    if (context.stops && context.stops()) break;
    const KernelLoss now = kernel_loss(run.known, w[0]);
    run.w.push_back(w[0]);
    run.loss.push_back(now.loss);
    optimiser.step(w, {now.gradient}, 1.0, rate_of(settings, step, steps));
    context.progress(static_cast<double>(step + 1) / static_cast<double>(steps));
  }
  run.w.push_back(w[0]);
  run.loss.push_back(kernel_loss(run.known, w[0]).loss);

  run.weights_before = kernel_weights(run.query, run.known.x, run.w.front(), false);
  run.weights = kernel_weights(run.query, run.known.x, run.w.back(), false);
  run.before = pooled(run.weights_before, run.known.y);
  run.output = pooled(run.weights, run.known.y);
  const double mean = sum_of(run.known.y) / static_cast<double>(run.known.y.size());
  run.mean_error = mean_square(run.target - mean);
  run.error_before = mean_square(run.target - run.before);
  run.error = mean_square(run.target - run.output);
  return run;
}

// --- What is told of it

std::vector<Stage> stages_of(const KernelRun& run) {
  const std::vector<std::string> pairs{"queries", "keys"};
  return {learned_stage("key", run.known.x, {"keys"}),
          learned_stage("value", run.known.y, {"keys"}),
          learned_stage("query", run.query, {"queries"}),
          learned_stage("weights_before", run.weights_before, pairs),
          learned_stage("weights", run.weights, pairs),
          learned_stage("output_before", run.before, {"queries"}),
          learned_stage("output", run.output, {"queries"}),
          learned_stage("target", run.target, {"queries"}),
          learned_stage("w", to_tensor(run.w), {"steps"}),
          learned_stage("loss", to_tensor(run.loss), {"steps"})};
}

TaskWords words_of(const KernelRun& run) {
  return TaskWords("kernel", {{"w_before", run.w.front()},
                              {"w", run.w.back()},
                              {"error_before", run.error_before},
                              {"error", run.error},
                              {"loss_before", run.loss.front()},
                              {"loss", run.loss.back()},
                              {"points", run.known.x.size()},
                              {"places", run.query.size()},
                              {"queries", counted(run.query.size(), "query")},
                              {"keys", counted(run.known.x.size(), "key")}});
}

Figure curves_figure(const KernelRun& run, const TaskWords& words) {
  const auto curve = [&](const char* id, const Tensor<double>& y, Ink ink, const char* name) {
    return Curve{id, values_of(run.query), values_of(y), ink, words(name)};
  };
  Curve real = curve("target", run.target, muted_ink, "truth");
  real.dashed = true;
  const Points known{"known", values_of(run.known.x), values_of(run.known.y), muted_ink, words("known")};
  return Figure{"curves", words(has_lower_error(run) ? "curves_lower" : "curves")}
      .described(words("curves_description"))
      .captioned(words("curves_caption"))
      .panel(Chart{Axis{Text::same("x")},
                   Axis{Text::same("y")},
                   {known, real, curve("before", run.before, series_ink(1), "curve_before"),
                    curve("after", run.output, series_ink(0), "curve_after")}})
      .on_page(9.0, 5.6);
}

Figure weights_figure(const KernelRun& run, const TaskWords& words) {
  const double most = std::max(largest(run.weights), largest(run.weights_before));
  const auto map = [&](const char* id, const Tensor<double>& weights) {
    return HeatMap{id, to_matrix(weights)}
        .rows(words("query"))
        .columns(words("key"))
        .coloured(weight_colours(0.0, most));
  };
  return Figure{"weights", words("weights")}
      .described(words("weights_description"))
      .captioned(words("weights_caption"))
      .panel(training_words()("before"), map("weights_before", run.weights_before))
      .panel(training_words()("after"), map("weights", run.weights))
      .sharing_scale(weight_colours(0.0, most))
      .on_page(10.0, 5.2);
}

Figure kernel_learning_figure(const KernelRun& run, const TaskWords& words) {
  std::vector<double> steps(run.w.size());
  std::iota(steps.begin(), steps.end(), 0.0);
  const Axis x{training_words()("step")};
  return Figure{"learning", words("learning")}
      .described(words("learning_description"))
      .captioned(words("learning_caption"))
      .panel(words("error"), Chart{x, Axis{words("mean_square")}, {Curve{"loss", steps, run.loss}}})
      .panel(Text::same("w"), Chart{x, Axis{Text::same("w")}, {Curve{"w", steps, run.w}}})
      .on_page(9.0, 4.4);
}

Report run_kernel(const Arguments& arguments, const Context& context) {
  const KernelRun run = learn_kernel(arguments, context);
  const TaskWords words = words_of(run);
  Report report;
  report.stages = stages_of(run);
  report.scalars = {{"held_out_error", run.error},
                    {"held_out_error_unlearned", run.error_before},
                    {"held_out_error_of_the_mean", run.mean_error},
                    {"w", run.w.back()},
                    {"parameters", 1.0},
                    {"steps", static_cast<double>(run.w.size() - 1)}};
  report.invariants = {invariant("weights_sum_to_one",
                                 worst(row_sum_error(run.weights), row_sum_error(run.weights_before)),
                                 1e-14 * static_cast<double>(run.known.x.size()), words("rows_sum_to_one"))};
  Table errors{{words("column_prediction"), words("column_error")}};
  errors.rows = {{words("row_mean"), fmt::format("{:.4f}", run.mean_error)},
                 {words("row_before"), fmt::format("{:.4f}", run.error_before)},
                 {words("row_after"), fmt::format("{:.4f}", run.error)}};
  report.body = {words.paragraph(Role::heading, "heading"),
                 words.paragraph(Role::text, "data"),
                 Equation{formula::read("softmax(−\\frac{(w(x−x_i))^2}{2})")},
                 errors,
                 words.say(),
                 words.misunderstanding()};
  report.figures = {curves_figure(run, words), weights_figure(run, words),
                    kernel_learning_figure(run, words)};
  report.program.missing = why_no_program();
  return report;
}

}  // namespace

Experiment kernel_task() {
  const TaskWords words("kernel");
  return learning_task("kernel",
                       {words.flag("points", IntegerKind{{3, 2000}}, "50"),
                        words.flag("noise", NumberKind{{0.0, 100.0}}, "0.5"),
                        words.flag("width", NumberKind{{1e-6, 1e6}}, "1"),
                        words.flag("steps", IntegerKind{{1, 100000}}, "300"),
                        words.flag("rate", NumberKind{{1e-9, 1e9}}, "0.1"), seed_parameter("0")},
                       run_kernel);
}

}  // namespace attnlab
