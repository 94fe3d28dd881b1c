// Formats of whole models: their tensors by name, and what the file says of the model beside them. The bytes
// are never trusted; all throw Error (failed) that names the file, the place, what was found and what is
// needed.
#pragma once

#include <nlohmann/json.hpp>

#include "io/stored_tensor.hpp"

namespace attnlab {

/// Its tensors, and what it says of the model.
struct ModelFile {
  std::vector<StoredTensor> tensors = {};
  nlohmann::json values = {};
};

/// What torch.save wrote: a tensor, a dictionary of tensors, that under "model", or dictionaries of them.
/// What stands beside tensors is foreign; the values are those that nanoGPT and llama2.c save as
/// "model_args", null without. Nothing in the file is run.
ModelFile pytorch_file(const SharedBytes& bytes, const std::string& file);

/// llama.cpp's format, version 2 and 3: float32, float16, bfloat16, float64, integers, and packed Q8_0, Q4_0,
/// Q5_0, Q4_K, Q5_K, Q6_K; what is packed in another way is foreign. Source: ggml's docs/gguf.md.
ModelFile gguf_file(const SharedBytes& bytes, const std::string& file);

/// llama2.c's first format: seven int32, then float32 (github.com/karpathy/llama2.c, export.py,
/// legacy_export). Tensors and values get Llama's names of Hugging Face.
ModelFile llama2c_file(const SharedBytes& bytes, const std::string& file);

}  // namespace attnlab
