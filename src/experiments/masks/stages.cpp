// The stages of `masks` with their derivations, its single numbers, and what must hold of any mask: the
// promises of -inf, and the leak of finite masks.
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

using namespace worked;

/// How rows without a key were replaced, one line per query.
std::vector<Chain> replaced_lines(const MaskedAttention& attention, const std::string& masked) {
  const auto& shape = attention.weights.shape();
  return lines(shape[0], [&](std::size_t row) {
    const Formula name = entry("A", {row});
    const Formula score_row = entry(masked, {row});
    const Written weights = numbers(attention.weights.data() + row * shape[1], shape[1]);
    if (!attention.reads_nothing(row)) {
      return equation(name, {formula::call("softmax", score_row), weights});
    }
    Chain line = equation(score_row, {numbers(attention.masked.data() + row * shape[1], shape[1])});
    line.links.push_back({"→", formula::row({name, formula::sym("="), weights.formula})});
    return line;
  });
}

Derivation weights_derivation(const MasksSettings& settings, const MaskedAttention& attention,
                              const std::string& masked) {
  const Tensor<double>& scores = attention.masked;
  const bool as_softmax = settings.masked_row == MaskedRow::nan || attention.rows_without_keys.empty() ||
                          std::find(scores.begin(), scores.end(), minus_infinity) == scores.end();
  if (as_softmax) return derived::softmax(masked);
  const double share = 1.0 / static_cast<double>(attention.weights.shape()[1]);
  const bool has_zeros = settings.masked_row == MaskedRow::zero;
  Derivation worked = derived::worked(
      {masked}, replaced_lines(attention, masked),
      fmt::format("with_empty_rows(softmax({0}), {0}, {1})", masked, has_zeros ? 0.0 : share));
  return has_zeros ? worked : std::move(worked).with_rows_of_one();
}

void record_mask(Tape& tape, const MasksSettings& settings, const MaskedAttention& attention) {
  const std::string suffix = attention.name.empty() ? "" : "_" + attention.name;
  const std::string masked = "masked" + suffix;
  tape.step("mask" + suffix, Formula{}, attention.additive, {"queries", "keys"},
            derived::input(attention.code));
  tape.step(masked, "S + M", attention.masked, {"queries", "keys"}, derived::sum("scores", "mask" + suffix));
  tape.step("weights" + suffix, "softmax(S + M)", attention.weights, {"queries", "keys"},
            weights_derivation(settings, attention, masked));
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
    return equation(
        entry("leak", {index, row}),
        {sum(hidden.size(), [&](std::size_t k) { return number(hidden[k]); }), attention.leak(row)});
  }
  return equation(entry("leak", {index}), {0.0});
}

void record_leak(Tape& tape, const MasksRun& run) {
  Tensor<double> leak = Tensor<double>::from_shape({run.masks.size(), run.settings.queries});
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < run.masks.size(); ++i) {
    for (std::size_t row = 0; row < run.settings.queries; ++row) leak(i, row) = run.masks[i].leak(row);
    lines.push_back(leak_line(run.masks[i], i));
  }
  tape.step("leak", "Σ A_hidden", leak, {"masks", "queries"},
            derived::worked(
                {"weights_none", "weights_causal", "weights_padding", "weights_window", "weights"}, lines,
                "np.stack([leaked(weights_none, mask_none), leaked(weights_causal, mask_causal),\n"
                "                 leaked(weights_padding, mask_padding),\n"
                "                 leaked(weights_window, mask_window), leaked(weights, mask)])"));
}

// --- What must hold

// A weight is a quotient of sums of up to 128 terms: a few dozen roundings of 1e-16 each.
constexpr double rounding = 1e-13;

/// The boolean way: softmax over the visible keys alone; hidden keys get 0. NaN without a readable key.
Tensor<double> boolean_softmax(const Tensor<double>& scores, const BooleanMask& mask) {
  Tensor<double> weights = scores;
  for (std::size_t row = 0; row < scores.shape()[0]; ++row) {
    double largest = minus_infinity;
    double sum = 0.0;
    for (std::size_t key = 0; key < scores.shape()[1]; ++key) {
      if (mask(row, key)) largest = std::max(largest, scores(row, key));
    }
    for (std::size_t key = 0; key < scores.shape()[1]; ++key) {
      weights(row, key) = mask(row, key) ? std::exp(scores(row, key) - largest) : 0.0;
      sum += weights(row, key);
    }
    for (std::size_t key = 0; key < scores.shape()[1]; ++key) weights(row, key) /= sum;
  }
  return weights;
}

/// Of all rows with a readable key: a row without one has no sum to speak of.
double error_of_readable_rows(const MasksRun& run) {
  double largest = 0.0;
  for (const MaskedAttention& one : run.masks) {
    for (std::size_t row = 0; row < run.settings.queries; ++row) {
      if (one.reads_nothing(row)) continue;
      const std::vector<double> weights = values_of(one.weights, row);
      largest = std::max(largest, difference(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0));
    }
  }
  return largest;
}

double no_mask_error(const MasksRun& run) {
  const auto plain = scaled_dot_product_attention(run.drawn.query, run.drawn.key, run.drawn.value,
                                                  {score_scale(run.settings), {}});
  return largest_difference(run.masks[0].weights, plain.weights);
}

/// Replaces the last key and its value by others: who may not read it gives the same output as before.
double hidden_key_effect(const MasksRun& run) {
  const std::size_t last = run.settings.keys - 1;
  MaskInputs changed = run.drawn;
  xt::view(changed.key, last) = 1.0 - xt::view(run.drawn.key, last);
  xt::view(changed.value, last) = 1.0 - xt::view(run.drawn.value, last);
  const Tensor<double> scores =
      matmul(changed.query, attnlab::transpose(changed.key)) * score_scale(run.settings);
  double largest = 0.0;
  for (const MaskedAttention& one : run.promised) {
    const Tensor<double> before = matmul(one.weights, run.drawn.value);
    const Tensor<double> weights = attend_masked(scores, one.mask, minus_infinity, MaskedRow::nan).weights;
    const Tensor<double> after = matmul(weights, changed.value);
    for (std::size_t row = 0; row < run.settings.queries; ++row) {
      if (one.mask(row, last)) continue;
      largest = std::max(largest, largest_difference(xt::view(after, row), xt::view(before, row)));
    }
  }
  return largest;
}

}  // namespace

void report_state(MasksRun& run) {
  for (const MaskedAttention& mask : run.masks) record_mask(run.tape, run.settings, mask);
  run.output = run.tape.product("output", "A V", "weights", "value", {"queries", "width"});
  record_leak(run.tape, run);
}

std::vector<Scalar> scalars(const MasksRun& run) {
  return {
      {"hidden", run.settings.hidden},
      {"largest_leak", run.chosen().largest_leak},
      {"rows_without_keys", static_cast<double>(run.chosen().rows_without_keys.size())},
      {"smallest_sum_when_zeroed_late", smallest_sum_when_zeroed_late(run)},
  };
}

std::vector<Invariant> invariants(const MasksRun& run) {
  double leak = 0.0;
  double boolean_error = 0.0;
  for (const MaskedAttention& one : run.promised) {
    leak = std::max(leak, one.largest_leak);
    boolean_error =
        std::max(boolean_error, largest_difference(one.weights, boolean_softmax(run.drawn.scores, one.mask)));
  }
  return {
      invariant("weights_sum_to_one", error_of_readable_rows(run), rounding,
                "参照できるキーのある行では注意度の和が 1",
                "weights of every row with a visible key sum to 1"),
      invariant("leak_is_zero", leak, 0.0,  // exp(-inf) is 0 exactly
                "−∞ のマスクは何も漏らさない", "a mask of −inf leaks nothing"),
      invariant("none_is_no_mask", no_mask_error(run), 0.0,  // s + 0 is s exactly
                "何も隠さないマスクはマスクなしと同じ", "a mask that hides nothing changes nothing"),
      invariant("boolean_is_additive", boolean_error, rounding,
                "参照できるキーだけの softmax は −∞ を足した softmax と同じ",
                "softmax over the visible keys alone equals softmax after adding −inf"),
      invariant("hidden_keys_do_not_matter", hidden_key_effect(run), 0.0,  // 0 · v is 0 in the same product
                "マスクしたキーとバリューを変えても出力は変わらない",
                "changing a masked key and its value leaves the output unchanged"),
  };
}

}  // namespace attnlab
