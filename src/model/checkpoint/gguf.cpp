// What a GGUF file says of its model, under Hugging Face's keys.
#include "io/checkpoint_formats.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_factors = std::size_t{1} << 16U;

/// Under Hugging Face's keys.
Config config_of(const GgufFile& header, const std::string& file) {
  const std::string family = word_in(header.values, "general.architecture");
  Config config{{"model_type", "gguf " + family}};
  const auto take = [&](const char* key, const std::string& from) {
    const auto found = header.values.find(family + "." + from);
    if (found != header.values.end() && !found->is_array()) config[key] = *found;
  };
  take("hidden_size", "embedding_length");
  take("num_hidden_layers", "block_count");
  take("intermediate_size", "feed_forward_length");
  take("num_attention_heads", "attention.head_count");
  take("num_key_value_heads", "attention.head_count_kv");
  take("head_dim", "attention.key_length");
  take("rms_norm_eps", "attention.layer_norm_rms_epsilon");
  take("layer_norm_eps", "attention.layer_norm_epsilon");
  take("max_position_embeddings", "context_length");
  take("rope_theta", "rope.freq_base");
  take("sliding_window", "attention.sliding_window");
  take("use_parallel_residual", "use_parallel_residual");
  take("num_experts", "expert_count");
  const auto number = [&](const std::string& key) {
    return number_in(header.values, family + "." + key, file);
  };
  const double heads = number("attention.head_count").value_or(1.0);
  const double width =
      number("attention.key_length").value_or(number("embedding_length").value_or(0) / heads);
  if (const auto turning = number("rope.dimension_count"); turning && width > 0.0)
    config["partial_rotary_factor"] = *turning / width;
  if (const std::string scaling = word_in(header.values, family + ".rope.scaling.type");
      !scaling.empty() && scaling != "none")
    config["rope_scaling"] = {{"type", scaling}, {"factor", number("rope.scaling.factor").value_or(0.0)}};
  config["tie_word_embeddings"] = true;
  for (const StoredTensor& tensor : header.tensors) {
    if (tensor.name == "output.weight") config["tie_word_embeddings"] = false;
    if (tensor.name == "token_embd.weight" && tensor.shape.size() == 2)
      config["vocab_size"] = tensor.shape[0];
    if (tensor.name == "rope_freqs.weight" && size_of(tensor) <= most_factors) {
      const Tensor<double> factors = load<double>(tensor);
      config["rope_factors"] = std::vector<double>(factors.begin(), factors.end());
    }
  }
  return config;
}

}  // namespace

void read_gguf(const std::string& file, Checkpoint& checkpoint) {
  GgufFile header = gguf_file(bytes_of(file), file);
  leave_out(wrapper_of(header.tensors), header.tensors);
  checkpoint.place = file;
  checkpoint.files.push_back(file);
  checkpoint.config = config_of(header, file);
  for (StoredTensor& tensor : header.tensors) {
    if (tensor.name != "rope_freqs.weight") checkpoint.tensors.push_back(std::move(tensor));
  }
  constexpr std::string_view of_tokenizer = "tokenizer.ggml.";
  for (const auto& [key, value] : header.values.items()) {
    if (key.rfind(of_tokenizer, 0) == 0) checkpoint.tokenizer[key.substr(of_tokenizer.size())] = value;
  }
}

}  // namespace attnlab
