// What stands beside the weights of a saved model: config.json, or the metadata of a safetensors file.
#pragma once

#include <nlohmann/json.hpp>

#include "io/rotary_config.hpp"
#include "io/tensor_file.hpp"

namespace attnlab {

/// What stands beside the weights of rotary positions.
struct RotaryFacts {
  std::string source = "config.json";  // or "metadata"
  std::string model;                   // its model_type
  bool recorded = false;               // whether anything of them stands there, whatever the model
  std::optional<double> base;          // rope_theta
  std::size_t width = 0;               // of each head that turns; 0: not told
  double part = 0.0;                   // likewise, as a share of the head
  RotaryScaling scaling = {};          // rope_scaling
  std::string rescaled;                // what makes it a rotation that is not known: "rope_scaling (mrope)"
};

struct ModelFacts {
  std::string source;        // "config.json", "metadata"; "" where neither tells of heads
  std::size_t heads = 0;     // 0: not told
  std::size_t kv_heads = 0;  // likewise
  RotaryFacts rotary;
};

/// Heads from the file's metadata, else from config.json in its folder, which tells of rotary positions, too
/// (of attnlab's own models their metadata do), under the names of the Hugging Face models
/// (num_attention_heads, n_head, rope_theta, ...). Throws Error (failed) for a config.json that is no JSON.
ModelFacts model_facts(const TensorFile& file);

/// From a config.json alone.
ModelFacts facts_in(const nlohmann::json& config);

}  // namespace attnlab
