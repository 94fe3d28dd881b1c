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
  const double usual = 1.0 / std::sqrt(static_cast<double>(settings.window));
  settings.scale = parse_scale(settings.scale_text).value_or(usual);
  settings.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
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
    const Tensor<double> answer = filter(poked);
    for (std::size_t t = 0; t < n; ++t) found(t, s) = answer(t) - plain(t);
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

SignalRun run_on(std::size_t periods, const FilterSettings& settings, const Tensor<double>& scaled_noise) {
  SignalRun run;
  run.periods = periods;
  run.clean = sine(settings.samples, periods);
  run.signal = run.clean + scaled_noise;
  run.windows = windows_of(run.signal, settings.window);
  Tensor<double> value = run.signal;
  value.reshape({settings.samples, std::size_t{1}});
  run.attention = scaled_dot_product_attention(run.windows, run.windows, value, {settings.scale, {}});
  run.moving_average_found =
      weights_found(run.signal, [&](const Tensor<double>& x) { return moving_average(x, settings.window); });
  run.ema_found = weights_found(
      run.signal, [&](const Tensor<double>& x) { return exponential_moving_average(x, settings.alpha); });
  return run;
}

/// weights (n, n) times signal (n)
Tensor<double> weighted(const Tensor<double>& weights, const Tensor<double>& signal) {
  Tensor<double> column = signal;
  column.reshape({signal.size(), std::size_t{1}});
  Tensor<double> output = matmul(weights, column);
  output.reshape({signal.size()});
  return output;
}

double distance(const Tensor<double>& y, const Tensor<double>& clean) {
  return std::sqrt(sum_of(xt::square(y - clean)) / static_cast<double>(y.size()));
}

Weighing measured(Tensor<double> weights, Tensor<double> output, double change, const FiltersRun& run) {
  const std::size_t n = run.settings.samples;
  double far = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t s = 0; s < n; ++s) {
      if ((s > t ? s - t : t - s) > run.settings.radius) far += weights(t, s);
    }
  }
  const double from_clean = distance(output, run.main.clean);
  return {std::move(weights), std::move(output), far / static_cast<double>(n), change, from_clean};
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
std::vector<Chain> ema_lines(const FiltersRun& run) {
  const Written alpha = factor(run.settings.alpha);
  const Written rest = factor(1.0 - run.settings.alpha);
  return lines(run.settings.samples, [&](std::size_t t) {
    const Shown places = shown(t + 1, 2, 2);
    std::vector<Written> products;
    std::vector<Written> numbers;
    for (const std::size_t s : places.places) {
      const Written power{formula::sup(rest.formula, sym(std::to_string(t - s))), rest.exact};
      products.push_back(s == 0 ? power : together({alpha, "·", power}));
      numbers.push_back(number(run.ema.weights(t, s)));
    }
    const auto list = [&](const std::vector<Written>& pieces) {
      return together({"(", joined(pieces, places, ","), read(", 0 , ⋯ )")});
    };
    return equation(indexed("W", t), {list(products), list(numbers)});
  });
}

/// q₀ = (1.2, 1.2, 1.2, 0.7, 0.9)
std::vector<Chain> window_lines(const Tensor<double>& windows) {
  return lines(windows.shape()[0], [&](std::size_t t) {
    return equation(indexed("q", t), {numbers(&windows(t, 0), windows.shape()[1])});
  });
}

/// `prefix` tells the second signal from the first.
std::vector<Stage> signal_stages(const SignalRun& run, const std::string& prefix) {
  return {
      step(prefix + "clean", Formula{}, run.clean, {"samples"},
           derived::given(fmt::format("np.sin({0} * math.pi * np.arange({1}.0) / {1})", 2 * run.periods,
                                      run.clean.size()))),
      step(prefix + "signal", "x = sin + noise", run.signal, {"samples"},
           derived::sum(prefix + "clean", "scaled_noise")),
  };
}

std::vector<Stage> attention_stages(const FilterSettings& settings, const SignalRun& run,
                                    const std::string& prefix) {
  const Formula windows =
      row({read("q_t = k_t = ( x_{t−r} , ⋯ ,"), formula::sub(sym("x"), sym("t+r")), sym(")")});
  const Formula scores = scaled_scores(settings.scale_text, read("Q K^T"));
  const std::vector<std::string> pair{"queries", "keys"};
  return {
      step(prefix + "windows", windows, run.windows, {"samples", "width"},
           derived::worked({prefix + "signal"}, window_lines(run.windows),
                           fmt::format("windows_around({}signal, {})", prefix, settings.window))),
      step(prefix + "raw_scores", "Q K^T", run.attention.raw_scores, pair,
           derived::product_with_transpose(prefix + "windows", prefix + "windows")),
      step(prefix + "scores", scores, run.attention.scores, pair,
           derived::scaled(prefix + "raw_scores", settings.scale)),
      step(prefix + "attention_weights", formula::call("softmax", scores), run.attention.weights, pair,
           derived::softmax(prefix + "scores")),
  };
}

// --- What must hold ---------------------------------------------------------------------------------------

/// By how much `output` leaves the range of `signal`; 0 inside.
double excess(const Tensor<double>& output, const Tensor<double>& signal) {
  const auto [low, high] = std::minmax_element(signal.begin(), signal.end());
  double excess = 0.0;
  for (const double value : output) excess = worst(excess, std::max(*low - value, value - *high));
  return excess;
}

}  // namespace

FiltersRun FiltersRun::compute(const Arguments& arguments, const Context& /*context*/) {
  constexpr std::size_t main_periods = 2;
  constexpr std::size_t other_periods = 3;
  FiltersRun run;
  run.settings = settings_of(arguments);
  const FilterSettings& settings = run.settings;
  run.inputs = Inputs(arguments);
  run.noise = run.inputs.normal("noise", {settings.samples});
  run.scaled_noise = run.noise * settings.noise;
  run.main = run_on(main_periods, settings, run.scaled_noise);
  run.other = run_on(other_periods, settings, run.scaled_noise);
  run.noisy_distance = distance(run.main.signal, run.main.clean);
  const auto fixed = [&run](const Tensor<double>& weights, Tensor<double> SignalRun::*found) {
    const double change = largest_difference(run.main.*found, run.other.*found);
    return measured(weights, weighted(weights, run.main.signal), change, run);
  };
  run.moving_average =
      fixed(moving_average_weights(settings.samples, settings.window), &SignalRun::moving_average_found);
  run.ema = fixed(ema_weights(settings.samples, settings.alpha), &SignalRun::ema_found);
  Tensor<double> output = run.main.attention.output;
  output.reshape({settings.samples});
  const Tensor<double>& weights = run.main.attention.weights;
  run.attention = measured(weights, output, largest_difference(weights, run.other.attention.weights), run);
  return run;
}

std::vector<Stage> stages(const FiltersRun& run) {
  const FilterSettings& settings = run.settings;
  const std::vector<std::string> square{"samples_out", "samples_in"};
  const auto output = [&](const std::string& kind, const char* formula, const Weighing& weighing) {
    return step(kind + "_output", formula, weighing.output, {"samples"},
                derived::product(kind + "_weights", "signal"));
  };
  std::vector<Stage> all{
      input("noise", run.noise, {"samples"}),
      step("scaled_noise", row({sym(fmt::format("{:g} ", settings.noise)), sym("noise")}), run.scaled_noise,
           {"samples"}, derived::scaled("noise", settings.noise)),
  };
  append(all, signal_stages(run.main, ""));
  append(
      all,
      {step("moving_average_weights", "frac{1}{n}", run.moving_average.weights, square,
            derived::worked({}, moving_average_lines(settings),
                            fmt::format("centred_mean_weights({}, {})", settings.samples, settings.window))),
       output("moving_average", "W x", run.moving_average),
       step("ema_weights", "α {( 1 − α )}^{t − s}", run.ema.weights, square,
            derived::worked(
                {}, ema_lines(run),
                fmt::format("fading_weights({}, {})", settings.samples, python_repr(settings.alpha)))),
       output("ema", "W x", run.ema)});
  append(all, attention_stages(settings, run.main, ""));
  append(all, {output("attention", "A x", run.attention)});
  append(all, signal_stages(run.other, "other_"));
  append(all, attention_stages(settings, run.other, "other_"));
  return all;
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
  double sums = row_sum_error(run.other.attention.weights);
  double outside = 0.0;
  for (const Weighing* weighing : {&run.moving_average, &run.ema, &run.attention}) {
    sums = std::max(sums, row_sum_error(weighing->weights));
    outside = std::max(outside, excess(weighing->output, signal));
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
                "on another input the moving average and the EMA have the same weights"),
      invariant("outputs_inside_signal_range", outside, rounding * size,
                "出力は信号の最小値と最大値の間にある",
                "outputs lie between the signal's smallest and largest value"),
  };
  if (run.inputs.any_read()) return result;  // beside own noise the sines may be too small to matter
  result.insert(result.end() - 1,
                invariant("attention_follows_input", std::max(0.0, rounding - run.attention.change), 0.0,
                          "入力を変えると、アテンションの重みは変わる",
                          "on another input attention has other weights"));
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
  return {
      "filters",
      {"固定フィルタの重みと、入力で決まる注意度", "fixed filters against weights that follow the input"},
      {"記事 固定重みフィルタと Self-Attention の表", "article, table of fixed filter and self-attention"},
      {parameter("samples", IntegerKind{{8, 256}}, "64", "信号のサンプルの個数",
                 "how many samples the signal has"),
       parameter("window", IntegerKind{{1, 63}}, "5",
                 "移動平均の窓の幅（奇数）。アテンションのクエリとキーの次元でもあります",
                 "width of the moving average, odd; also the width of attention's queries and keys"),
       parameter("alpha", NumberKind{{0.001, 1.0}}, "0.3", "EMA の平滑化係数 α",
                 "smoothing factor alpha of the EMA"),
       parameter("noise", NumberKind{{0.0, 10.0}}, "0.3", "雑音の標準偏差",
                 "standard deviation of the noise"),
       scale_parameter("default"), rng_parameter(), seed_parameter("0")},
      report_of<FiltersRun>,
      "",
      {{"noise", {"samples"}}},
      {{"window=1:21:11"}}};
}

}  // namespace attnlab
