// The block on three slides: heads, attention, and the way through the layer.
#include "model/block.hpp"

#include <xtensor/xview.hpp>

#include "attention/lanes.hpp"
#include "attention/matmul.hpp"
#include "attention/weight_layout.hpp"
#include "model/mlp.hpp"

namespace attnlab {
namespace {

using Numbers = Tensor<float>;
using Batch = xsimd::batch<float>;  // whose exp, erf and tanh are as good as std's in float, and faster

// --- 1. Queries, keys and values, head by head ----------------------------------------------------------

/// (n, columns) gives (heads, n, head_width).
Numbers split_heads(const Numbers& projected, std::size_t heads, const HeadColumns& columns) {
  const std::size_t n = projected.shape()[0];
  const std::size_t width = projected.shape()[1];
  Numbers split = Numbers::from_shape({heads, n, columns.width});
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t token = 0; token < n; ++token) {
      std::copy_n(projected.data() + token * width + columns.begin(head), columns.width,
                  split.data() + (head * n + token) * columns.width);
    }
  }
  return split;
}

struct Heads {
  Numbers query;  // (heads, n, head_width)
  Numbers key;    // (kv_heads, n, head_width)
  Numbers value;  // (kv_heads, n, head_width)
};

Heads project(const ModelLayer& layer, const Numbers& x, const BlockRun& run) {
  const Architecture& a = run.architecture;
  const Numbers joint = layer.joint ? (*layer.joint)(x, run.for_each) : Numbers();
  const auto part_of = [&](HeadPart part) {
    const std::optional<ModelNorm>& norm = norm_of(part, layer);
    Numbers own = layer.joint ? Numbers() : projection_of(part, layer)(x, run.for_each);
    if (norm) own = (*norm)(own);
    return split_heads(layer.joint ? joint : own, count_of(part, a), columns_of(part, layer, a));
  };
  return {part_of(HeadPart::query), part_of(HeadPart::key), part_of(HeadPart::value)};
}

// --- 2. Attention over the tokens so far ----------------------------------------------------------------

/// The new tokens' rows behind those of the cache.
void remember(const Numbers& rows, Numbers& cache, std::size_t filled) {
  xt::view(cache, xt::all(), xt::range(filled, filled + rows.shape()[1])) = rows;
}

/// softmax over these keys; the others get 0, and their score -inf.
void softmax_row(float* scores, float* weights, KeyRange keys, std::size_t length) {
  std::fill(scores, scores + keys.begin, -HUGE_VALF);
  std::fill(scores + keys.end, scores + length, -HUGE_VALF);
  std::fill(weights, weights + length, 0.0F);
  const std::size_t count = keys.end - keys.begin;
  const float largest = largest_of(scores[keys.begin], scores + keys.begin, count);
  const float sum = exp_of_nonpositive(scores + keys.begin, largest, count, weights + keys.begin);
  for (std::size_t key = keys.begin; key < keys.end; ++key) weights[key] /= sum;
}

/// The scores of one query: scaled, capped, less the slope of the head times the distance (Press et al.
/// 2022).
void scale_row(float* scores, const Architecture& a, std::size_t head, std::size_t place, KeyRange keys) {
  const float scale = a.scales ? 1.0F / std::sqrt(static_cast<float>(a.score_width)) : 1.0F;
  for (std::size_t key = keys.begin; key < keys.end; ++key) scores[key] *= scale;
  soft_cap(a.score_cap, scores + keys.begin, keys.end - keys.begin);
  if (a.alibi_slopes.empty()) return;
  const auto slope = static_cast<float>(a.alibi_slopes[head]);
  for (std::size_t key = keys.begin; key < keys.end; ++key)
    scores[key] -= slope * static_cast<float>(key < place ? place - key : key - place);
}

/// softmax(Q Kᵀ / √d + mask) V, head by head; several heads may share their keys and values. The queries are
/// those of the last n places; of a long text a few at a time.
void attend(LayerStages& stages, std::size_t number, const KeysAndValues& cache, const BlockRun& run) {
  constexpr std::size_t few = 64;
  const Architecture& a = run.architecture;
  const std::size_t n = stages.query.shape()[1];
  const std::size_t length = cache.filled;
  const std::size_t d = a.head_width;
  const bool is_kept = !run.row;
  const std::size_t at_once = is_kept ? n : std::min(few, n);
  if (is_kept) stages.scores = stages.weights = Numbers::from_shape({a.heads, n, length});
  stages.head_output = Numbers::from_shape({a.heads, n, d});
  run.for_each(a.heads, [&](std::size_t head) {
    const std::size_t shared = head / (a.heads / a.kv_heads) * cache.keys.shape()[1] * d;
    std::vector<float> passing(is_kept ? 0 : 2 * at_once * length);
    for (std::size_t first = 0; first < n; first += at_once) {
      const std::size_t rows = std::min(at_once, n - first);
      float* const scores = is_kept ? stages.scores.data() + head * n * length : passing.data();
      float* const weights =
          is_kept ? stages.weights.data() + head * n * length : passing.data() + at_once * length;
      multiply({stages.query.data() + (head * n + first) * d, rows, d},
               {cache.keys.data() + shared, d, length, true}, scores);
      for (std::size_t token = 0; token < rows; ++token) {
        const std::size_t place = length - n + first + token;
        const KeyRange keys = keys_read(a, number, place, length);
        float* const row = scores + token * length;
        scale_row(row, a, head, place, keys);
        softmax_row(row, weights + token * length, keys, length);
        if (run.row) run.row(head, place, weights + token * length);
      }
      multiply({weights, rows, length}, {cache.values.data() + shared, length, d, false},
               stages.head_output.data() + (head * n + first) * d);
    }
  });
}

/// (heads, n, head_width) to (n, heads · head_width), without the heads that are left out.
Numbers join_kept(Numbers heads, std::size_t layer, const Ablation& without) {
  for (const auto& [of_layer, head] : without.heads) {
    if (of_layer == layer) xt::view(heads, head) = 0.0F;
  }
  return join_heads(heads);
}

// --- 3. The way through the layer -----------------------------------------------------------------------

Numbers self_attention(const ModelLayer& layer, std::size_t number, KeysAndValues& cache, LayerStages& stages,
                       const BlockRun& run) {
  const std::size_t n = stages.normed.shape()[0];
  Heads heads = project(layer, stages.normed, run);
  if (const ModelRotary* const rotary = run.architecture.rotary_of(number); rotary != nullptr) {
    const RotaryTurns turns = rotary_turns(*rotary, cache.filled + n);
    const Tensor<double> angles = rotary_angles(static_cast<long long>(cache.filled), n, turns.frequencies);
    for (Tensor<float>* turned : {&heads.query, &heads.key})
      *turned = rotated(std::move(*turned), angles, rotary->pairing, turns.attention);
  }
  stages.query = std::move(heads.query);
  remember(heads.key, cache.keys, cache.filled);
  remember(heads.value, cache.values, cache.filled);
  cache.filled += n;
  if (run.keeps_keys) {
    stages.key = xt::view(cache.keys, xt::all(), xt::range(std::size_t{0}, cache.filled));
    stages.value = xt::view(cache.values, xt::all(), xt::range(std::size_t{0}, cache.filled));
  }
  attend(stages, number, cache, run);
  return layer.output(join_kept(stages.head_output, number, run.without), run.for_each);
}

}  // namespace

const char* name_of(HeadPart part) {
  return part == HeadPart::query ? "query" : part == HeadPart::key ? "key" : "value";
}

std::size_t count_of(HeadPart part, const Architecture& a) {
  return part == HeadPart::query ? a.heads : a.kv_heads;
}

const Projection& projection_of(HeadPart part, const ModelLayer& layer) {
  if (layer.joint) return *layer.joint;
  return *(part == HeadPart::query ? layer.query : part == HeadPart::key ? layer.key : layer.value);
}

const std::optional<ModelNorm>& norm_of(HeadPart part, const ModelLayer& layer) {
  static const std::optional<ModelNorm> none;
  return part == HeadPart::query ? layer.query_norm : part == HeadPart::key ? layer.key_norm : none;
}

HeadColumns columns_of(HeadPart part, const ModelLayer& layer, const Architecture& a) {
  const std::size_t d = a.head_width;
  const auto place = static_cast<std::size_t>(part);
  const std::size_t group = a.heads / a.kv_heads;
  if (!layer.joint) return {0, d, d};
  if (!a.by_group) return {place == 0 ? 0 : (a.heads + (place - 1) * a.kv_heads) * d, d, d};
  if (part == HeadPart::query) return {0, d, (group + 2) * d, group};
  return {(group + place - 1) * d, d, (group + 2) * d};
}

KeyRange keys_read(const Architecture& a, std::size_t layer, std::size_t place, std::size_t length) {
  const std::size_t window = a.window_of(layer);
  return {window > 0 && place + 1 > window ? place + 1 - window : 0, a.is_causal ? place + 1 : length};
}

LayerStages block(const ModelLayer& layer, std::size_t number, Tensor<float> x, KeysAndValues& cache,
                  const BlockRun& run) {
  const NormPosition place = run.architecture.norm_position;
  const bool is_post = place == NormPosition::post;
  const bool is_left_out = run.without.layers.count(number) == 1;
  LayerStages stages;
  stages.input = std::move(x);

  const auto normed = [](const std::optional<ModelNorm>& norm, const Numbers& read) {
    return norm ? (*norm)(read) : read;
  };
  const auto before = [&](const std::optional<ModelNorm>& norm, const Numbers& read) {
    return is_post ? read : normed(norm, read);
  };
  stages.normed = before(layer.attention_norm, stages.input);
  stages.attention = normed(layer.attention_output_norm, self_attention(layer, number, cache, stages, run));
  if (is_left_out) stages.attention.fill(0.0F);
  stages.after_attention = stages.input + stages.attention;
  if (is_post) stages.after_attention = (*layer.attention_norm)(stages.after_attention);

  if (!layer.has_mlp()) {  // attention alone
    stages.output = stages.after_attention;
    return stages;
  }
  const bool is_parallel = place == NormPosition::parallel;
  stages.mlp_input = before(layer.mlp_norm, is_parallel ? stages.input : stages.after_attention);
  stages.mlp = normed(layer.mlp_output_norm, mlp(layer, run, stages));
  if (is_left_out || run.without.mlps.count(number) == 1) stages.mlp.fill(0.0F);
  stages.output = stages.after_attention + stages.mlp;
  if (is_post) stages.output = (*layer.mlp_norm)(stages.output);
  return stages;
}

void activate(MlpActivation activation, Tensor<float>& x) {
  const Batch one(1.0F);
  const Batch half(0.5F);
  const auto to_each = [&](const auto& function) { compute_lanes(x.size(), x.data(), function, x.data()); };
  switch (activation) {
    case MlpActivation::gelu:
      return to_each([&](Batch v) { return half * v * (one + xsimd::erf(v * Batch(0.70710678F))); });
    case MlpActivation::gelu_tanh:
      return to_each([&](Batch v) {
        return half * v * (one + xsimd::tanh(Batch(0.7978845608F) * (v + Batch(0.044715F) * v * v * v)));
      });
    case MlpActivation::relu: return to_each([](Batch v) { return xsimd::max(v, Batch(0.0F)); });
    case MlpActivation::silu: return to_each([&](Batch v) { return v / (one + xsimd::exp(-v)); });
  }
}

void soft_cap(double cap, float* x, std::size_t count) {
  if (cap == 0.0) return;
  const Batch c(static_cast<float>(cap));
  compute_lanes(
      count, x, [&](Batch v) { return c * xsimd::tanh(v / c); }, x);
}

}  // namespace attnlab
