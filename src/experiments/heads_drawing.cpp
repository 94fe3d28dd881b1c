// The random numbers of the five documents' multi-head layers: which ones, and in which order.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "attention/matmul.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {
namespace {

/// The article's class: a stream of its own, W_Q, W_K, W_V for all heads, then W_O, all times 0.1.
MultiHeadWeights<double> article_weights(const HeadsRun& run, std::uint32_t seed) {
  const std::size_t width = head_width(run.d_model, run.heads);
  RandomStream random = random_stream(run.rng, seed);
  MultiHeadWeights<double> weights;
  weights.query = random.randn({run.heads, run.d_model, width}) * 0.1;
  weights.key = random.randn({run.heads, run.d_model, width}) * 0.1;
  weights.value = random.randn({run.heads, run.d_model, width}) * 0.1;
  weights.output = random.randn({run.heads * width, run.d_model}) * 0.1;
  return weights;
}

/// Query, key and value are one array.
void take_tokens(HeadsRun& run, const Tensor<double>& x) {
  run.query_input = x;
  run.key_input = x;
  run.value_input = x;
}

void draw_article(HeadsRun& run) {
  run.weights = article_weights(run, run.seed);
  take_tokens(run, random_stream(run.rng, run.seed).randn({run.queries, run.d_model}));
}

/// The listing rounds X to float32 and gives the layer the seed 0.
void draw_parity(HeadsRun& run) {
  run.weights = article_weights(run, 0);
  take_tokens(
      run, Tensor<double>(Tensor<float>(random_stream(run.rng, run.seed).randn({run.queries, run.d_model}))));
  run.float64_output =
      multi_head_attention(run.weights, run.query_input, run.key_input, run.value_input).output;
}

/// (out, in) as nn.Linear keeps it to (heads, in, width).
template <class T>
Tensor<double> per_head(const Tensor<T>& weight, std::size_t heads) {
  return Tensor<double>(split_heads(transpose(weight), heads));
}

/// A bias (heads * width,) to (heads, width).
template <class T>
Tensor<double> bias_per_head(const Tensor<T>& bias, std::size_t heads, std::size_t width) {
  Tensor<double> split(bias);
  split.reshape(std::vector<std::size_t>{heads, width});
  return split;
}

/// One layer below the other, as if they were one nn.Linear: (heads * width, in) and (heads * width,).
TorchLinear stacked(const std::vector<TorchLinear>& layers) {
  const std::size_t width = layers.front().weight.shape()[0];
  const std::size_t in = layers.front().weight.shape()[1];
  TorchLinear all{Tensor<float>::from_shape({layers.size() * width, in}),
                  Tensor<float>::from_shape({layers.size() * width})};
  float* weight = all.weight.data();
  float* bias = all.bias.data();
  for (const TorchLinear& layer : layers) {
    weight = std::copy(layer.weight.begin(), layer.weight.end(), weight);
    bias = std::copy(layer.bias.begin(), layer.bias.end(), bias);
  }
  return all;
}

/// Query, key, value and output projection in PyTorch's layout, to weights per head.
MultiHeadWeights<double> from_torch(const std::vector<TorchLinear>& qkvo, std::size_t heads,
                                    std::size_t width) {
  return {per_head(qkvo[0].weight, heads),           per_head(qkvo[1].weight, heads),
          per_head(qkvo[2].weight, heads),           Tensor<double>(transpose(qkvo[3].weight)),
          bias_per_head(qkvo[0].bias, heads, width), bias_per_head(qkvo[1].bias, heads, width),
          bias_per_head(qkvo[2].bias, heads, width), Tensor<double>(qkvo[3].bias)};
}

/// Textbook code 2.2.10 and 2.2.11, with heads * d_v inputs of the output layer: the model is drawn first,
/// head after head, then query, key and value.
void draw_book(HeadsRun& run, std::size_t batch) {
  const std::size_t width = head_width(run.d_model, run.heads);
  TorchRandom random(run.seed);
  std::vector<TorchLinear> query;
  std::vector<TorchLinear> key;
  std::vector<TorchLinear> value;
  for (std::size_t head = 0; head < run.heads; ++head) {
    query.push_back(random.linear(run.d_model, width));
    key.push_back(random.linear(run.d_model, width));
    value.push_back(random.linear(run.d_model, width));
  }
  const TorchLinear output = random.linear(run.heads * width, run.d_model);
  run.weights = from_torch({stacked(query), stacked(key), stacked(value), output}, run.heads, width);
  run.query_input = random.randn({batch, run.queries, run.d_model});
  run.key_input = random.randn({batch, run.keys, run.d_model});
  run.value_input = random.randn({batch, run.keys, run.d_model});
}

/// The notebook: x first, then W_q, W_k, W_v, W_o.
void draw_notebook(HeadsRun& run, std::size_t batch) {
  const std::size_t width = head_width(run.d_model, run.heads);
  TorchRandom random(run.seed);
  take_tokens(run, Tensor<double>(random.randn({batch, run.queries, run.d_model})));
  std::vector<TorchLinear> qkvo(4);
  for (TorchLinear& layer : qkvo) layer = random.linear(run.d_model, run.d_model);
  run.weights = from_torch(qkvo, run.heads, width);
}

/// (1, heads, length, length): head h reads a token and the h + 1 tokens before it, so that every head has a
/// mask of its own.
Tensor<double> look_back_mask(std::size_t heads, std::size_t length) {
  Tensor<double> mask({1, heads, length, length}, -std::numeric_limits<double>::infinity());
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t query = 0; query < length; ++query) {
      const std::size_t first = query > head + 1 ? query - head - 1 : 0;
      for (std::size_t key = first; key <= query; ++key) mask(0, head, query, key) = 0.0;
    }
  }
  return mask;
}

/// Course, task 2: x (N, L, E), then W_Q, W_K, W_V (H D, E) and W_O (E, H D), each over sqrt(E), no bias.
void draw_course(HeadsRun& run, std::size_t batch) {
  head_width(run.d_model, run.heads);
  RandomStream random = random_stream(run.rng, run.seed);
  take_tokens(run, random.randn({batch, run.queries, run.d_model}));
  const double size = std::sqrt(static_cast<double>(run.d_model));
  const auto draw = [&] { return Tensor<double>(random.randn({run.d_model, run.d_model}) / size); };
  run.weights.query = per_head(draw(), run.heads);
  run.weights.key = per_head(draw(), run.heads);
  run.weights.value = per_head(draw(), run.heads);
  run.weights.output = transpose(draw());
  run.options.mask = look_back_mask(run.heads, run.queries);
}

}  // namespace

void draw_heads(HeadsRun& run, std::size_t batch) {
  switch (run.variant) {
    case HeadsVariant::article:
      return draw_article(run);
    case HeadsVariant::parity:
      return draw_parity(run);
    case HeadsVariant::book:
      return draw_book(run, batch);
    case HeadsVariant::course:
      return draw_course(run, batch);
    case HeadsVariant::notebook:
      return draw_notebook(run, batch);
  }
}

}  // namespace attnlab
