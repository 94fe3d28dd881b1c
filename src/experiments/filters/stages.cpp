// The trace of `filters`: every array with its formula, and the rows of the fixed weights written out.
#include <algorithm>

#include "experiments/filters/filters.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::read;
using formula::row;
using formula::sym;

// --- Lines with this run's numbers ------------------------------------------------------------------------

/// W₀ = 1/3 ≈ 0.3333 for s = 0, ⋯, 2, and 0 elsewhere
std::vector<Chain> moving_average_lines(const FilterSettings& settings) {
  return worked::lines(settings.samples, [&](std::size_t t) {
    const std::size_t first = t < settings.radius ? 0 : t - settings.radius;
    const std::size_t last = std::min(t + settings.radius, settings.samples - 1);
    const std::size_t count = last - first + 1;
    const Written share = worked::quotient(worked::exactly("1"), worked::exactly(std::to_string(count)));
    const Formula places = read(fmt::format(", s = {} , ⋯ , {}", first, last));
    return worked::equation(read(fmt::format("W_{{{} , s}}", t)),
                            {share, worked::together({worked::number(1.0 / static_cast<double>(count)),
                                                      worked::exactly(places)})});
  });
}

/// W₂ = (0.7², 0.3 · 0.7¹, 0.3 · 0.7⁰, 0, ⋯) = (0.49, 0.21, 0.3, 0, ⋯)
std::vector<Chain> ema_lines(const FiltersRun& run) {
  const Written alpha = worked::factor(run.settings.alpha);
  const Written rest = worked::factor(1.0 - run.settings.alpha);
  return worked::lines(run.settings.samples, [&](std::size_t t) {
    const Shown places = shown(t + 1, 2, 2);
    std::vector<Written> products;
    std::vector<Written> numbers;
    for (const std::size_t s : places.places) {
      const Written power{formula::sup(rest.formula, sym(std::to_string(t - s))), rest.exact};
      products.push_back(s == 0 ? power : worked::together({alpha, worked::exactly("·"), power}));
      numbers.push_back(worked::number(run.ema.weights(t, s)));
    }
    const auto list = [&](const std::vector<Written>& pieces) {
      return worked::together(
          {worked::exactly("("), joined(pieces, places, ","), worked::exactly(read(", 0 , ⋯ )"))});
    };
    return worked::equation(worked::indexed("W", t), {list(products), list(numbers)});
  });
}

/// q₀ = (1.2, 1.2, 1.2, 0.7, 0.9)
std::vector<Chain> window_lines(const Tensor<double>& windows) {
  return worked::lines(windows.shape()[0], [&](std::size_t t) {
    return worked::equation(worked::indexed("q", t), {worked::numbers(&windows(t, 0), windows.shape()[1])});
  });
}

// --- The stages -------------------------------------------------------------------------------------------

/// `prefix` tells the second signal from the first.
std::vector<Stage> signal_stages(const SignalRun& run, const std::string& prefix) {
  return {
      input(prefix + "clean", run.clean, {"samples"}),
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
           derived::worked({prefix + "signal"}, window_lines(run.windows))),
      step(prefix + "raw_scores", "Q K^T", run.attention.raw_scores, pair,
           derived::product_with_transpose(prefix + "windows", prefix + "windows")),
      step(prefix + "scores", scores, run.attention.scores, pair,
           derived::scaled(prefix + "raw_scores", settings.scale)),
      step(prefix + "attention_weights", formula::call("softmax", scores), run.attention.weights, pair,
           derived::softmax(prefix + "scores")),
  };
}

}  // namespace

std::vector<Stage> filters_trace(const FiltersRun& run) {
  const FilterSettings& settings = run.settings;
  const std::vector<std::string> square{"samples_out", "samples_in"};
  const auto output = [&](const std::string& kind, const char* formula, const Weighing& weighing) {
    return step(kind + "_output", formula, weighing.output, {"samples"},
                derived::product(kind + "_weights", "signal"));
  };
  std::vector<Stage> stages{
      input("noise", run.noise, {"samples"}),
      step("scaled_noise", row({sym(fmt::format("{:g} ", settings.noise)), sym("noise")}), run.scaled_noise,
           {"samples"}, derived::scaled("noise", settings.noise)),
  };
  append(stages, signal_stages(run.main, ""));
  append(stages, {step("moving_average_weights", "frac{1}{n}", run.moving_average.weights, square,
                       derived::worked({}, moving_average_lines(settings))),
                  output("moving_average", "W x", run.moving_average),
                  step("ema_weights", "α {( 1 − α )}^{t − s}", run.ema.weights, square,
                       derived::worked({}, ema_lines(run))),
                  output("ema", "W x", run.ema)});
  append(stages, attention_stages(settings, run.main, ""));
  append(stages, {output("attention", "A x", run.attention)});
  append(stages, signal_stages(run.other, "other_"));
  append(stages, attention_stages(settings, run.other, "other_"));
  return stages;
}

}  // namespace attnlab
