// Fixed filters beside attention: a band of weights decided beforehand, and weights computed from the input.
#include "experiments/filters/filters.hpp"

namespace attnlab {
namespace {

void require_odd(std::size_t window) {
  if (window % 2 == 1) return;
  refuse_usage(text("--window {} は偶数なので、中央のサンプルがありません",
                    "--window {} is even, so it has no sample in its middle", window),
               text("奇数にしてください。例: --window {}", "choose an odd number, for example --window {}",
                    window + 1));
}

FilterSettings settings_of(const Arguments& arguments) {
  FilterSettings settings;
  settings.samples = arguments.count("samples");
  settings.window = arguments.count("window");
  settings.alpha = arguments.number("alpha");
  settings.noise = arguments.number("noise");
  settings.scale_text = arguments.text("scale");
  require_odd(settings.window);
  settings.radius = settings.window / 2;
  return settings;
}

// --- Two filters, each as a matrix and as the loop that is usually written --------------------------------

/// The samples first .. last (included) that a centred window at t reaches.
struct Reach {
  Reach(std::size_t t, std::size_t samples, std::size_t window)
      : first(t < window / 2 ? 0 : t - window / 2), last(std::min(t + window / 2, samples - 1)) {}

  std::size_t first;
  std::size_t last;
  double count() const { return static_cast<double>(last - first + 1); }
};

/// (samples, samples): row t averages the samples that the window reaches; near the ends only those of them
/// that exist, so that every row sums to 1.
Tensor<double> moving_average_weights(std::size_t samples, std::size_t window) {
  Tensor<double> weights({samples, samples}, 0.0);
  for (std::size_t t = 0; t < samples; ++t) {
    const Reach reach(t, samples, window);
    for (std::size_t s = reach.first; s <= reach.last; ++s) weights(t, s) = 1.0 / reach.count();
  }
  return weights;
}

/// The same as a sliding mean of signal (samples).
Tensor<double> moving_average(const Tensor<double>& signal, std::size_t window) {
  Tensor<double> output({signal.size()}, 0.0);
  for (std::size_t t = 0; t < signal.size(); ++t) {
    const Reach reach(t, signal.size(), window);
    double sum = 0.0;
    for (std::size_t s = reach.first; s <= reach.last; ++s) sum += signal(s);
    output(t) = sum / reach.count();
  }
  return output;
}

/// (samples, samples): row t has alpha (1 - alpha)^(t - s) for 1 <= s <= t, and (1 - alpha)^t for s = 0: the
/// first sample keeps the rest, so that every row sums to 1. 0 < alpha <= 1.
Tensor<double> ema_weights(std::size_t samples, double alpha) {
  Tensor<double> weights({samples, samples}, 0.0);
  for (std::size_t t = 0; t < samples; ++t) {
    for (std::size_t s = 0; s <= t; ++s) {
      const double share = s == 0 ? 1.0 : alpha;
      weights(t, s) = share * std::pow(1.0 - alpha, static_cast<double>(t - s));
    }
  }
  return weights;
}

/// The same as the recursion y_0 = x_0, y_t = alpha x_t + (1 - alpha) y_(t-1).
Tensor<double> exponential_moving_average(const Tensor<double>& signal, double alpha) {
  Tensor<double> output = signal;  // y_0 = x_0
  for (std::size_t t = 1; t < signal.size(); ++t) {
    output(t) = alpha * signal(t) + (1.0 - alpha) * output(t - 1);
  }
  return output;
}

/// Column s = filter(x + one more unit at s) - filter(x): the weights that the filter has on this signal.
Tensor<double> weights_found(const Tensor<double>& signal,
                             const std::function<Tensor<double>(const Tensor<double>&)>& filter) {
  const std::size_t n = signal.size();
  const Tensor<double> plain = filter(signal);
  Tensor<double> found({n, n}, 0.0);
  for (std::size_t s = 0; s < n; ++s) {
    Tensor<double> poked = signal;
    poked(s) += 1.0;
    xt::view(found, xt::all(), s) = filter(poked) - plain;
  }
  return found;
}

// --- The computation --------------------------------------------------------------------------------------

Tensor<double> sine(std::size_t samples, std::size_t periods) {
  Tensor<double> wave({samples}, 0.0);
  for (std::size_t t = 0; t < samples; ++t) {
    const auto turns = static_cast<double>(periods * t) / static_cast<double>(samples);
    wave(t) = std::sin(2.0 * pi * turns);
  }
  return wave;
}

double distance(const Tensor<double>& y, const Tensor<double>& clean) {
  return std::sqrt(sum_of(xt::square(y - clean)) / static_cast<double>(y.size()));
}

// --- The trace --------------------------------------------------------------------------------------------

using namespace worked;
using formula::read;
using formula::row;
using formula::sym;

/// W₀ = 1/3 ≈ 0.3333 for s = 0, ⋯, 2, and 0 elsewhere
std::vector<Chain> moving_average_lines(const FilterSettings& settings) {
  return lines(settings.samples, [&](std::size_t t) {
    const Reach reach(t, settings.samples, settings.window);
    const Formula places = read(fmt::format(", s = {} , ⋯ , {}", reach.first, reach.last));
    return equation(read(fmt::format("W_{{{} , s}}", t)),
                    {quotient(1.0, reach.count()), together({1.0 / reach.count(), places})});
  });
}

/// W₂ = (0.7², 0.3 · 0.7¹, 0.3 · 0.7⁰, 0, ⋯) = (0.49, 0.21, 0.3, 0, ⋯)
std::vector<Chain> ema_lines(const FilterSettings& settings, const Tensor<double>& weights) {
  const Written alpha = factor(settings.alpha);
  const Written rest = factor(1.0 - settings.alpha);
  return lines(settings.samples, [&](std::size_t t) {
    const auto list = [&](const std::function<Written(std::size_t s)>& weight) {
      return together({"(", joined(shown(t + 1, 2, 2), ",", weight), read(", 0 , ⋯ )")});
    };
    const auto product = [&](std::size_t s) {
      const Written power{formula::sup(rest.formula, sym(std::to_string(t - s))), rest.exact};
      return s == 0 ? power : together({alpha, "·", power});
    };
    return equation(indexed("W", t),
                    {list(product), list([&](std::size_t s) { return number(weights(t, s)); })});
  });
}

/// `prefix` tells the second signal's stages from the first's.
SignalRun run_on(Tape& tape, std::size_t periods, const FilterSettings& settings, const std::string& prefix) {
  SignalRun run;
  run.periods = periods;
  run.clean = tape.step(prefix + "clean", Formula{}, sine(settings.samples, periods), {"samples"},
                        derived::input(fmt::format("np.sin({0} * math.pi * np.arange({1}.0) / {1})",
                                                   2 * periods, settings.samples)));
  run.signal = tape.sum(prefix + "signal", "x = sin + noise", prefix + "clean", "scaled_noise");
  run.moving_average_found =
      weights_found(run.signal, [&](const Tensor<double>& x) { return moving_average(x, settings.window); });
  run.ema_found = weights_found(
      run.signal, [&](const Tensor<double>& x) { return exponential_moving_average(x, settings.alpha); });
  return run;
}

/// Each window reads all windows.
void attend(Tape& tape, SignalRun& run, const FilterSettings& settings, const std::string& prefix) {
  const Formula formula =
      row({read("q_t = k_t = ( x_{t−r} , ⋯ ,"), formula::sub(sym("x"), sym("t+r")), sym(")")});
  const Formula scores = scaled_scores(settings.scale_text, read("Q K^T"));
  const std::string windows = prefix + "windows";
  run.windows = windows_of(run.signal, settings.window);
  tape.step(windows, formula, run.windows, {"samples", "width"},
            derived::worked({prefix + "signal"}, rows("q", run.windows),
                            fmt::format("windows_around({}signal, {})", prefix, settings.window)));
  tape.product_with_transpose(prefix + "raw_scores", "Q K^T", windows, windows, {"queries", "keys"});
  const std::optional<double> scale = parse_scale(settings.scale_text);
  tape.scaled(prefix + "scores", scores, prefix + "raw_scores",
              scale ? times(*scale) : over_root(settings.window));
  run.attention_weights =
      tape.softmax(prefix + "attention_weights", formula::call("softmax", scores), prefix + "scores");
}

/// Weights that stand on the tape, and what they make of the signal.
Weighing weigh(Tape& tape, const FiltersRun& run, const std::string& kind, const char* formula) {
  const Tensor<double> weights = tape.numbers_of(kind + "_weights");
  const std::size_t n = run.settings.samples;
  double far = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t s = 0; s < n; ++s) {
      if ((s > t ? s - t : t - s) > run.settings.radius) far += weights(t, s);
    }
  }
  const Tensor<double> output =
      tape.product(kind + "_output", formula, kind + "_weights", "signal", {"samples"});
  return {weights, output, far / static_cast<double>(n), 0.0, distance(output, run.main.clean)};
}

}  // namespace

FiltersRun FiltersRun::compute(const Arguments& arguments, const Context& /*context*/) {
  constexpr std::size_t main_periods = 2;
  constexpr std::size_t other_periods = 3;
  FiltersRun run;
  run.settings = settings_of(arguments);
  const FilterSettings& settings = run.settings;
  Tape& tape = run.tape = Tape(arguments);
  tape.normal("noise", {settings.samples}, {"samples"});
  tape.scaled("scaled_noise", row({sym(fmt::format("{:g} ", settings.noise)), sym("noise")}), "noise",
              times(settings.noise));
  run.main = run_on(tape, main_periods, settings, "");
  run.noisy_distance = distance(run.main.signal, run.main.clean);
  const Axes square{"samples_out", "samples_in"};
  tape.step("moving_average_weights", "\\frac{1}{n}",
            moving_average_weights(settings.samples, settings.window), square,
            derived::worked({}, moving_average_lines(settings),
                            fmt::format("centred_mean_weights({}, {})", settings.samples, settings.window)));
  run.moving_average = weigh(tape, run, "moving_average", "W x");
  const Tensor<double> fading = ema_weights(settings.samples, settings.alpha);
  tape.step(
      "ema_weights", "α {( 1 − α )}^{t − s}", fading, square,
      derived::worked({}, ema_lines(settings, fading),
                      fmt::format("fading_weights({}, {})", settings.samples, python_repr(settings.alpha))));
  run.ema = weigh(tape, run, "ema", "W x");
  attend(tape, run.main, settings, "");
  run.attention = weigh(tape, run, "attention", "A x");
  run.other = run_on(tape, other_periods, settings, "other_");
  attend(tape, run.other, settings, "other_");
  run.moving_average.change =
      largest_difference(run.main.moving_average_found, run.other.moving_average_found);
  run.ema.change = largest_difference(run.main.ema_found, run.other.ema_found);
  run.attention.change = largest_difference(run.main.attention_weights, run.other.attention_weights);
  return run;
}

std::vector<Scalar> scalars(const FiltersRun& run) {
  return {{"far_weight_moving_average", run.moving_average.far_weight},
          {"far_weight_ema", run.ema.far_weight},
          {"far_weight_attention", run.attention.far_weight},
          {"distance_signal", run.noisy_distance},
          {"distance_moving_average", run.moving_average.distance},
          {"distance_ema", run.ema.distance},
          {"distance_attention", run.attention.distance},
          {"largest_change_attention", run.attention.change}};
}

std::vector<Invariant> invariants(const FiltersRun& run) {
  // A few hundred roundings of weights up to 1; outputs and their differences have the signal's size.
  constexpr double rounding = 1e-12;
  const Tensor<double>& signal = run.main.signal;
  const double size = std::max({1.0, largest_magnitude(signal), largest_magnitude(run.other.signal)});
  double sums = row_sum_error(run.other.attention_weights);
  double outside = 0.0;
  for (const Weighing* weighing : {&run.moving_average, &run.ema, &run.attention}) {
    sums = std::max(sums, row_sum_error(weighing->weights));
    outside = std::max(outside, overshoot(weighing->output, signal));
  }
  double fixed = 0.0;
  for (const SignalRun* input : {&run.main, &run.other}) {
    fixed = std::max({fixed, largest_difference(input->moving_average_found, run.moving_average.weights),
                      largest_difference(input->ema_found, run.ema.weights)});
  }
  std::vector<Invariant> result{
      invariant("weights_sum_to_one", sums, rounding, "3 つの行列の各行の和は 1",
                "every row of the three matrices sums to 1"),
      invariant("moving_average_is_sliding_mean",
                largest_difference(run.moving_average.output, moving_average(signal, run.settings.window)),
                rounding * size, "行列 × 信号 = 窓をずらしながら取った平均",
                "weights times signal = the sliding mean"),
      invariant("ema_is_recursion",
                largest_difference(run.ema.output, exponential_moving_average(signal, run.settings.alpha)),
                rounding * size, "行列 × 信号 = 漸化式による EMA",
                "weights times signal = the recursive EMA"),
      invariant("fixed_weights_ignore_input", fixed, rounding * size,
                "入力を変えても、移動平均と EMA の重みは変わらない",
                "the moving average and the EMA have the same weights on another input"),
      invariant("outputs_inside_signal_range", outside, rounding * size,
                "出力は信号の最小値と最大値の間にある",
                "outputs lie between the signal's smallest and largest value"),
  };
  if (run.tape.any_read()) return result;  // beside own noise the sines may be too small to matter
  result.insert(result.end() - 1,
                invariant("attention_follows_input", std::max(0.0, rounding - run.attention.change), 0.0,
                          "入力を変えると、アテンションの重みは変わる",
                          "attention has other weights on another input"));
  return result;
}

Tensor<double> windows_of(const Tensor<double>& signal, std::size_t window) {
  const std::size_t samples = signal.size();
  const std::size_t radius = window / 2;
  Tensor<double> windows({samples, window}, 0.0);
  for (std::size_t t = 0; t < samples; ++t) {
    for (std::size_t i = 0; i < window; ++i) {
      const std::size_t place = t + i < radius ? 0 : std::min(t + i - radius, samples - 1);
      windows(t, i) = signal(place);
    }
  }
  return windows;
}

Experiment filters_experiment() {
  return Experiment{
      "filters",
      {"固定フィルタの重みと、入力で決まる注意度",
       "fixed filters compared with weights that follow the input"},
      {"記事 固定重みフィルタと Self-Attention の表", "article, table of fixed filter and self-attention"},
      {parameter("samples", IntegerKind{{8, 256}}, "64", "信号のサンプルの個数",
                 "number of samples of the signal"),
       parameter("window", IntegerKind{{1, 63}}, "5",
                 "移動平均の窓の幅（奇数）。アテンションのクエリとキーの次元でもあります",
                 "width of the moving average, odd; also the width of attention's queries and keys"),
       parameter("alpha", NumberKind{{0.001, 1.0}}, "0.3", "EMA の平滑化係数 α",
                 "smoothing factor alpha of the EMA"),
       parameter("noise", NumberKind{{0.0, 10.0}}, "0.3", "雑音の標準偏差",
                 "standard deviation of the noise"),
       scale_parameter("default"), rng_parameter(), seed_parameter("0")},
      report_of<FiltersRun>}
      .with_inputs({{"noise", {"samples"}}})
      .with_sliders({{"window=1:21:11"}});
}

}  // namespace attnlab
