// A model on disk: what its configuration says, its tensors by name, and where its tokenizer stands.
#pragma once

#include <nlohmann/json.hpp>

#include "io/tensor_file.hpp"

namespace attnlab {

using Config = nlohmann::json;

struct Checkpoint {   // NOLINT(bugprone-exception-escape): that of moving JSON
  std::string name;   // as it was typed
  std::string place;  // what messages call its configuration: "dir/config.json"
  Config config;      // under Hugging Face's keys, whatever the format
  std::vector<StoredTensor> tensors;
  std::vector<std::string> files = {};  // that were opened
  std::vector<std::string> words = {};  // of a model that attnlab trained: its vocabulary
  Config tokenizer = {};                // of a GGUF file: its values tokenizer.ggml.*
};

/// A folder as Hugging Face's libraries save it (config.json, and model.safetensors or pytorch_model.bin,
/// whole or in shards), or one file: .safetensors, .pt, .pth or .bin of PyTorch with config.json beside it, a
/// training's own .pt (nanoGPT, llama2.c), llama2.c's .bin, .gguf; or a model that attnlab trained, saved or
/// coming along ("text"). Nothing is copied: tensors lie where they are until they are used. Throws Error
/// (failed) naming the file, what it holds and what is needed; Error (usage) where there is no model.
Checkpoint open_checkpoint(const std::string& path);

/// Whether a file lies there.
bool is_file(const std::filesystem::path& path);

// --- One reader per format

/// The tensors that torch.save wrote: a dictionary of them, or that under "model". Nothing in the file is
/// run.
std::vector<StoredTensor> pytorch_tensors(const std::string& file, std::vector<std::string>& files);

/// The same, and of what nanoGPT or llama2.c saved while training the configuration, "model_args"; else it
/// stays null.
void read_pytorch(const std::string& file, Checkpoint& checkpoint);

/// llama2.c's first format: seven int32, then float32 (github.com/karpathy/llama2.c, export.py,
/// legacy_export). Tensors get Llama's names of Hugging Face.
void read_llama2c(const std::string& file, Checkpoint& checkpoint);

/// llama.cpp's format, version 2 and 3: float32, float16, bfloat16, and packed Q8_0, Q4_0, Q5_0, Q4_K, Q5_K,
/// Q6_K. Source: ggml's docs/gguf.md.
void read_gguf(const std::string& file, Checkpoint& checkpoint);

/// A configuration, a tokenizer, an index: JSON of a bounded size. Throws Error (failed) for what is none.
Config json_of_file(const std::string& file);

/// What a key of it holds. Throws Error (failed) naming the file, the key, what stands there and what is
/// needed.
std::optional<std::size_t> whole_number_in(const Config& config, const std::string& key,
                                           const std::string& place);
std::optional<double> number_in(const Config& config, const std::string& key, const std::string& place);
bool truth_in(const Config& config, const std::string& key, bool otherwise);
std::string word_in(const Config& config, const std::string& key);

}  // namespace attnlab
