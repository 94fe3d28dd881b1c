// What trainings save of their model's configuration: nanoGPT's and llama2.c's .pt, llama2.c's .bin.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"
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

/// Of arguments of another training, or of none beside nanoGPT's names. Returns where config.json may tell.
void refuse_arguments(const Config& arguments, const Checkpoint& checkpoint) {
  const bool has_names =
      std::any_of(checkpoint.tensors.begin(), checkpoint.tensors.end(),
                  [](const StoredTensor& tensor) { return tensor.name == "transformer.wte.weight"; });
  std::vector<std::string> keys;
  for (const auto& [key, value] : arguments.items()) keys.push_back(printable(key));
  if (!arguments.is_null()) {
    refuse_file(
        checkpoint.files.back(),
        text("\"model_args\" に nanoGPT の n_embd も llama2.c の dim もありません（あるのは {}）",
             "its \"model_args\" have neither n_embd, as nanoGPT's, nor dim, as llama2.c's; they are {}",
             joined(keys, ", ")),
        text("この 2 つと違う構造のモデルは計算できません{}",
             "models of another architecture cannot be computed here{}", or_one_layer(checkpoint)));
  }
  if (!has_names || is_file(std::filesystem::path(checkpoint.files.back()).parent_path() / "config.json"))
    return;
  refuse_file(
      checkpoint.files.back(),
      {"nanoGPT の名前のテンソルがありますが、\"model_args\" がありません",
       "its tensors have nanoGPT's names, but there is no \"model_args\" beside them"},
      {"torch.save({'model': model.state_dict(), 'model_args': dict(n_layer=..., n_head=..., n_embd=..., "
       "block_size=..., vocab_size=..., bias=...)}, ...) で保存してください",
       "save it as torch.save({'model': model.state_dict(), 'model_args': dict(n_layer=..., n_head=..., "
       "n_embd=..., block_size=..., vocab_size=..., bias=...)}, ...)"});
}

}  // namespace

void read_pytorch(const std::string& file, Checkpoint& checkpoint) {
  ListedFile found = list_pytorch(bytes_of(file), file);
  checkpoint.files.push_back(file);
  take_tensors(std::move(found.tensors), checkpoint);
  const bool is_known = found.values.contains("n_embd") || found.values.contains("dim");
  if (found.values.is_null() || !is_known) return refuse_arguments(found.values, checkpoint);
  checkpoint.config = config_of_arguments(std::move(found.values), checkpoint.tensors);
  checkpoint.place = file;
}

void read_llama2c(const std::string& file, Checkpoint& checkpoint) {
  ListedFile found = list_llama2c(bytes_of(file), file);
  checkpoint.place = file;
  checkpoint.files.push_back(file);
  checkpoint.tensors = std::move(found.tensors);
  checkpoint.config = {{"model_type", "llama2.c"}, {"rms_norm_eps", 1e-5}, {"hidden_act", "silu"}};
  checkpoint.config.update(found.values);
}

}  // namespace attnlab
