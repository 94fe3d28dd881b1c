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
  std::string wrapper = {};             // left out before all of their names: "_orig_mod."
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

/// The tensors, without what stands before all of their names (wrapper_of).
void take_tensors(std::vector<StoredTensor> tensors, Checkpoint& checkpoint);

/// "; one of its layers of attention can be: attnlab attend --x ...", as far as names and configuration tell;
/// nothing where no name speaks of attention.
Text or_one_layer(const Checkpoint& checkpoint);

// --- One reader per format (io/formats.hpp), and its configuration under Hugging Face's keys

/// Of what nanoGPT or llama2.c saved while training; of other dictionaries the configuration stays null.
void read_pytorch(const std::string& file, Checkpoint& checkpoint);

/// llama2.c's .bin.
void read_llama2c(const std::string& file, Checkpoint& checkpoint);

void read_gguf(const std::string& file, Checkpoint& checkpoint);

/// A configuration, a tokenizer, an index: JSON of a bounded size. Throws Error (failed) for what is none.
Config json_of_file(const std::string& file);

/// What to do about a damaged file: "get the original config.json again".
Text get_again(const std::string& file);
inline const Text get_original_again{"元のファイルをもう一度入手してください", "get the original file again"};

/// What a key of it holds. Throws Error (failed) naming the file, the key, what stands there and what is
/// needed.
std::optional<std::size_t> whole_number_in(const Config& config, const std::string& key,
                                           const std::string& place);
std::optional<double> number_in(const Config& config, const std::string& key, const std::string& place);
bool truth_in(const Config& config, const std::string& key, bool otherwise);
std::string word_in(const Config& config, const std::string& key);
enum class ConfigKind { truth, word, object };
void check_kind(const Config& config, const std::string& key, ConfigKind needed, const std::string& place);

}  // namespace attnlab
