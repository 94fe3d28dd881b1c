// What a GGUF file says of its model, under Hugging Face's keys.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_factors = std::size_t{1} << 16U;

/// What the file says of its family, without the family's name; a list of equal numbers, one a layer, is that
/// number.
Config values_of(const ListedFile& header, const std::string& family) {
  Config values = Config::object();
  for (const auto& [key, value] : header.values.items()) {
    if (key.rfind(family + ".", 0) != 0) continue;
    const bool is_list = value.is_array() && !value.empty();
    const bool is_one =
        is_list && std::adjacent_find(value.begin(), value.end(), std::not_equal_to<>()) == value.end();
    values[key.substr(family.size() + 1)] = is_one ? value.front() : value;
  }
  return values;
}

/// Frequencies of rotary positions that are slowed down. Without a type llama.cpp takes the factor as linear,
/// under its old name, too; 0 is none.
Config rescaling_of(const Config& values, const std::string& file) {
  const std::string type = word_in(values, "rope.scaling.type");
  const double old = number_in(values, "rope.scale_linear", file).value_or(0.0);
  const double factor = number_in(values, "rope.scaling.factor", file).value_or(old);
  if (type == "none" || (type.empty() && factor == 0.0)) return {};
  return {{"type", type.empty() ? "linear" : type},
          {"factor", factor == 0.0 ? 1.0 : factor},
          {"original_max_position_embeddings",
           number_in(values, "rope.scaling.original_context_length", file).value_or(0.0)}};
}

/// Under Hugging Face's keys; what has none keeps its name.
Config config_of(const ListedFile& header, const std::string& file) {
  const std::string family = word_in(header.values, "general.architecture");
  Config config{{"model_type", "gguf " + family}};
  Config values = values_of(header, family);
  const auto number = [&](const std::string& key) {
    return values.contains(key) && values[key].is_array() ? std::nullopt : number_in(values, key, file);
  };
  const double heads = number("attention.head_count").value_or(1.0);
  const double width =
      number("attention.key_length").value_or(number("embedding_length").value_or(0) / heads);
  if (const auto turning = number("rope.dimension_count"); turning && width > 0.0)
    config["partial_rotary_factor"] = *turning / width;
  config["rope_scaling"] = rescaling_of(values, file);
  if (number("attention.value_length") == width) values.erase("attention.value_length");
  const bool scales_as_usual =
      std::abs(number("attention.scale").value_or(0.0) * std::sqrt(width) - 1.0) < 1e-6;
  if (scales_as_usual) values.erase("attention.scale");
  constexpr std::array<std::pair<const char*, const char*>, 14> names{{
      {"hidden_size", "embedding_length"},
      {"num_hidden_layers", "block_count"},
      {"intermediate_size", "feed_forward_length"},
      {"num_attention_heads", "attention.head_count"},
      {"num_key_value_heads", "attention.head_count_kv"},
      {"head_dim", "attention.key_length"},
      {"rms_norm_eps", "attention.layer_norm_rms_epsilon"},
      {"layer_norm_eps", "attention.layer_norm_epsilon"},
      {"max_position_embeddings", "context_length"},
      {"rope_theta", "rope.freq_base"},
      {"sliding_window", "attention.sliding_window"},
      {"is_causal", "attention.causal"},
      {"use_parallel_residual", "use_parallel_residual"},
      {"num_experts", "expert_count"},
  }};
  for (const auto& [key, from] : names) {
    if (!values.contains(from) || values[from].is_array()) continue;
    config[key] = values[from];
    values.erase(from);
  }
  for (const auto& [key, value] : values.items()) config[fmt::format("{}.{}", family, key)] = value;
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

/// "m-00002-of-00003.gguf" of the part of that number, as llama.cpp's gguf-split names them; "" beside a file
/// that is not called so.
std::string name_of_part(const std::string& file, std::uint64_t part, std::uint64_t count) {
  constexpr std::size_t length = std::string_view("-00001-of-00002.gguf").size();
  if (file.size() < length) return "";
  const std::string stem = file.substr(0, file.size() - length);
  const std::string end = file.substr(stem.size());
  const bool is_part = end[0] == '-' && end.substr(6) == fmt::format("-of-{:05}.gguf", count);
  return is_part ? fmt::format("{}-{:05}-of-{:05}.gguf", stem, part, count) : "";
}

/// The file, of a split one with the tensors of all of its parts.
ListedFile whole_gguf(const std::string& file, std::vector<std::string>& files) {
  ListedFile whole = list_gguf(bytes_of(file), file);
  const std::size_t count = whole_number_in(whole.values, "split.count", file).value_or(0);
  if (count < 2) {
    files.push_back(file);
    return whole;
  }
  const std::size_t tensors = whole_number_in(whole.values, "split.tensors.count", file).value_or(0);
  whole.tensors.clear();
  for (std::size_t part = 1; part <= count; ++part) {
    const std::string path = name_of_part(file, part, count);
    if (path.empty() || !is_file(path)) {
      const std::string wanted = path.empty() ? fmt::format("NAME-{:05}-of-{:05}.gguf", part, count) : path;
      refuse_file(file,
                  text("{} 個に分けたモデルの 1 つで、{} がありません",
                       "it is one of {} parts of a model, and {} is missing", count,
                       quotation(std::filesystem::path(wanted).filename().string())),
                  {"すべてを元の名前で同じフォルダーに置いてください",
                   "put all parts into one folder, under their own names"});
    }
    files.push_back(path);
    ListedFile one = list_gguf(bytes_of(path), path);
    if (part == 1) whole.values = one.values;
    std::move(one.tensors.begin(), one.tensors.end(), std::back_inserter(whole.tensors));
  }
  if (tensors == 0 || tensors == whole.tensors.size()) return whole;
  refuse_file(file,
              text("{} 個の部分にテンソルが {} 個ありますが、{} 個のはずです",
                   "its {} parts hold {} tensors; they should be {}", count, whole.tensors.size(), tensors),
              {"同じモデルの部分を揃えてください", "use the parts of one model"});
}

}  // namespace

void read_gguf(const std::string& file, Checkpoint& checkpoint) {
  ListedFile header = whole_gguf(file, checkpoint.files);
  leave_out(wrapper_of(header.tensors), header.tensors);
  checkpoint.place = file;
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
