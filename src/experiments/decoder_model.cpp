// A small GPT: word and position become a vector, causal layers add to it, a linear map and softmax read it.
#include <cmath>
#include <limits>

#include "attention/masks.hpp"
#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "attention/softmax.hpp"
#include "experiments/decoder/decoder.hpp"

namespace attnlab {
namespace {

constexpr double position_base = 10000.0;  // Vaswani et al. 2017; the slides' L

/// Standard normals over the root of the number of inputs, so that outputs are about as large as inputs.
Tensor<double> draw(RandomStream& random, const std::vector<std::size_t>& shape) {
  const auto inputs = static_cast<double>(shape[shape.size() - 2]);
  return random.randn(shape) / std::sqrt(inputs);
}

DrawnLayer draw_layer(RandomStream& random, const DecoderSize& size) {
  const std::size_t head = head_width(size.width, size.heads);
  DrawnLayer layer;
  layer.attention.query = draw(random, {size.heads, size.width, head});
  layer.attention.key = draw(random, {size.heads, size.width, head});
  layer.attention.value = draw(random, {size.heads, size.width, head});
  layer.attention.output = draw(random, {size.width, size.width});
  layer.w_1 = draw(random, {size.width, 4 * size.width});
  layer.w_2 = draw(random, {4 * size.width, size.width});
  return layer;
}

/// A one in the column of each word: times the embedding, it picks that word's row.
Tensor<double> one_hot_rows(const std::vector<std::size_t>& words, std::size_t vocabulary) {
  Tensor<double> rows({words.size(), vocabulary}, 0.0);
  for (std::size_t i = 0; i < words.size(); ++i) rows(i, words[i]) = 1.0;
  return rows;
}

}  // namespace

DecoderModel draw_decoder(RandomStream& random, const DecoderSize& size) {
  DecoderModel model;
  model.embedding = random.randn({size.words, size.width});
  for (std::size_t layer = 0; layer < size.layers; ++layer) {
    model.layers.push_back(draw_layer(random, size));
  }
  model.w_vocabulary = draw(random, {size.width, size.words});
  return model;
}

Tensor<double> sight_mask(std::size_t tokens, Sight sight) {
  const BooleanMask may_read =
      sight == Sight::everything ? no_mask(tokens, tokens) : causal_mask(tokens, tokens);
  return additive_mask(may_read, -std::numeric_limits<double>::infinity());
}

DecoderPass decode(const DecoderModel& model, const std::vector<std::size_t>& words, Sight sight) {
  const std::size_t vocabulary = model.embedding.shape()[0];
  const std::size_t width = model.embedding.shape()[1];
  DecoderPass pass;
  pass.one_hot = one_hot_rows(words, vocabulary);
  pass.embedded = matmul(pass.one_hot, model.embedding);
  pass.positions = sinusoidal_encoding(words.size(), width, position_base);
  pass.x = pass.embedded + pass.positions;
  pass.mask = sight_mask(words.size(), sight);
  AttentionOptions<double> options;
  options.mask = pass.mask;
  Tensor<double> stream = pass.x;
  for (const DrawnLayer& layer : model.layers) {
    pass.layers.push_back(
        transformer_layer(transformer_layer_of(layer, NormPlacement::pre), stream, options));
    stream = pass.layers.back().output;
  }
  pass.final_norm = layer_norm({}, stream);
  pass.logits = matmul(pass.final_norm, model.w_vocabulary);
  pass.probabilities = softmax(pass.logits);
  return pass;
}

}  // namespace attnlab
