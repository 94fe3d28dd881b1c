// What a run of the masks experiment holds: the same scores under several masks, and the leak of finite ones.
#pragma once

#include "attention/masks.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

// --- Which keys --mask hides (mask_choice.cpp)

/// One entry per mask that --mask can name; a key is readable when all of those chosen let it be.
struct MaskChoice {
  bool causal = false;
  bool padding = false;
  bool window = false;
  std::size_t padded = 0;  // how many of the last keys are padding; a third of the keys unless given
  std::size_t reach = 1;   // keys to either side in the window
};

/// `--mask none|causal|padding:N|window:N,...`
Parameter mask_parameter(const std::string& default_text);

/// Reads "none", or names separated by commas, each at most once. "padding" and "window" may go without their
/// number. Throws Error (usage) for anything else, and when more keys are padded than there are.
MaskChoice parse_mask(const std::string& text, std::size_t keys);

/// All chosen masks together; no mask when none is chosen.
BooleanMask combined_mask(const MaskChoice& choice, std::size_t queries, std::size_t keys,
                          CausalAlignment alignment);

constexpr double minus_infinity = -infinity;

struct MasksSettings {
  std::size_t queries = 6;
  std::size_t keys = 6;
  std::size_t width = 8;
  MaskChoice choice;
  CausalAlignment alignment = CausalAlignment::bottom_right;
  double hidden = 0.0;  // what is added to the score of a hidden key: -inf or finite
  MaskedRow masked_row = MaskedRow::nan;
  double magnitude = 1.0;  // multiplies every score
  std::uint32_t seed = 0;
  std::string rng;  // "numpy" or "torch"
};

/// Random queries, keys and values, and their scores before any mask.
struct MaskInputs {
  Tensor<double> query;   // (queries, width)
  Tensor<double> key;     // (keys, width)
  Tensor<double> value;   // (keys, width)
  Tensor<double> scores;  // (queries, keys)  Q Kᵀ · magnitude / √d
};

/// One mask put to the scores.
struct MaskedAttention {
  std::string name;  // "causal"; "" for the one that --mask chose
  Text title = Text::none();
  BooleanMask mask;                            // (queries, keys)
  std::vector<std::size_t> rows_without_keys;  // the rows of which the mask hides every key
  Tensor<double> additive;                     // (queries, keys)  0 or the hidden value
  Tensor<double> masked;                       // (queries, keys)  scores + additive
  Tensor<double> weights;                      // (queries, keys)
  Tensor<double> leak;                         // (queries)  weight on hidden keys
  std::string code = {};                       // of the additive mask, in NumPy
  double largest_leak = 0.0;                   // of rows that may read something; 0 without such rows

  bool reads_nothing(std::size_t row) const;
};

struct MasksRun {
  Tape tape;
  MasksSettings settings;
  MaskInputs drawn;
  bool has_user_mask = false;             // --input mask=FILE: the chosen mask is the user's
  bool has_requested = false;             // for a mask, by either way: it is drawn alone
  std::vector<MaskedAttention> masks;     // none, causal, padding, window, and the chosen one
  std::vector<MaskedAttention> promised;  // the same with -inf, whatever --hidden and --masked-row say
  Tensor<double> output;                  // (queries, width)  with the chosen mask

  const MaskedAttention& chosen() const { return masks.back(); }
  static MasksRun compute(const Arguments& arguments, const Context& context);
};

/// Writes the masks with what they make of the scores, the output, and the leak.
void report_state(MasksRun& run);
std::vector<Scalar> scalars(const MasksRun& run);
std::vector<Invariant> invariants(const MasksRun& run);
std::vector<Block> body(const MasksRun& run, const std::vector<Stage>& stages);
/// weights, masked-row, alignment.
std::vector<Figure> figures(const MasksRun& run);

// --- masks.cpp

MaskInputs draw_inputs(const MasksSettings& settings, Tape& tape);

/// What multiplies Q Kᵀ: magnitude / √d.
double score_scale(const MasksSettings& settings);

/// softmax(scores + M), M being `hidden` where the mask hides a key.
MaskedAttention attend_masked(const Tensor<double>& scores, const BooleanMask& mask, double hidden,
                              MaskedRow rule);
/// The same with M itself, and the keys that it hides.
MaskedAttention attend_masked(const Tensor<double>& scores, const BooleanMask& mask,
                              const Tensor<double>& additive, MaskedRow rule);

/// How many keys each query may read.
std::vector<std::size_t> readable_keys(const BooleanMask& mask);

/// The four kinds, and the chosen mask where --mask put two or more together, so that it is none of them.
std::vector<MaskedAttention> shown_masks(const MasksRun& run);

/// What remains of the smallest row sum when hidden weights are set to 0 after softmax; of the chosen mask,
/// or of the causal one when that hides nothing.
double smallest_sum_when_zeroed_late(const MasksRun& run);

// --- mask_choice.cpp

/// A number that hides keys: as --hidden takes it, and as people write it.
struct HiddenValue {
  const char* flag;
  double value;
  const char* name;
};
constexpr std::array<HiddenValue, 4> hidden_values{{{"-inf", minus_infinity, "−∞"},
                                                    {"-1e9", -1e9, "−10⁹"},
                                                    {"-1e5", -1e5, "−10⁵"},
                                                    {"float16", -65504.0, "−65504"}}};

std::string hidden_name(double hidden);

}  // namespace attnlab
