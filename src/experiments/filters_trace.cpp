// The trace of `filters`: every array with its formula, and the rows of the fixed weights written out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/filters_parts.hpp"
#include "experiments/tensor_array.hpp"
#include "experiments/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sub;
using formula::sym;
using worked::most_lines;

Formula product_with_transpose_formula() {
  return row({sym("Q"), formula::sup(sym("K"), sym("T"))});
}

Formula scaled_formula(const FilterSettings& settings) {
  Formula product = product_with_transpose_formula();
  if (settings.scale_text == "none") return product;
  if (settings.scale_text == "default") return formula::fraction(product, formula::root(sym("d")));
  return row({sym(settings.scale_text + " "), product});
}

// --- Lines with this run's numbers ------------------------------------------------------------------------

Formula line(const char* letter, std::size_t index, const std::string& values) {
  return row({sub(sym(letter), sym(std::to_string(index))), sym(" = " + values)});
}

/// W_0 = (1/3 at s = 0 to 2)
std::vector<Formula> moving_average_lines(const FilterSettings& settings) {
  std::vector<Formula> lines;
  const std::size_t radius = settings.window / 2;
  for (std::size_t t = 0; t < std::min(settings.samples, most_lines); ++t) {
    const std::size_t first = t < radius ? 0 : t - radius;
    const std::size_t last = std::min(t + radius, settings.samples - 1);
    const std::size_t count = last - first + 1;
    const std::string share = fmt::format("1/{} = {:.6g}", count, 1.0 / static_cast<double>(count));
    lines.push_back(line("W", t, fmt::format("{}, s = {}, ..., {}; 0", share, first, last)));
  }
  return lines;
}

/// W_2 = 0.7^2 = 0.49, 0.3 · 0.7^1 = 0.21, 0.3 · 0.7^0 = 0.3, 0, ...
std::vector<Formula> ema_lines(const FiltersRun& run) {
  const double alpha = run.settings.alpha;
  std::vector<Formula> lines;
  for (std::size_t t = 0; t < std::min(run.settings.samples, most_lines); ++t) {
    std::vector<Formula> parts{sub(sym("W"), sym(std::to_string(t))), sym(" = (")};
    for (std::size_t s = 0; s <= t; ++s) {
      const std::string share = s == 0 ? "" : fmt::format("{:g} · ", alpha);
      parts.push_back(sym(share));
      parts.push_back(formula::sup(sym(fmt::format("{:g}", 1.0 - alpha)), sym(std::to_string(t - s))));
      parts.push_back(sym(fmt::format(" = {:.6g}, ", run.ema_weights(t, s))));
    }
    parts.push_back(sym("0, ...)"));
    lines.push_back(row(std::move(parts)));
  }
  return lines;
}

/// q_0 = (1.2, 1.2, 1.2, 0.7, 0.9)
std::vector<Formula> window_lines(const Tensor<double>& windows) {
  std::vector<Formula> lines;
  for (std::size_t t = 0; t < std::min(windows.shape()[0], most_lines); ++t) {
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < windows.shape()[1]; ++i)
      numbers.push_back(fmt::format("{:.6g}", windows(t, i)));
    lines.push_back(line("q", t, fmt::format("({})", fmt::join(numbers, ", "))));
  }
  return lines;
}

// --- The stages -------------------------------------------------------------------------------------------

Formula neighbours() {
  const auto sample = [](const char* place) { return sub(sym("x"), sym(place)); };
  return row({sub(sym("q"), sym("t")), sym(" = "), sub(sym("k"), sym("t")), sym(" = ("), sample("t−r"),
              sym(", ..., "), sample("t+r"), sym(")")});
}

Formula attention_formula(const FilterSettings& settings) {
  return formula::call("softmax", scaled_formula(settings));
}

/// From the windows to the weights; `prefix` tells the second signal from the first.
void add_attention(std::vector<Stage>& stages, const FiltersRun& run, const SignalRun& input,
                   const std::string& prefix) {
  const AttentionStages<double>& attention = input.attention;
  const std::vector<std::string> pair{"queries", "keys"};
  const auto name = [&](const char* stage) { return prefix + stage; };
  stages.push_back({name("windows"), neighbours(), to_array(input.windows, {"samples", "width"}),
                    derived::worked({name("signal")}, window_lines(input.windows))});
  stages.push_back({name("raw_scores"), product_with_transpose_formula(),
                    to_array(attention.raw_scores, pair),
                    derived::product_with_transpose(name("windows"), name("windows"))});
  stages.push_back({name("scores"), scaled_formula(run.settings), to_array(attention.scores, pair),
                    derived::scaled(name("raw_scores"), run.settings.scale)});
  stages.push_back({name("attention_weights"), attention_formula(run.settings),
                    to_array(attention.weights, pair), derived::softmax(name("scores"))});
}

void add_signal(std::vector<Stage>& stages, const SignalRun& input, const std::string& prefix) {
  const std::vector<std::string> samples{"samples"};
  stages.push_back({prefix + "clean", row({}), to_array(input.clean, samples)});
  stages.push_back({prefix + "signal", row({sym("x"), sym(" = "), sym("sin"), sym(" + "), sym("noise")}),
                    to_array(input.signal, samples), derived::sum(prefix + "clean", "scaled_noise")});
}

}  // namespace

std::vector<Stage> filters_trace(const FiltersRun& run) {
  const FilterSettings& settings = run.settings;
  const std::vector<std::string> samples{"samples"};
  const std::vector<std::string> square{"samples_out", "samples_in"};
  const Formula filtered = row({sym("W"), sym("x")});
  const auto output = [&](const std::string& name, const Formula& formula, const Tensor<double>& values,
                          const std::string& weights) {
    return Stage{name, formula, to_array(values, samples), derived::product(weights, "signal")};
  };
  std::vector<Stage> stages{
      {"noise", row({}), to_array(run.noise, samples)},
      {"scaled_noise", row({sym(fmt::format("{:g} ", settings.noise)), sym("noise")}),
       to_array(run.scaled_noise, samples), derived::scaled("noise", settings.noise)},
  };
  add_signal(stages, run.main, "");
  stages.push_back({"moving_average_weights", formula::fraction(sym("1"), sym("n")),
                    to_array(run.moving_average_weights, square),
                    derived::worked({}, moving_average_lines(settings))});
  stages.push_back(
      output("moving_average_output", filtered, run.moving_average_output, "moving_average_weights"));
  const Formula power = formula::sup(sym("(1 − α)"), sym("t−s"));
  stages.push_back({"ema_weights", row({sym("α "), power}), to_array(run.ema_weights, square),
                    derived::worked({}, ema_lines(run))});
  stages.push_back(output("ema_output", filtered, run.ema_output, "ema_weights"));
  add_attention(stages, run, run.main, "");
  stages.push_back(
      output("attention_output", row({sym("A"), sym("x")}), run.attention_output, "attention_weights"));
  add_signal(stages, run.other, "other_");
  add_attention(stages, run, run.other, "other_");
  return stages;
}

}  // namespace attnlab
