// What must hold of any mask, measured on this run: the promises of -inf, and the leak of finite masks.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/matmul.hpp"
#include "attention/scaled_dot_product.hpp"
#include "core/agreement.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// A weight is a quotient of sums of up to 128 terms: a few dozen roundings of 1e-16 each.
constexpr double rounding = 1e-13;

/// The boolean way: softmax over the readable keys alone; hidden keys get 0. NaN without a readable key.
Tensor<double> boolean_softmax(const Tensor<double>& scores, const BooleanMask& mask) {
  Tensor<double> weights = Tensor<double>::from_shape(scores.shape());
  for (std::size_t row = 0; row < scores.shape()[0]; ++row) {
    double largest = -infinity;
    double sum = 0.0;
    for (std::size_t key = 0; key < scores.shape()[1]; ++key) {
      if (mask(row, key)) largest = std::max(largest, scores(row, key));
    }
    for (std::size_t key = 0; key < scores.shape()[1]; ++key) {
      if (mask(row, key)) sum += std::exp(scores(row, key) - largest);
    }
    for (std::size_t key = 0; key < scores.shape()[1]; ++key) {
      weights(row, key) = mask(row, key) ? std::exp(scores(row, key) - largest) / sum : 0.0 / sum;
    }
  }
  return weights;
}

/// The same masks with -inf, whatever --hidden and --masked-row say: what a mask promises.
std::vector<MaskedAttention> with_infinity(const MasksRun& run) {
  MasksSettings settings = run.settings;
  settings.hidden = -infinity;
  settings.masked_row = MaskedRow::nan;
  std::vector<MaskedAttention> result;
  for (const MaskedAttention& one : run.masks) {
    result.push_back(attend_masked(run.inputs, settings, one.name, one.title, one.mask));
  }
  return result;
}

/// Of all rows with a readable key: a row without one has no sum to speak of.
double error_of_readable_rows(const MasksRun& run) {
  double largest = 0.0;
  for (const MaskedAttention& one : run.masks) {
    for (std::size_t row = 0; row < run.settings.queries; ++row) {
      if (one.reads_nothing(row)) continue;
      double sum = 0.0;
      for (std::size_t key = 0; key < run.settings.keys; ++key) sum += one.weights(row, key);
      largest = std::max(largest, difference(sum, 1.0));
    }
  }
  return largest;
}

double no_mask_error(const MasksRun& run) {
  AttentionOptions<double> options;
  options.scale = score_scale(run.settings);
  const auto plain =
      scaled_dot_product_attention(run.inputs.query, run.inputs.key, run.inputs.value, options);
  return largest_difference(run.masks[0].weights, plain.weights);
}

/// Replaces the last key and its value by others: who may not read it gives the same output as before.
double hidden_key_effect(const MasksRun& run) {
  const std::size_t last = run.settings.keys - 1;
  MaskInputs changed = run.inputs;
  for (std::size_t i = 0; i < run.settings.width; ++i) {
    changed.key(last, i) = 1.0 - changed.key(last, i);
    changed.value(last, i) = 1.0 - changed.value(last, i);
  }
  changed.raw_scores = matmul(changed.query, attnlab::transpose(changed.key));
  changed.scores = changed.raw_scores * score_scale(run.settings);
  MasksSettings settings = run.settings;
  settings.hidden = -infinity;
  settings.masked_row = MaskedRow::zero;  // no NaN to compare
  double largest = 0.0;
  for (const MaskedAttention& one : run.masks) {
    const auto output_of = [&](const MaskInputs& inputs) {
      return matmul(attend_masked(inputs, settings, "", one.title, one.mask).weights, inputs.value);
    };
    const Tensor<double> before = output_of(run.inputs);
    const Tensor<double> after = output_of(changed);
    for (std::size_t row = 0; row < run.settings.queries; ++row) {
      if (one.mask(row, last)) continue;
      for (std::size_t i = 0; i < run.settings.width; ++i) {
        largest = std::max(largest, difference(after(row, i), before(row, i)));
      }
    }
  }
  return largest;
}

/// Largest |leak - 1/2| at the ties of the finite masks.
double tie_error(const LeakSweep& sweep) {
  double largest = 0.0;
  for (std::size_t h = 0; h < sweep.hidden_value.size(); ++h) {
    for (std::size_t m = 0; m < sweep.magnitude.size(); ++m) {
      if (sweep.magnitude(m) == sweep.tie(h)) largest = std::max(largest, std::abs(sweep.leak(h, m) - 0.5));
    }
  }
  return largest;
}

}  // namespace

std::vector<Invariant> masks_invariants(const MasksRun& run) {
  double leak = 0.0;
  double boolean_error = 0.0;
  for (const MaskedAttention& one : with_infinity(run)) {
    leak = std::max(leak, one.largest_leak);
    boolean_error = std::max(boolean_error,
                             largest_difference(one.weights, boolean_softmax(run.inputs.scores, one.mask)));
  }
  std::vector<Invariant> invariants{
      invariant("weights_sum_to_one", error_of_readable_rows(run), rounding,
                "読めるキーのある行では注意度の和が 1", "weights of every row with a readable key sum to 1"),
      invariant("leak_is_zero", leak, 0.0,  // exp(-inf) is 0 exactly
                "−∞ のマスクは何も漏らさない", "a mask of −inf leaks nothing"),
      invariant("none_is_no_mask", no_mask_error(run), 0.0,  // s + 0 is s exactly
                "すべてを読めるマスクはマスクなしと同じ", "a mask that hides nothing changes nothing"),
      invariant("boolean_is_additive", boolean_error, rounding,
                "読めるキーだけの softmax は −∞ を足した softmax と同じ",
                "softmax over the readable keys alone equals softmax after adding −inf"),
      invariant("hidden_keys_do_not_matter", hidden_key_effect(run), 0.0,  // 0 · v is 0 in the same product
                "隠れたキーとバリューを変えても出力は変わらない",
                "changing a hidden key and its value changes no output"),
  };
  if (run.sweep) {
    // The two tied scores are as large as the mask, up to 1e9: rounding moves their difference by a few eps
    // of that, and the leak by a quarter of it.
    invariants.push_back(invariant("half_leaks_at_the_tie", tie_error(*run.sweep), 4.0 * epsilon * 1e9,
                                   "隠れたスコアが |M| だけ大きいとき、ちょうど半分が漏れる",
                                   "half leaks where a hidden score is larger by |M|"));
  }
  return invariants;
}

}  // namespace attnlab
