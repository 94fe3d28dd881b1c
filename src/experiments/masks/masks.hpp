// The masks experiment in parts: what it computes, and how the report and the figures show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/masks.hpp"
#include "core/tensor.hpp"
#include "core/text.hpp"
#include "experiments/framework/mask_choice.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

struct MasksSettings {
  std::size_t queries = 6;
  std::size_t keys = 6;
  std::size_t width = 8;
  MaskChoice choice;
  CausalAlignment alignment = CausalAlignment::bottom_right;
  double hidden = 0.0;      // what is added to the score of a hidden key: -inf or finite
  std::string hidden_text;  // the same as typed: "-1e5"
  MaskedRow masked_row = MaskedRow::nan;
  double magnitude = 1.0;  // multiplies every score
  std::uint32_t seed = 0;
  std::string rng;  // "numpy" or "torch"
};

/// Random queries, keys and values, and their scores before any mask.
struct MaskInputs {
  Tensor<double> query;       // (queries, width)
  Tensor<double> key;         // (keys, width)
  Tensor<double> value;       // (keys, width)
  Tensor<double> raw_scores;  // (queries, keys)  Q Kᵀ
  Tensor<double> scores;      // (queries, keys)  Q Kᵀ · magnitude / √d
};

/// One mask put to the scores.
struct MaskedAttention {
  std::string name;  // "causal"; "" for the one that --mask chose
  Text title = Text::same("");
  BooleanMask mask;         // (queries, keys)
  Tensor<double> additive;  // (queries, keys)  0 or the hidden value
  Tensor<double> masked;    // (queries, keys)  scores + additive
  Tensor<double> weights;   // (queries, keys)
  Tensor<double> leak;      // (queries)  weight on hidden keys
};

/// How the leak of a finite mask grows with the scores: the row that leaks most, of those that may read
/// something.
struct LeakSweep {
  Text mask_title = Text::same("");
  BooleanMask mask;
  double gap = 0.0;             // best hidden minus best readable score, in the worst row
  std::size_t row = 0;          // that row
  Tensor<double> hidden_value;  // (h)     -inf, -1e9, -1e5, -65504
  Tensor<double> tie;           // (h)     the magnitude at which gap · magnitude = -hidden_value
  Tensor<double> magnitude;     // (m)
  Tensor<double> leak;          // (h, m)
  Tensor<double> beyond;        // (t)     gap · magnitude + hidden_value: 0 at the tie
  Tensor<double> leak_beyond;   // (t)     for -1e5
};

struct MasksRun {
  MasksSettings settings;
  MaskInputs inputs;
  std::vector<MaskedAttention> kinds;  // none, causal, padding, window
  MaskedAttention chosen;
  Tensor<double> output;           // (queries, width)  with the chosen mask
  std::optional<LeakSweep> sweep;  // absent when no hidden score exceeds the readable ones
};

// --- masks.cpp

MaskInputs draw_inputs(const MasksSettings& settings);

/// What multiplies Q Kᵀ: magnitude / √d.
double score_scale(const MasksSettings& settings);

MaskedAttention attend_masked(const MaskInputs& inputs, const MasksSettings& settings, std::string name,
                              const Text& title, const BooleanMask& mask);
MasksRun compute_masks(const MasksSettings& settings);

/// Whether --mask put two or more masks together, so that `chosen` is none of the four.
bool is_combination(const MaskChoice& choice);

/// The rows of which the mask hides every key.
std::vector<std::size_t> rows_without_keys(const BooleanMask& mask);

/// The largest leak of rows that may read something; 0 without such rows.
double largest_leak(const MaskedAttention& attention);

/// "−65504", "−10⁵", "−∞": a hidden value as people write it.
std::string hidden_name(double hidden);

// --- masks_leak.cpp

/// Two significant digits in plain decimal: "84000"; "1.2e+11" from 1e10 on.
std::string magnitude_text(double magnitude);

std::optional<LeakSweep> sweep_leak(const MasksSettings& settings, const Tensor<double>& raw_scores,
                                    const std::vector<const MaskedAttention*>& candidates);

// --- masks_trace.cpp

/// The four kinds and the chosen one, in this order: the rows of the array `leak`.
std::vector<const MaskedAttention*> all_masks(const MasksRun& run);

std::vector<Stage> masks_trace(const MasksRun& run);
std::vector<Scalar> masks_scalars(const MasksRun& run);
/// What remains of the smallest row sum when hidden weights are set to 0 after softmax; of `chosen`, or of
/// `causal` when that hides nothing.
double smallest_sum_when_zeroed_late(const MasksRun& run);

// --- masks_invariants.cpp

std::vector<Invariant> masks_invariants(const MasksRun& run);

// --- masks_body.cpp, masks_figures.cpp

std::vector<Block> masks_body(const MasksRun& run);
/// "Seed 0, d = 8.": how captions begin.
Text inputs_caption(const MasksSettings& settings);
std::vector<Figure> masks_figures(const MasksRun& run);

// --- masks_leak_figure.cpp

Figure masks_leak_figure(const LeakSweep& sweep, const MasksSettings& settings);

}  // namespace attnlab
