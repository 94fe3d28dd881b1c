// What `filters` computes: two fixed filters, attention on the same signal, and what each row of weights is
// worth.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "attention/matmul.hpp"
#include "core/constants.hpp"
#include "experiments/filters_parts.hpp"

namespace attnlab {
namespace {

constexpr std::size_t main_periods = 2;
constexpr std::size_t other_periods = 3;

/// The samples first .. last (included) that a centred window at t reaches.
struct Reach {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t count() const { return last - first + 1; }
};

Reach reach(std::size_t t, std::size_t samples, std::size_t window) {
  const std::size_t radius = window / 2;
  return {t < radius ? 0 : t - radius, std::min(t + radius, samples - 1)};
}

Tensor<double> zeros(const std::vector<std::size_t>& shape) {
  Tensor<double> tensor = Tensor<double>::from_shape(shape);
  tensor.fill(0.0);
  return tensor;
}

/// Column s = filter(x + one more unit at s) - filter(x): the weights that the filter has on this signal.
Tensor<double> weights_found(const Tensor<double>& signal,
                             const std::function<Tensor<double>(const Tensor<double>&)>& filter) {
  const std::size_t n = signal.size();
  const Tensor<double> plain = filter(signal);
  Tensor<double> found = zeros({n, n});
  for (std::size_t s = 0; s < n; ++s) {
    Tensor<double> poked = signal;
    poked(s) += 1.0;
    const Tensor<double> answer = filter(poked);
    for (std::size_t t = 0; t < n; ++t) found(t, s) = answer(t) - plain(t);
  }
  return found;
}

Tensor<double> sine(std::size_t samples, std::size_t periods) {
  Tensor<double> wave = zeros({samples});
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
  AttentionOptions<double> options;
  options.scale = settings.scale;
  run.attention = scaled_dot_product_attention(run.windows, run.windows, value, options);
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

}  // namespace

Tensor<double> moving_average_weights(std::size_t samples, std::size_t window) {
  Tensor<double> weights = zeros({samples, samples});
  for (std::size_t t = 0; t < samples; ++t) {
    const Reach part = reach(t, samples, window);
    for (std::size_t s = part.first; s <= part.last; ++s) {
      weights(t, s) = 1.0 / static_cast<double>(part.count());
    }
  }
  return weights;
}

Tensor<double> moving_average(const Tensor<double>& signal, std::size_t window) {
  Tensor<double> output = zeros({signal.size()});
  for (std::size_t t = 0; t < signal.size(); ++t) {
    const Reach part = reach(t, signal.size(), window);
    double sum = 0.0;
    for (std::size_t s = part.first; s <= part.last; ++s) sum += signal(s);
    output(t) = sum / static_cast<double>(part.count());
  }
  return output;
}

Tensor<double> ema_weights(std::size_t samples, double alpha) {
  Tensor<double> weights = zeros({samples, samples});
  for (std::size_t t = 0; t < samples; ++t) {
    for (std::size_t s = 0; s <= t; ++s) {
      const double share = s == 0 ? 1.0 : alpha;
      weights(t, s) = share * std::pow(1.0 - alpha, static_cast<double>(t - s));
    }
  }
  return weights;
}

Tensor<double> exponential_moving_average(const Tensor<double>& signal, double alpha) {
  Tensor<double> output = signal;  // y_0 = x_0
  for (std::size_t t = 1; t < signal.size(); ++t) {
    output(t) = alpha * signal(t) + (1.0 - alpha) * output(t - 1);
  }
  return output;
}

Tensor<double> windows_of(const Tensor<double>& signal, std::size_t window) {
  const std::size_t samples = signal.size();
  const std::size_t radius = window / 2;
  Tensor<double> windows = zeros({samples, window});
  for (std::size_t t = 0; t < samples; ++t) {
    for (std::size_t i = 0; i < window; ++i) {
      const std::size_t place = t + i < radius ? 0 : std::min(t + i - radius, samples - 1);
      windows(t, i) = signal(place);
    }
  }
  return windows;
}

FiltersRun compute_filters(const FilterSettings& settings, const Tensor<double>& noise) {
  FiltersRun run;
  run.settings = settings;
  run.noise = noise;
  run.scaled_noise = noise * settings.noise;
  run.main = run_on(main_periods, settings, run.scaled_noise);
  run.other = run_on(other_periods, settings, run.scaled_noise);
  run.moving_average_weights = moving_average_weights(settings.samples, settings.window);
  run.moving_average_output = weighted(run.moving_average_weights, run.main.signal);
  run.ema_weights = ema_weights(settings.samples, settings.alpha);
  run.ema_output = weighted(run.ema_weights, run.main.signal);
  run.attention_output = run.main.attention.output;
  run.attention_output.reshape({settings.samples});
  return run;
}

}  // namespace attnlab
