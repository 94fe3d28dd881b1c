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
};

/// A folder as Hugging Face's libraries save it (config.json, and model.safetensors whole or in shards), or
/// one file: .safetensors with config.json beside it, llama2.c's .bin; or a model that attnlab trained, saved
/// or coming along ("text"). Nothing is copied: tensors lie where they are until they are used. Throws Error
/// (failed) naming the file, what it holds and what is needed; Error (usage) where there is no model.
Checkpoint open_checkpoint(const std::string& path);

/// Whether a file lies there.
bool is_file(const std::filesystem::path& path);

// --- One reader per format

/// The tensors of a file in safetensors; of an index, those of all its shards.
std::vector<StoredTensor> safetensors_of(const std::string& file, std::vector<std::string>& files);
std::vector<StoredTensor> sharded_safetensors(const std::string& index, std::vector<std::string>& files);

/// llama2.c's first format: seven int32, then float32 (github.com/karpathy/llama2.c, export.py,
/// legacy_export). Tensors get Llama's names of Hugging Face.
void read_llama2c(const std::string& file, Checkpoint& checkpoint);

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
