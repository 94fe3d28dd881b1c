// What stands beside the weights of a saved model: config.json, or the metadata of a safetensors file.
#pragma once

#include "io/tensor_file.hpp"

namespace attnlab {

struct ModelFacts {
  std::string source;        // "config.json", "metadata"; "" where neither tells of heads
  std::size_t heads = 0;     // 0: not told
  std::size_t kv_heads = 0;  // likewise
};

/// From the file's metadata, else from config.json in its folder, under the names of the Hugging Face models
/// (num_attention_heads, n_head, num_key_value_heads, ...). Throws Error (failed) for a config.json that is
/// no JSON.
ModelFacts model_facts(const TensorFile& file);

}  // namespace attnlab
