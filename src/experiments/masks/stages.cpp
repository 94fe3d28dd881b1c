// The stages of `masks` with their derivations, and its single numbers.
#include <cmath>

#include "core/formula.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

/// How rows without a key were replaced, one line per query.
std::vector<Chain> replaced_lines(const MaskedAttention& attention, const std::string& masked) {
  const auto& shape = attention.weights.shape();
  return worked::lines(shape[0], [&](std::size_t row) {
    const Formula name = worked::entry("A", {row});
    const Formula score_row = worked::entry(masked, {row});
    const Written weights = worked::numbers(attention.weights.data() + row * shape[1], shape[1]);
    if (!attention.reads_nothing(row)) {
      return worked::equation(name, {worked::exactly(formula::call("softmax", score_row)), weights});
    }
    Chain line =
        worked::equation(score_row, {worked::numbers(attention.masked.data() + row * shape[1], shape[1])});
    line.links.push_back({"→", formula::row({name, formula::sym("="), weights.formula})});
    return line;
  });
}

Derivation weights_derivation(const MasksSettings& settings, const MaskedAttention& attention,
                              const std::string& masked) {
  const bool as_softmax = settings.masked_row == MaskedRow::nan || std::isfinite(settings.hidden) ||
                          attention.rows_without_keys.empty();
  return as_softmax ? derived::softmax(masked) : derived::worked({masked}, replaced_lines(attention, masked));
}

void add_attention(std::vector<Stage>& trace, const MasksSettings& settings,
                   const MaskedAttention& attention) {
  const std::vector<std::string> pair{"queries", "keys"};
  const std::string suffix = attention.name.empty() ? "" : "_" + attention.name;
  const std::string masked = "masked" + suffix;
  trace.push_back(input("mask" + suffix, attention.additive, pair));
  trace.push_back(step(masked, "S + M", attention.masked, pair, derived::sum("scores", "mask" + suffix)));
  trace.push_back(step("weights" + suffix, "softmax(S + M)", attention.weights, pair,
                       weights_derivation(settings, attention, masked)));
}

/// One line per mask: the hidden weights of its first row that has any.
Chain leak_line(const MaskedAttention& attention, std::size_t index) {
  const auto& shape = attention.weights.shape();
  for (std::size_t row = 0; row < shape[0]; ++row) {
    std::vector<double> hidden;
    for (std::size_t key = 0; key < shape[1]; ++key) {
      if (!attention.mask(row, key)) hidden.push_back(attention.weights(row, key));
    }
    if (hidden.empty()) continue;
    return worked::equation(
        worked::entry("leak", {index, row}),
        {worked::sum(hidden.size(), [&](std::size_t k) { return worked::number(hidden[k]); }),
         worked::number(attention.leak(row))});
  }
  return worked::equation(worked::entry("leak", {index}), {worked::number(0.0)});
}

Stage leak_stage(const MasksRun& run) {
  Tensor<double> leak = Tensor<double>::from_shape({run.masks.size(), run.settings.queries});
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < run.masks.size(); ++i) {
    for (std::size_t row = 0; row < run.settings.queries; ++row) leak(i, row) = run.masks[i].leak(row);
    lines.push_back(leak_line(run.masks[i], i));
  }
  return step("leak", "Σ A_hidden", leak, {"masks", "queries"},
              derived::worked(
                  {"weights_none", "weights_causal", "weights_padding", "weights_window", "weights"}, lines));
}

/// One line per hidden value, at the last magnitude: the leak of the row with the widest gap.
std::vector<Chain> sweep_lines(const LeakSweep& sweep) {
  const std::size_t last = sweep.magnitude.size() - 1;
  const double magnitude = sweep.magnitude(last);
  return worked::lines(sweep.hidden_value.size(), [&](std::size_t h) {
    const double hidden = sweep.hidden_value(h);
    const Written beyond =
        worked::together({worked::number(magnitude), worked::exactly("·"), worked::factor(sweep.gap),
                          worked::exactly("+"), worked::factor(hidden)});
    const Written leak = worked::number(sweep.leak(h, last));
    Chain line = worked::equation(formula::read("m · Δ + M"),
                                  {beyond, worked::number(magnitude * sweep.gap + hidden)});
    line.links.push_back({"→", formula::row({worked::entry("leak", {h, last}),
                                             formula::sym(relation(leak.exact)), leak.formula})});
    return line;
  });
}

std::vector<Chain> tie_lines(const LeakSweep& sweep) {
  return worked::lines(sweep.hidden_value.size(), [&](std::size_t h) {
    const Written negated = worked::together({worked::exactly("−"), worked::factor(sweep.hidden_value(h))});
    return worked::equation(worked::entry("tie", {h}), {worked::quotient(negated, worked::number(sweep.gap)),
                                                        worked::number(sweep.tie(h))});
  });
}

void add_sweep(std::vector<Stage>& trace, const LeakSweep& sweep) {
  trace.push_back(input("hidden_value", sweep.hidden_value, {"hidden_values"}));
  trace.push_back(step("tie_magnitude", "", sweep.tie, {"hidden_values"},
                       derived::worked({"hidden_value", "raw_scores"}, tie_lines(sweep))));
  trace.push_back(input("magnitude", sweep.magnitude, {"magnitudes"}));
  trace.push_back(step("leak_by_magnitude", "Σ A_hidden", sweep.leak, {"hidden_values", "magnitudes"},
                       derived::worked({"raw_scores", "magnitude", "hidden_value"}, sweep_lines(sweep))));
}

}  // namespace

std::vector<Stage> masks_trace(const MasksRun& run) {
  const MaskInputs& inputs = run.inputs;
  const std::vector<std::string> pair{"queries", "keys"};
  std::vector<Stage> trace{
      input("query", inputs.query, {"queries", "width"}),
      input("key", inputs.key, {"keys", "width"}),
      input("value", inputs.value, {"keys", "width"}),
      step("raw_scores", "Q K^T", inputs.raw_scores, pair, derived::product_with_transpose("query", "key")),
      step("scores", "frac{Q K^T}{√{d}}", inputs.scores, pair,
           derived::scaled("raw_scores", score_scale(run.settings))),
  };
  for (const MaskedAttention& mask : run.masks) add_attention(trace, run.settings, mask);
  trace.push_back(
      step("output", "A V", run.output, {"queries", "width"}, derived::product("weights", "value")));
  trace.push_back(leak_stage(run));
  if (run.sweep) add_sweep(trace, *run.sweep);
  return trace;
}

std::vector<Scalar> masks_scalars(const MasksRun& run) {
  std::vector<Scalar> scalars{
      {"hidden", run.settings.hidden},
      {"largest_leak", run.chosen().largest_leak},
      {"rows_without_keys", static_cast<double>(run.chosen().rows_without_keys.size())},
      {"smallest_sum_when_zeroed_late", smallest_sum_when_zeroed_late(run)},
  };
  if (run.sweep) {
    scalars.push_back({"score_gap", run.sweep->gap});
    scalars.push_back({"tie_1e9", run.sweep->tie(1)});
    scalars.push_back({"tie_1e5", run.sweep->tie(2)});
    scalars.push_back({"tie_float16", run.sweep->tie(3)});
  }
  return scalars;
}

}  // namespace attnlab
