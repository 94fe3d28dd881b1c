// What `attend` is asked to do, apart from the tensors themselves: its flags, read once.
#pragma once

#include "attention/mask_axes.hpp"
#include "attention/positional.hpp"
#include "attention/rotary_scaling.hpp"
#include "attention/weight_summary.hpp"
#include "core/error.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

// Of each enumeration the values stand in the order of the flag's words.

/// Where the heads of query, key and value lie: (..., L, H d), (..., H, L, d) or (..., L, H, d). `automatic`
/// finds them before the length where the shape says so, else inside the width.
enum class HeadPlace { automatic, width, first, last };

/// How weight matrices are stored. `by_name` takes PyTorch's and Hugging Face's names at their word, and all
/// others for (in, out).
enum class WeightLayout { by_name, in_out, out_in };

/// The columns of a joint matrix: all of Q, then K, then V; or one group of heads after the other, each with
/// its queries, its key and its value (of one head per group: q, k, v).
enum class JointOrder { blocks, by_group };

/// What a true element of a boolean mask means: keep the key (F.scaled_dot_product_attention), or drop it
/// (nn.MultiheadAttention).
enum class TrueMeans { keep, drop };

/// The type that is computed in.
enum class Precision { as_stored, float32, float64 };

/// Rotary positions: queries and keys are turned pair by pair before they meet.
struct Rotary {
  RotaryPairing pairing = RotaryPairing::halves;
  double base = 10000.0;
  std::size_t width = 0;  // of each head, from its first coordinate on; 0: all of it
  RotaryScaling scaling = {};
};

/// Whether they turn: `automatic` as the weights' file or config.json says.
enum class RopeChoice { automatic, none, halves, pairs };

/// What a norm's stored gain g stands for: γ = g, or γ = 1 + g (Gemma).
enum class NormGain { as_stored, plus_one };

constexpr double usual_norm_eps = 1e-6;  // Qwen3's and OLMo2's

/// Whether the weights stay in memory: as their number allows, always, or never.
enum class Keeping { automatic, keep, stream };

/// What is laid over a picture: every head, their mean, or their way through all layers.
enum class ReadingOf { heads, mean, rollout };

/// --image and what says how its patches lie among the tokens; nothing: as their number says.
struct PictureSettings {
  std::optional<std::size_t> rows;
  std::optional<std::size_t> columns;
  std::optional<std::size_t> skip;
  std::optional<std::size_t> reader;
  ReadingOf reading = ReadingOf::heads;
};

struct AttendSettings {
  std::size_t heads = 0;     // 0: not given
  std::size_t kv_heads = 0;  // 0: as many as heads
  HeadPlace head_place = HeadPlace::automatic;
  WeightLayout layout = WeightLayout::by_name;
  std::optional<JointOrder> joint_order;  // nothing: as the joint matrix's name says
  TrueMeans true_means = TrueMeans::keep;
  Precision precision = Precision::as_stored;
  std::optional<double> scale;  // default 1 / sqrt(d_k)
  std::string scale_text;
  double temperature = 1.0;
  bool alibi = false;
  RopeChoice rope = RopeChoice::automatic;
  std::optional<double> rope_base;  // as typed
  std::size_t rope_width = 0;       // likewise; 0: not typed
  std::optional<Rotary> rotary;     // what is computed
  std::optional<double> norm_eps;   // of the weights' norms of queries and keys; default usual_norm_eps
  NormGain norm_gain = NormGain::as_stored;
  ReadableKeys readable;                // causal, window, padding
  std::vector<std::string> ignored;     // tensors beside the weights
  std::vector<std::string> mask_files;  // added to one another
  std::vector<MaskAxis> mask_axes;      // of these; none: as their shapes say
  std::optional<MaskedRow> masked_row;  // nothing: an error
  Pool pool = Pool::maximum;
  std::optional<KeyRange> rows;  // of the map
  std::optional<KeyRange> columns;
  std::optional<std::size_t> head;  // that is drawn; nothing: all
  std::size_t entry = 0;            // of the batch, counted in row-major order, that is drawn
  Keeping keeping = Keeping::automatic;
  std::optional<PictureSettings> picture;
};

/// In front of labels: what follows are words, even where a file has that name ("=a,b").
constexpr char words_sign = '=';

/// With the base and the width that were typed, if any.
Rotary rotary_with(RotaryPairing pairing, const AttendSettings& settings, double base = 10000.0);

/// Throws Error (usage) for a typed base or width of a rotation that there is not.
void require_rope(const AttendSettings& settings);

/// The declarations, in the order of the help page.
std::vector<Parameter> attend_parameters();

/// What is drawn of the weights alone: the heads, the stretches of the map, its pooling. Throws as the next.
AttendSettings drawn_settings(const Arguments& arguments);

/// Throws Error (usage) for values that say nothing or contradict each other.
AttendSettings attend_settings(const Arguments& arguments);

}  // namespace attnlab
