// `train kernel`: attention pooling as regression. A value at x is the mean of the known values, weighted by
// softmax(−(w (x − x_i))² / 2): Nadaraya and Watson's kernel regression of 1964, with one number to be
// learned.
#include "attention/softmax.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "experiments/framework/room.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"
#include "training/layers/loss.hpp"
#include "training/optimiser.hpp"

namespace attnlab {

namespace {

constexpr double furthest = 5.0;
constexpr std::size_t places_held_out = 100;

double truth(double x) {
  return 2.0 * std::sin(x) + std::pow(x, 0.8);
}

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
  Tensor<double> scores = Tensor<double>::from_shape({query.size(), key.size()});
  for (std::size_t i = 0; i < query.size(); ++i) {
    for (std::size_t j = 0; j < key.size(); ++j) {
      const double distance = w * (query(i) - key(j));
      scores(i, j) = leaves_out && i == j ? -infinity : -0.5 * distance * distance;
    }
  }
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
  double seconds = 0.0;
};

KernelRun learn_kernel(const Arguments& arguments, const Context& context) {
  const double began = context.seconds();
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
  run.seconds = context.seconds() - began;
  return run;
}

// --- What is told of it

std::vector<Stage> stages_of(const KernelRun& run) {
  const auto measured = [](const char* name, const Tensor<double>& values, std::vector<std::string> axes) {
    return step(name, Formula{}, values, std::move(axes), derived::measured());
  };
  const std::vector<std::string> pairs{"queries", "keys"};
  return {measured("key", run.known.x, {"keys"}),      measured("value", run.known.y, {"keys"}),
          measured("query", run.query, {"queries"}),   measured("weights_before", run.weights_before, pairs),
          measured("weights", run.weights, pairs),     measured("output_before", run.before, {"queries"}),
          measured("output", run.output, {"queries"}), measured("target", run.target, {"queries"}),
          measured("w", to_tensor(run.w), {"steps"}),  measured("loss", to_tensor(run.loss), {"steps"})};
}

Figure curves_figure(const KernelRun& run) {
  const auto curve = [&](const char* id, const Tensor<double>& y, Ink ink, const Text& name) {
    return Curve{id, values_of(run.query), values_of(y), ink, name};
  };
  Curve real = curve("target", run.target, muted_ink, {"本当の関数", "The truth"});
  real.dashed = true;
  return Figure{"curves",
                run.error < 0.99 * run.error_before
                    ? text("学習した幅は誤差を減らす：{:.3f} → {:.3f}",
                           "The learned width lowers the error: {:.3f} → {:.3f}", run.error_before, run.error)
                    : text("学習した幅での誤差：{:.3f} → {:.3f}",
                           "The error with the learned width: {:.3f} → {:.3f}", run.error_before, run.error)}
      .described(text("散らばった点と 3 本の曲線：本当の関数、w = {:.1f}（誤差 {:.3f}）、学習した w = {:.1f}"
                      "（誤差 {:.3f}）。",
                      "Scattered points and three curves: the truth, w = {:.1f} (error {:.3f}), and the "
                      "learned w = {:.1f} (error {:.3f}).",
                      run.w.front(), run.error_before, run.w.back(), run.error))
      .captioned(text("点は知っている値（{} 個）。曲線は誤差を測った {} か所。",
                      "Points: the {} known values. Curves: the {} places where the error was measured.",
                      run.known.x.size(), run.query.size()))
      .panel(Chart{Axis{Text::same("x")},
                   Axis{Text::same("y")},
                   {Points{"known", values_of(run.known.x), values_of(run.known.y), muted_ink,
                           Text{"知っている値", "Known values"}},
                    real,
                    curve("before", run.before, series_ink(1),
                          text("w = {:.2f}（学習前）", "w = {:.2f} (before)", run.w.front())),
                    curve("after", run.output, series_ink(0),
                          text("w = {:.2f}（学習後）", "w = {:.2f} (learned)", run.w.back()))}})
      .on_page(9.0, 5.6);
}

Figure weights_figure(const KernelRun& run) {
  const double most = std::max(largest(run.weights), largest(run.weights_before));
  const auto map = [&](const char* id, const Tensor<double>& weights) {
    return HeatMap{id, to_matrix(weights)}
        .rows({"クエリ（x の順）", "Query (by x)"})
        .columns({"キー（x の順）", "Key (by x)"})
        .coloured(weight_colours(0.0, most));
  };
  return Figure{"weights", text("w が大きいほど、近くのキーだけを読む：w = {:.1f} → {:.1f}",
                                "The larger w, the nearer the keys that are read: w = {:.1f} → {:.1f}",
                                run.w.front(), run.w.back())}
      .described({"注意度のヒートマップが 2 枚、学習前と学習後。",
                  "Two heat maps of the weights, before and after training."})
      .captioned(text("{} 個のクエリ、{} 個のキー。", "{}, {}.", counted(run.query.size(), "query"),
                      counted(run.known.x.size(), "key")))
      .panel({"学習前", "Before"}, map("weights_before", run.weights_before))
      .panel({"学習後", "After"}, map("weights", run.weights))
      .sharing_scale(weight_colours(0.0, most))
      .on_page(10.0, 5.2);
}

Figure kernel_learning_figure(const KernelRun& run) {
  std::vector<double> steps(run.w.size());
  std::iota(steps.begin(), steps.end(), 0.0);
  const Axis x{{"ステップ", "Step"}};
  return Figure{"learning", text("誤差 {:.3f} → {:.3f}、幅のパラメータ w は {:.1f} → {:.1f}",
                                 "Error {:.3f} → {:.3f}, while w goes from {:.1f} to {:.1f}",
                                 run.loss.front(), run.loss.back(), run.w.front(), run.w.back())}
      .described({"ステップに対する誤差と w の曲線。", "The error and w over the steps."})
      .captioned({"誤差は、知っている各点をほかの点だけから予測したときの平均二乗誤差。",
                  "The error: each known point predicted from the others, mean square."})
      .panel({"誤差", "Error"},
             Chart{x, Axis{{"平均二乗誤差", "Mean squared error"}}, {Curve{"loss", steps, run.loss}}})
      .panel(Text::same("w"), Chart{x, Axis{Text::same("w")}, {Curve{"w", steps, run.w}}})
      .on_page(9.0, 4.4);
}

Report run_kernel(const Arguments& arguments, const Context& context) {
  const KernelRun run = learn_kernel(arguments, context);
  Report report;
  report.stages = stages_of(run);
  report.scalars = {{"held_out_error", run.error},
                    {"held_out_error_unlearned", run.error_before},
                    {"held_out_error_of_the_mean", run.mean_error},
                    {"w", run.w.back()},
                    {"parameters", 1.0},
                    {"steps", static_cast<double>(run.w.size() - 1)},
                    {"seconds", run.seconds}};
  report.invariants = {invariant("weights_sum_to_one",
                                 worst(row_sum_error(run.weights), row_sum_error(run.weights_before)),
                                 1e-14 * static_cast<double>(run.known.x.size()), "どの行の和も 1",
                                 "every row of the weights sums to 1")};
  Table errors{{{"予測", "prediction"}, {"誤差", "error"}}};
  errors.rows = {
      {Text{"すべての値の平均（クエリを見ない）", "the mean of all values (no query)"},
       fmt::format("{:.4f}", run.mean_error)},
      {text("w = {:.3g}（学習前）", "w = {:.3g} (before)", run.w.front()),
       fmt::format("{:.4f}", run.error_before)},
      {text("w = {:.4g}（学習後）", "w = {:.4g} (learned)", run.w.back()), fmt::format("{:.4f}", run.error)}};
  report.body = {
      Paragraph::heading("アテンションプーリングによる回帰", "Attention pooling as regression"),
      Paragraph::plain(
          "y = 2 sin x + x^0.8 に雑音を加えた {} 個の点から、ほかの x での値を予測します。パラメータは幅 w "
          "の 1 個です。",
          "From {} points of y = 2 sin x + x^0.8 with noise the values at other x are predicted. One "
          "parameter, w, is learned.",
          run.known.x.size()),
      Equation{formula::read("softmax(−frac{(w(x−x_i))^2}{2})")},
      errors,
      Paragraph::say(
          "クエリに近いキーの値ほど重く読む。どこまでを「近い」とするか、その 1 個の数を学習が決めます。",
          "Values of keys near the query weigh more; how near is near is the one number that training "
          "decides."),
      Paragraph::misunderstanding("細いほどよいのではありません。w を大きくしすぎると雑音まで読みます。",
                                  "Narrower is not better: with too large a w the noise is read, too.")};
  report.figures = {curves_figure(run), weights_figure(run), kernel_learning_figure(run)};
  report.no_program = why_no_program();
  return report;
}

}  // namespace

Experiment kernel_task() {
  return learning_task(
      "train kernel",
      {"注意度で近くの値を平均する回帰：幅を学習する",
       "regression by attention: how near is near is learned"},
      {"スライドのアテンションプーリング、Nadaraya 1964、Watson 1964",
       "the slides' attention pooling; Nadaraya 1964, Watson 1964"},
      {parameter("points", IntegerKind{{3, 2000}}, "50", "知っている点の数", "how many points are known"),
       parameter("noise", NumberKind{{0.0, 100.0}}, "0.5", "値に加える雑音の標準偏差",
                 "standard deviation of the noise on the values"),
       parameter("width", NumberKind{{1e-6, 1e6}}, "1", "学習前の w", "w before training"),
       parameter("steps", IntegerKind{{1, 100000}}, "300", "学習のステップ数", "how many steps of training"),
       parameter("rate", NumberKind{{1e-9, 1e9}}, "0.1", "学習率", "the learning rate"), seed_parameter("0")},
      run_kernel);
}

}  // namespace attnlab
