// One layer of a Transformer, as every family here computes it; what differs is the record `Architecture`.
#pragma once

#include "attention/masks.hpp"
#include "model/weights.hpp"

namespace attnlab {

/// What a run leaves out, to see what it was for: outputs of heads, MLPs, or both sub-layers of a layer.
struct Ablation {
  std::set<std::pair<std::size_t, std::size_t>> heads;  // layer, head
  std::set<std::size_t> mlps;
  std::set<std::size_t> layers;
};

/// Keys and values of the tokens before, so that a new token computes only its own:
/// (kv_heads, places, head_width), of which the first `filled` places hold something.
struct KeysAndValues {
  Tensor<float> keys;
  Tensor<float> values;
  std::size_t filled = 0;
};

/// What attention makes of its tokens, head by head.
enum class HeadPart { query, key, value };
const char* name_of(HeadPart part);
std::size_t count_of(HeadPart part, const Architecture& a);  // of heads
const Projection& projection_of(HeadPart part, const ModelLayer& layer);
/// Of queries and keys, where the layer has it.
const std::optional<ModelNorm>& norm_of(HeadPart part, const ModelLayer& layer);

/// Where its columns stand in that projection: heads of `width` columns, so many side by side, and `step`
/// from one such group to the next.
struct HeadColumns {
  std::size_t first = 0;
  std::size_t width = 0;
  std::size_t step = 0;
  std::size_t side_by_side = 1;

  std::size_t begin(std::size_t head) const {
    return first + head / side_by_side * step + head % side_by_side * width;
  }
};
HeadColumns columns_of(HeadPart part, const ModelLayer& layer, const Architecture& a);

/// Every value on the way through one layer; n tokens, `length` keys (those of the cache among them).
struct LayerStages {
  Tensor<float> input;            // (n, width)
  Tensor<float> normed;           // (n, width): what Q, K and V are made of
  Tensor<float> query;            // (heads, n, head_width), turned where positions are rotary
  Tensor<float> key;              // (kv_heads, length, head_width), likewise
  Tensor<float> value;            // (kv_heads, length, head_width)
  Tensor<float> scores;           // (heads, n, length), scaled and biased, -inf where a token may not read
  Tensor<float> weights;          // (heads, n, length)
  Tensor<float> head_output;      // (heads, n, head_width)
  Tensor<float> attention;        // (n, width): heads joined, times W_O; what is added
  Tensor<float> after_attention;  // (n, width): the stream behind it
  Tensor<float> mlp_input;        // (n, width)
  Tensor<float> router;           // (n, experts): what each adds, of those that a token reads; else empty
  Tensor<float> hidden;           // (n, hidden): behind the activation and the gate; (experts, n, hidden)
  Tensor<float> mlp;              // (n, width)
  Tensor<float> output;           // (n, width)
};

/// Their names in a trace, in the order of their computation; the input is another stage's output.
inline constexpr std::array<std::pair<const char*, Tensor<float> LayerStages::*>, 14> computed_stages{
    {{"normed", &LayerStages::normed},
     {"query", &LayerStages::query},
     {"key", &LayerStages::key},
     {"value", &LayerStages::value},
     {"scores", &LayerStages::scores},
     {"weights", &LayerStages::weights},
     {"head_output", &LayerStages::head_output},
     {"attention", &LayerStages::attention},
     {"after_attention", &LayerStages::after_attention},
     {"mlp_input", &LayerStages::mlp_input},
     {"router", &LayerStages::router},
     {"hidden", &LayerStages::hidden},
     {"mlp", &LayerStages::mlp},
     {"output", &LayerStages::output}}};

/// What a head reads from one place on: its weights over all keys.
using RowRead = std::function<void(std::size_t head, std::size_t place, const float* weights)>;

/// How a block is computed: for which model, on which processors, and what is left out.
struct BlockRun {
  const Architecture& architecture;
  const ForEach& for_each;
  const Ablation& without;
  bool keeps_keys = true;  // and values of all tokens in the stages, not in the cache alone
  RowRead row = {};        // of a long text: takes each row, and no scores and weights are kept
};

/// What the token at that place reads of so many keys in a layer.
KeyRange keys_read(const Architecture& a, std::size_t layer, std::size_t place, std::size_t length);

/// Layer `number` over x (n, width), the tokens that follow those of the cache, which takes theirs. Source:
/// Vaswani et al. 2017, figure 1; pre-norm: Radford et al. 2019; parallel: Black et al. 2022; linear
/// biases: Press et al. 2022; norms of what is added: OLMo team 2024, section 3; experts: Jiang et al. 2024.
LayerStages block(const ModelLayer& layer, std::size_t number, Tensor<float> x, KeysAndValues& cache,
                  const BlockRun& run);

/// Element by element. Source: Hendrycks and Gimpel 2016 (GELU and its tanh form); SiLU: x / (1 + e^-x).
void activate(MlpActivation activation, Tensor<float>& x);

/// c tanh(x / c) of each; unchanged where c is 0. Source: Gemma team 2024, “Gemma 2”, section 2.
void soft_cap(double cap, float* x, std::size_t count);

}  // namespace attnlab
