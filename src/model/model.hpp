// A model that can read: tokens in, every stage and the next token's logits out.
#pragma once

#include "model/block.hpp"

namespace attnlab {

struct LanguageModel {
  Architecture architecture;
  ModelWeights weights;

  bool has_words() const { return weights.head.has_value(); }
};

/// Throws Error: see open_checkpoint, family_of and weights_of.
LanguageModel model_of(const Checkpoint& checkpoint);

/// What one pass over n tokens computed. After generation the lengths of keys and values are longer.
struct ForwardPass {
  Tensor<float> embedded;  // (n, width): what enters the first layer
  std::vector<LayerStages> layers;
  Tensor<float> logits;  // (n, vocabulary), of a long text (1, vocabulary); empty without words to say
};

/// A long text: each row of weights is handed on and forgotten, of a layer's stages only the stream and what
/// its sub-layers add are kept, and words are said at one place.
struct LongReading {
  std::function<void(std::size_t layer, std::size_t head, std::size_t place, const float* weights)> row;
  std::size_t answer = 0;
};

struct Cache {
  std::vector<KeysAndValues> layers;
  std::size_t filled() const { return layers.empty() ? 0 : layers.front().filled; }
};

/// With room for so many tokens.
Cache empty_cache(const LanguageModel& model, std::size_t places);

/// Reads the tokens that follow those of the cache. Progress is told layer by layer. Throws Error (usage) for
/// more tokens than the cache has room for and for a token that the vocabulary does not have.
ForwardPass read_tokens(const LanguageModel& model, const std::vector<std::size_t>& tokens, Cache& cache,
                        const Ablation& without, const ForEach& for_each,
                        const std::function<void(double)>& progress = {},
                        const LongReading* in_long = nullptr);

/// The logits of a whole text whose stream before that layer is x (n, width): (n, vocabulary).
Tensor<float> logits_from(const LanguageModel& model, Tensor<float> x, std::size_t layer,
                          const Ablation& without, const ForEach& for_each);

/// So many tokens the model reads at once.
std::size_t most_tokens_of(const LanguageModel& model);

/// The logits behind the last of these tokens: (vocabulary). The cache holds the others; of more tokens than
/// the model reads at once only the last are read, anew from its first place, as in nanoGPT. Throws Error
/// (failed) where the logits give no probabilities.
std::vector<float> next_logits(const LanguageModel& model, const std::vector<std::size_t>& tokens,
                               Cache& cache, const Ablation& without, const ForEach& for_each);

/// Of any stream (n, width): the final norm, BERT's transform, the words. Empty without words.
Tensor<float> words_of_stream(const LanguageModel& model, const Tensor<float>& stream,
                              const ForEach& for_each);

/// softmax(logits / temperature) of one row, as doubles.
std::vector<double> probabilities(const float* logits, std::size_t count, double temperature = 1.0);

/// The places of the `count` largest, the largest first; of equal ones the first.
std::vector<std::size_t> largest_places(const std::vector<double>& values, std::size_t count);

/// Throws Error (failed) that names a tensor with NaN or infinities, where there is one.
void refuse_broken_weights(const Checkpoint& checkpoint);

}  // namespace attnlab
