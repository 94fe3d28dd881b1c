// Functions and layers against NumPy's and PyTorch's results, as data/reference stores them.
#pragma once

#include "attention/additive.hpp"
#include "attention/transformer_layer.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {

// The checks of one file of data/reference; those that take it throw where it is not as they read it.

/// Chosen by its path; a file that nobody reads fails, so that none is forgotten.
Checks check_functions(const std::string& path, const Json& file);

/// One check per case, type and stage; the subject is "linear float32". Layers that throw fail.
Checks check_layers(const Json& file);

/// training/gradients.json and losses.json: PyTorch's autograd, and 100 steps of its AdamW.
/// (training_checks.cpp)
Checks check_training(const std::string& path, const Json& file);

/// Every case of attend/TOPIC.json through the flags and weights that users of `attend` give it: in float64
/// and float32, with weights kept and streamed, each stored stage and every invariant of the run. Cases that
/// throw fail. (attend_checks.cpp)
Checks check_attend(const std::string& topic, const Json& file);

// --- Random numbers (random_checks.cpp)

/// random/numpy_random.json: the first numbers of each stream, and a million more by checksum.
Checks check_numpy_random(const Json& file);

/// random/torch_random.json: rand exactly, randn within the accuracy of PyTorch's own log, cos and sin, and
/// the parameters of nn.Linear.
Checks check_torch_random(const Json& file);

/// A million random numbers in one line, as in data/reference/make_attention_reference.py: sum of (2 i + 1) ·
/// (bits of value i), modulo 2^64.
template <class Draw>
std::string checksum_of_million(Draw draw) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const double value = draw();
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    sum += (2 * i + 1) * bits;
  }
  return fmt::format("{:016x}", sum);
}

// --- The stages of a layer by their names, as the reference files store them

template <class T>
NamedTensors<T> named(const AttentionStages<T>& stages) {
  return {{"raw_scores", stages.raw_scores},
          {"scores", stages.scores},
          {"masked", stages.masked},
          {"weights", stages.weights},
          {"output", stages.output}};
}

template <class T>
NamedTensors<T> named(const AdditiveStages<T>& stages) {
  return {{"hidden", stages.hidden},
          {"scores", stages.scores},
          {"weights", stages.weights},
          {"output", stages.output}};
}

template <class T>
NamedTensors<T> named(const FeedForwardStages<T>& stages) {
  return {{"hidden", stages.hidden}, {"activated", stages.activated}, {"output", stages.output}};
}

template <class T>
NamedTensors<T> named(const TransformerLayerStages<T>& stages) {
  return {{"scores", stages.attention.attention.scores},
          {"weights", stages.attention.attention.weights},
          {"attention", stages.attention.output},
          {"hidden", stages.mlp.hidden},
          {"mlp", stages.mlp.output},
          {"residual_1", stages.residual_1},
          {"norm_1", stages.norm_1},
          {"residual_2", stages.residual_2},
          {"norm_2", stages.norm_2},
          {"output", stages.output}};
}

// --- The parts of a case, as make_layers_reference.py and make_attention_reference.py write it

/// RandomState(seed).randn(shape) · times for each input, in their order. Drawn in double and, for float,
/// rounded once.
template <class T>
NamedTensors<T> draw_inputs(const Json& layer_case);

/// The Transformer layer of attention/transformer_layer.json; read("w_q") gives the tensor of that name.
template <class T, class Read>
TransformerLayer<T> stored_layer(Read read) {
  TransformerLayer<T> layer;
  layer.attention = {read("w_q"), read("w_k"), read("w_v"), read("w_o"),
                     read("b_q"), read("b_k"), read("b_v"), read("b_o")};
  layer.mlp = {{read("w_1"), read("b_1")}, {read("w_2"), read("b_2")}};
  layer.attention_norm.gain = read("gain_1");
  layer.attention_norm.bias = read("bias_1");
  layer.mlp_norm.gain = read("gain_2");
  layer.mlp_norm.bias = read("bias_2");
  return layer;
}

}  // namespace attnlab
