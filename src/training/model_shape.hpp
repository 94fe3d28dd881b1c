// What a model is before it has numbers: its sizes, and the names and shapes of its parameters.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "training/layers/activation.hpp"
#include "training/layers/attention.hpp"
#include "training/layers/norm.hpp"

namespace attnlab {

/// How a token's place reaches the model. In the order of --positions' words.
enum class Positions { none, sinusoidal, learned, rotary };

/// Where a norm stands: nowhere; after each addition (Vaswani et al. 2017); before each sub-layer, with one
/// more behind the last layer (GPT-2). In the order of --norm's words.
enum class NormPlace { none, post, pre };

/// What queries and keys are compared by. In the order of --score's words.
enum class Score { dot_product, additive };

/// What a decoder reads besides its own words, through an encoder of the same width (Vaswani et al. 2017).
struct SourceShape {
  std::size_t vocabulary = 0;
  std::size_t tokens = 0;  // of the longest source; 0: there is none
  std::size_t layers = 0;
};

struct ModelShape {
  std::size_t vocabulary = 0;  // words that may be read
  std::size_t answers = 0;     // words that may be said
  std::size_t tokens = 0;      // of the longest sequence
  std::size_t width = 32;      // D
  std::size_t heads = 1;       // a divisor of the width
  std::size_t layers = 1;
  std::size_t hidden = 0;  // of the MLP; 0: attention only
  NormPlace norm = NormPlace::none;
  NormKind norm_kind = NormKind::layer;
  Positions positions = Positions::learned;
  Activation activation = Activation::relu;
  Reading reading = Reading::everything;
  SoftmaxForm softmax = {};
  Score score = Score::dot_product;
  bool is_gated = false;  // self-attention's output times σ(x W_G + b), element by element (Qiu et al. 2025)
  std::optional<double> scale = std::nullopt;  // of dot products; nothing: 1 / √(width / heads)
  std::size_t pixels = 0;  // numbers of the patch that each token shows beside its word; 0: words alone

  SourceShape source = {};

  std::size_t head_width() const { return width / heads; }
  /// Of the longest sequence or source.
  std::size_t longest() const { return std::max(tokens, source.tokens); }
  /// The encoder by itself.
  ModelShape of_source() const;
};

/// One of the model's parameters: where it begins among all of them, one after another.
struct ParameterPlace {
  std::string name;                // GPT-2's: "h.0.attn.c_attn.weight"
  std::vector<std::size_t> shape;  // as nn.Linear and nn.Embedding keep it: (out, in), (words, width)
  std::size_t begin = 0;
  std::size_t size = 0;
};

struct AttentionPlaces {
  NormPlaces norm;
  LinearPlaces joint;            // (3 width, width): W_Q, W_K, W_V below one another
  LinearPlaces query;            // in its place, where keys and values come from a source: (width, width)
  LinearPlaces memory;           // and W_K, W_V below one another: (2 width, width)
  std::size_t score = no_place;  // (heads, head width): v of additive scores
  LinearPlaces gate;             // (width, width): W_G
  LinearPlaces output;           // (width, width): W_O
  bool has_gate() const { return gate.weight != no_place; }
};
struct LayerPlaces {
  AttentionPlaces self;
  AttentionPlaces cross;  // with a source
  NormPlaces mlp_norm;
  LinearPlaces first;   // (hidden, width)
  LinearPlaces second;  // (width, hidden)
};
struct StackPlaces {
  std::size_t words = no_place;      // (vocabulary, width)
  LinearPlaces patches;              // (width, pixels), of pictures alone
  std::size_t positions = no_place;  // (tokens, width), learned ones alone
  std::vector<LayerPlaces> layers;
  NormPlaces last_norm;  // of pre-norm alone
};
struct ModelPlaces {
  StackPlaces source;  // the encoder
  StackPlaces stack;
  LinearPlaces answer;  // (answers, width)
  std::vector<ParameterPlace> parameters;
  std::size_t size = 0;  // of all parameters together
};

ModelPlaces places_of(const ModelShape& shape);

}  // namespace attnlab
