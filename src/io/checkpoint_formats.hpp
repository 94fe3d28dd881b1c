// Formats of whole models: their tensors by name, and what the file says of the model beside them. The bytes
// are never trusted; all throw Error (failed) that names the file, the place, what was found and what is
// needed.
#pragma once

#include <nlohmann/json.hpp>

#include "io/stored_tensor.hpp"

namespace attnlab {

/// What torch.save wrote: a tensor, a dictionary of tensors, that under "model", or dictionaries of them.
/// What stands beside tensors is foreign. Nothing in the file is run.
struct PytorchFile {
  std::vector<StoredTensor> tensors;
  nlohmann::json arguments = {};  // what nanoGPT and llama2.c save as "model_args"; null without
};
PytorchFile pytorch_file(const SharedBytes& bytes, const std::string& file);

/// llama.cpp's format, version 2 and 3: float32, float16, bfloat16, float64, integers, and packed Q8_0, Q4_0,
/// Q5_0, Q4_K, Q5_K, Q6_K; what is packed in another way is foreign. Source: ggml's docs/gguf.md.
struct GgufFile {
  std::vector<StoredTensor> tensors;
  nlohmann::json values = nlohmann::json::object();
};
GgufFile gguf_file(const SharedBytes& bytes, const std::string& file);

/// llama2.c's first format: seven int32, then float32 (github.com/karpathy/llama2.c, export.py,
/// legacy_export). Tensors get Llama's names of Hugging Face.
struct Llama2cFile {
  std::size_t width = 0;
  std::size_t hidden = 0;
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t vocabulary = 0;
  std::size_t positions = 0;
  bool shares_embedding = true;  // the sign of the vocabulary
  std::vector<StoredTensor> tensors = {};
};
Llama2cFile llama2c_file(const SharedBytes& bytes, const std::string& file);

}  // namespace attnlab
