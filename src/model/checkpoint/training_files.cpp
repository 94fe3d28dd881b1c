// What trainings save of their model's configuration: nanoGPT's and llama2.c's .pt, llama2.c's .bin.
#include "io/checkpoint_formats.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

/// Under Hugging Face's keys, what nanoGPT (model.py, GPTConfig) and llama2.c (model.py, ModelArgs) save.
Config config_of_arguments(Config arguments, const std::vector<StoredTensor>& tensors) {
  const bool is_nanogpt = arguments.contains("n_embd");
  arguments["model_type"] = is_nanogpt ? "nanogpt" : "llama-meta";
  const char* const positions = is_nanogpt ? "block_size" : "max_seq_len";
  if (arguments.contains(positions)) arguments["max_position_embeddings"] = arguments[positions];
  if (is_nanogpt) return arguments;
  if (arguments.contains("n_kv_heads")) arguments["num_key_value_heads"] = arguments["n_kv_heads"];
  arguments["rms_norm_eps"] = arguments.value("norm_eps", Config(1e-5));
  arguments["tie_word_embeddings"] = true;
  for (const StoredTensor& tensor : tensors) {
    const bool is_plane = tensor.shape.size() == 2;
    if (is_plane && tensor.name == "layers.0.feed_forward.w1.weight")
      arguments["intermediate_size"] = tensor.shape[0];
    if (is_plane && tensor.name == "tok_embeddings.weight") arguments["vocab_size"] = tensor.shape[0];
  }
  return arguments;
}

}  // namespace

void read_pytorch(const std::string& file, Checkpoint& checkpoint) {
  PytorchFile found = pytorch_file(bytes_of(file), file);
  checkpoint.files.push_back(file);
  take_tensors(std::move(found.tensors), checkpoint);
  if (found.arguments.is_null()) return;
  checkpoint.config = config_of_arguments(std::move(found.arguments), checkpoint.tensors);
  checkpoint.place = file;
}

void read_llama2c(const std::string& file, Checkpoint& checkpoint) {
  Llama2cFile found = llama2c_file(bytes_of(file), file);
  checkpoint.place = file;
  checkpoint.files.push_back(file);
  checkpoint.tensors = std::move(found.tensors);
  checkpoint.config = {{"model_type", "llama2.c"},
                       {"hidden_size", found.width},
                       {"intermediate_size", found.hidden},
                       {"num_hidden_layers", found.layers},
                       {"num_attention_heads", found.heads},
                       {"num_key_value_heads", found.kv_heads},
                       {"vocab_size", found.vocabulary},
                       {"max_position_embeddings", found.positions},
                       {"rms_norm_eps", 1e-5},
                       {"hidden_act", "silu"},
                       {"tie_word_embeddings", found.shares_embedding}};
}

}  // namespace attnlab
