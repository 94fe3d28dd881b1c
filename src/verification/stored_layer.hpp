// The Transformer layer of data/reference/attention/transformer_layer.json.
#pragma once

#include "attention/transformer_layer.hpp"

namespace attnlab {

/// read("w_q") gives the stored tensor of that name.
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
