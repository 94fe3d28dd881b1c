// The stages of `masks` with their derivations, and its single numbers.
#include <algorithm>
#include <cmath>

#include "core/formula.hpp"
#include "experiments/masks/masks.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using worked::most_lines;

// --- The trace

Formula letter(const std::string& symbol) {
  return formula::sym(symbol);
}
Formula raw_formula() {
  return formula::row({letter("Q"), formula::sup(letter("K"), letter("T"))});
}
Formula masked_formula() {
  return formula::row({letter("S"), letter("+"), letter("M")});
}

/// How rows without a key were replaced, one line per query.
std::vector<Chain> replaced_lines(const MaskedAttention& attention, const std::string& masked) {
  const std::vector<std::size_t> empty = rows_without_keys(attention.mask);
  const auto& shape = attention.weights.shape();
  std::vector<Chain> lines;
  for (std::size_t row = 0; row < std::min(shape[0], most_lines); ++row) {
    const Formula name = worked::entry("A", {row});
    const Formula score_row = worked::entry(masked, {row});
    const Written weights = worked::numbers(attention.weights.data() + row * shape[1], shape[1]);
    if (!std::binary_search(empty.begin(), empty.end(), row)) {
      lines.push_back(
          worked::equation(name, {worked::exactly(formula::call("softmax", score_row)), weights}));
      continue;
    }
    Chain line =
        worked::equation(score_row, {worked::numbers(attention.masked.data() + row * shape[1], shape[1])});
    line.links.push_back({"→", formula::row({name, letter("="), weights.formula})});
    lines.push_back(std::move(line));
  }
  return lines;
}

Derivation weights_derivation(const MasksSettings& settings, const MaskedAttention& attention,
                              const std::string& masked) {
  const bool as_softmax = settings.masked_row == MaskedRow::nan || std::isfinite(settings.hidden) ||
                          rows_without_keys(attention.mask).empty();
  return as_softmax ? derived::softmax(masked) : derived::worked({masked}, replaced_lines(attention, masked));
}

void add_attention(std::vector<Stage>& stages, const MasksSettings& settings,
                   const MaskedAttention& attention) {
  const std::vector<std::string> pair{"queries", "keys"};
  const std::string suffix = attention.name.empty() ? "" : "_" + attention.name;
  const std::string mask = "mask" + suffix;
  const std::string masked = "masked" + suffix;
  stages.push_back({mask, formula::row({}), to_array(attention.additive, pair)});
  stages.push_back(
      {masked, masked_formula(), to_array(attention.masked, pair), derived::sum("scores", mask)});
  stages.push_back({"weights" + suffix, formula::call("softmax", masked_formula()),
                    to_array(attention.weights, pair), weights_derivation(settings, attention, masked)});
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
  const std::vector<const MaskedAttention*> masks = all_masks(run);
  const std::size_t queries = run.settings.queries;
  Tensor<double> leak = Tensor<double>::from_shape({masks.size(), queries});
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (std::size_t row = 0; row < queries; ++row) leak(i, row) = masks[i]->leak(row);
    lines.push_back(leak_line(*masks[i], i));
  }
  return {"leak", formula::row({letter("Σ"), formula::sub(letter("A"), letter("hidden"))}),
          to_array(leak, {"masks", "queries"}),
          derived::worked({"weights_none", "weights_causal", "weights_padding", "weights_window", "weights"},
                          lines)};
}

/// One line per hidden value, at the last magnitude: the leak of the row with the widest gap.
std::vector<Chain> sweep_lines(const LeakSweep& sweep) {
  const std::size_t last = sweep.magnitude.size() - 1;
  std::vector<Chain> lines;
  for (std::size_t h = 0; h < sweep.hidden_value.size(); ++h) {
    const Written beyond = worked::together({worked::number(sweep.magnitude(last)), worked::exactly("·"),
                                             worked::factor(sweep.gap), worked::exactly("+"),
                                             worked::factor(sweep.hidden_value(h))});
    const Written leak = worked::number(sweep.leak(h, last));
    Chain line =
        worked::equation(formula::row({letter("m"), letter("·"), letter("Δ"), letter("+"), letter("M")}),
                         {beyond, worked::number(sweep.magnitude(last) * sweep.gap + sweep.hidden_value(h))});
    line.links.push_back(
        {"→", formula::row({worked::entry("leak", {h, last}), letter(relation(leak.exact)), leak.formula})});
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Chain> tie_lines(const LeakSweep& sweep) {
  std::vector<Chain> lines;
  for (std::size_t h = 0; h < sweep.hidden_value.size(); ++h) {
    const Written negated = worked::together({worked::exactly("−"), worked::factor(sweep.hidden_value(h))});
    lines.push_back(worked::equation(
        worked::entry("tie", {h}),
        {worked::quotient(negated, worked::number(sweep.gap)), worked::number(sweep.tie(h))}));
  }
  return lines;
}

void add_sweep(std::vector<Stage>& stages, const LeakSweep& sweep) {
  stages.push_back({"hidden_value", formula::row({}), to_array(sweep.hidden_value, {"hidden_values"})});
  stages.push_back({"tie_magnitude", formula::row({}), to_array(sweep.tie, {"hidden_values"}),
                    derived::worked({"hidden_value", "raw_scores"}, tie_lines(sweep))});
  stages.push_back({"magnitude", formula::row({}), to_array(sweep.magnitude, {"magnitudes"})});
  stages.push_back({"leak_by_magnitude",
                    formula::row({letter("Σ"), formula::sub(letter("A"), letter("hidden"))}),
                    to_array(sweep.leak, {"hidden_values", "magnitudes"}),
                    derived::worked({"raw_scores", "magnitude", "hidden_value"}, sweep_lines(sweep))});
}

}  // namespace

std::vector<const MaskedAttention*> all_masks(const MasksRun& run) {
  std::vector<const MaskedAttention*> all;
  for (const MaskedAttention& kind : run.kinds) all.push_back(&kind);
  all.push_back(&run.chosen);
  return all;
}

std::vector<Stage> masks_trace(const MasksRun& run) {
  const MaskInputs& inputs = run.inputs;
  const std::vector<std::string> pair{"queries", "keys"};
  std::vector<Stage> stages{
      {"query", formula::row({}), to_array(inputs.query, {"queries", "width"})},
      {"key", formula::row({}), to_array(inputs.key, {"keys", "width"})},
      {"value", formula::row({}), to_array(inputs.value, {"keys", "width"})},
      {"raw_scores", raw_formula(), to_array(inputs.raw_scores, pair),
       derived::product_with_transpose("query", "key")},
      {"scores", formula::fraction(raw_formula(), formula::root(letter("d"))), to_array(inputs.scores, pair),
       derived::scaled("raw_scores", score_scale(run.settings))},
  };
  for (const MaskedAttention* mask : all_masks(run)) add_attention(stages, run.settings, *mask);
  stages.push_back({"output", formula::row({letter("A"), letter("V")}),
                    to_array(run.output, {"queries", "width"}), derived::product("weights", "value")});
  stages.push_back(leak_stage(run));
  if (run.sweep) add_sweep(stages, *run.sweep);
  return stages;
}

std::vector<Scalar> masks_scalars(const MasksRun& run) {
  std::vector<Scalar> scalars{
      {"hidden", run.settings.hidden},
      {"largest_leak", largest_leak(run.chosen)},
      {"rows_without_keys", static_cast<double>(rows_without_keys(run.chosen.mask).size())},
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

double smallest_sum_when_zeroed_late(const MasksRun& run) {
  const auto smallest_of = [&run](const BooleanMask& mask) {
    const Tensor<double> hidden = leaked_mass(run.kinds[0].weights, mask);  // without a mask
    return 1.0 - *std::max_element(hidden.begin(), hidden.end());
  };
  const double chosen = smallest_of(run.chosen.mask);
  return chosen < 1.0 ? chosen : smallest_of(run.kinds[1].mask);
}

}  // namespace attnlab
