// The trace of `filters`: every array with its formula, and the rows of the fixed weights written out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/filters_parts.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

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

/// W₀ = 1/3 ≈ 0.3333 for s = 0, ⋯, 2, and 0 elsewhere
std::vector<Chain> moving_average_lines(const FilterSettings& settings) {
  std::vector<Chain> lines;
  const std::size_t radius = settings.window / 2;
  for (std::size_t t = 0; t < std::min(settings.samples, most_lines); ++t) {
    const std::size_t first = t < radius ? 0 : t - radius;
    const std::size_t last = std::min(t + radius, settings.samples - 1);
    const std::size_t count = last - first + 1;
    const Written share = worked::quotient(worked::exactly("1"), worked::exactly(std::to_string(count)));
    const Formula places = row({sym(","), sym("s"), sym("="), sym(std::to_string(first)), sym(","), sym("⋯"),
                                sym(","), sym(std::to_string(last))});
    const Formula weight = sub(sym("W"), row({sym(std::to_string(t)), sym(","), sym("s")}));
    lines.push_back(
        worked::equation(weight, {share, worked::together({worked::number(1.0 / static_cast<double>(count)),
                                                           worked::exactly(places)})}));
  }
  return lines;
}

/// W₂ = (0.7², 0.3 · 0.7¹, 0.3 · 0.7⁰, 0, ⋯) = (0.49, 0.21, 0.3, 0, ⋯)
std::vector<Chain> ema_lines(const FiltersRun& run) {
  const Written alpha = worked::factor(run.settings.alpha);
  const Written rest = worked::factor(1.0 - run.settings.alpha);
  std::vector<Chain> lines;
  for (std::size_t t = 0; t < std::min(run.settings.samples, most_lines); ++t) {
    const Shown places = shown(t + 1, 2, 2);
    std::vector<Written> products;
    std::vector<Written> numbers;
    for (const std::size_t s : places.places) {
      const Written power{formula::sup(rest.formula, sym(std::to_string(t - s))), rest.exact};
      products.push_back(s == 0 ? power : worked::together({alpha, worked::exactly("·"), power}));
      numbers.push_back(worked::number(run.ema_weights(t, s)));
    }
    const auto list = [&](const std::vector<Written>& pieces) {
      return worked::together({worked::exactly("("), joined(pieces, places, ","),
                               worked::exactly(row({sym(","), sym("0"), sym(","), sym("⋯"), sym(")")}))});
    };
    lines.push_back(worked::equation(worked::indexed("W", t), {list(products), list(numbers)}));
  }
  return lines;
}

/// q₀ = (1.2, 1.2, 1.2, 0.7, 0.9)
std::vector<Chain> window_lines(const Tensor<double>& windows) {
  std::vector<Chain> lines;
  for (std::size_t t = 0; t < std::min(windows.shape()[0], most_lines); ++t) {
    lines.push_back(
        worked::equation(worked::indexed("q", t), {worked::numbers(&windows(t, 0), windows.shape()[1])}));
  }
  return lines;
}

// --- The stages -------------------------------------------------------------------------------------------

Formula neighbours() {
  const auto sample = [](const char* place) { return sub(sym("x"), sym(place)); };
  return row({sub(sym("q"), sym("t")), sym("="), sub(sym("k"), sym("t")), sym("="), sym("("), sample("t−r"),
              sym(","), sym("⋯"), sym(","), sample("t+r"), sym(")")});
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
  const Formula rest = row({sym("("), sym("1"), sym("−"), sym("α"), sym(")")});
  const Formula power = formula::sup(rest, row({sym("t"), sym("−"), sym("s")}));
  stages.push_back({"ema_weights", row({sym("α"), power}), to_array(run.ema_weights, square),
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
