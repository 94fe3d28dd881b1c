// llama2.c's own format: seven int32 and then every weight as float32.
#include "core/error.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::array names{"dim", "hidden_dim", "n_layers", "n_heads", "n_kv_heads", "vocab_size", "seq_len"};
constexpr std::size_t header_numbers = names.size();
constexpr std::size_t place_of_vocabulary = 5;
constexpr std::size_t most_of_any = std::size_t{1} << 24U;

const Text convert_again{"llama2.c の export.py --version 0 で作り直してください",
                         "make it again with llama2.c's export.py --version 0"};

std::int32_t number_at(std::string_view bytes, std::size_t place) {
  return static_cast<std::int32_t>(little_endian(bytes.substr(4 * place, 4)));
}

/// The seven numbers, of the vocabulary without its sign.
std::array<std::size_t, header_numbers> sizes_of(std::string_view bytes, const std::string& file) {
  if (bytes.size() < 4 * header_numbers) {
    refuse_file(file, at_byte(0), text("{} バイトしかありません", "it has only {} bytes", bytes.size()),
                convert_again);
  }
  std::array<std::size_t, header_numbers> sizes{};
  for (std::size_t i = 0; i < header_numbers; ++i) {
    const std::int64_t number = number_at(bytes, i);
    const std::int64_t size = i == place_of_vocabulary ? std::abs(number) : number;
    if (size < 1 || size > static_cast<std::int64_t>(most_of_any)) {
      refuse_file(file, at_byte(4 * i),
                  text("{} が {} です。llama2.c の形式（バージョン 0）では 1 から {} までの数が必要です",
                       "{} is {}; llama2.c's format (version 0) needs a number from 1 to {}", names.at(i),
                       number, most_of_any),
                  {"PyTorch 1.6 より古い .bin なら、torch.save で保存し直してください",
                   "a .bin of PyTorch before 1.6 has to be saved again with torch.save"});
    }
    sizes.at(i) = static_cast<std::size_t>(size);
  }
  return sizes;
}

/// Takes one tensor after another from the bytes behind the header.
struct Llama2cReader {
  const SharedBytes& bytes;
  const std::string& file;
  std::size_t offset = 4 * header_numbers;
  std::vector<StoredTensor> tensors = {};

  void take(const std::string& name, const std::vector<std::size_t>& shape) {
    const std::size_t values = checked_size(shape, largest_shape_size, file, in_array(name));
    const std::size_t left = (bytes.view.size() - offset) / sizeof(float);
    if (values > left) {
      refuse_file(file, at_byte(offset),
                  text("重みが途中で終わっています：残り {} 個、必要なのは {} 個",
                       "the weights end early: {} numbers are left, {} are needed", left, values),
                  convert_again);
    }
    const SharedBytes part = bytes.part(offset, values * sizeof(float));
    tensors.push_back(lying_tensor(name, ElementType::float32, shape, part, offset));
    offset += part.view.size();
  }

  /// One tensor a layer: model.layers.N.NAME.
  void take_layers(const std::string& name, const std::vector<std::size_t>& shape, std::size_t layers) {
    for (std::size_t layer = 0; layer < layers; ++layer)
      take(fmt::format("model.layers.{}.{}.weight", layer, name), shape);
  }
};

}  // namespace

ListedFile list_llama2c(const SharedBytes& bytes, const std::string& file) {
  const auto [width, hidden, layers, heads, kv_heads, vocabulary, positions] = sizes_of(bytes.view, file);
  if (width % heads != 0 || heads % kv_heads != 0 || width / heads % 2 != 0) {
    refuse_file(file, at_byte(0),
                text("dim {}、n_heads {}、n_kv_heads {} が合いません",
                     "dim {}, n_heads {} and n_kv_heads {} do not fit together", width, heads, kv_heads),
                convert_again);
  }
  const bool shares_embedding = number_at(bytes.view, place_of_vocabulary) > 0;
  const std::size_t head_width = width / heads;
  Llama2cReader reader{bytes, file};
  reader.take("model.embed_tokens.weight", {vocabulary, width});
  reader.take_layers("input_layernorm", {width}, layers);
  reader.take_layers("self_attn.q_proj", {width, width}, layers);
  reader.take_layers("self_attn.k_proj", {kv_heads * head_width, width}, layers);
  reader.take_layers("self_attn.v_proj", {kv_heads * head_width, width}, layers);
  reader.take_layers("self_attn.o_proj", {width, width}, layers);
  reader.take_layers("post_attention_layernorm", {width}, layers);
  reader.take_layers("mlp.gate_proj", {hidden, width}, layers);
  reader.take_layers("mlp.down_proj", {width, hidden}, layers);
  reader.take_layers("mlp.up_proj", {hidden, width}, layers);
  reader.take("model.norm.weight", {width});
  reader.take("", {positions, head_width});  // sines and cosines, which are computed here
  reader.tensors.pop_back();
  if (!shares_embedding) reader.take("lm_head.weight", {vocabulary, width});
  if (const std::size_t left = bytes.view.size() - reader.offset; left > 0) {
    refuse_file(file, at_byte(reader.offset),
                text("重みの後に {} バイト余っています", "{} bytes are left over after the weights", left),
                convert_again);
  }
  return {std::move(reader.tensors),
          {{"hidden_size", width},
           {"intermediate_size", hidden},
           {"num_hidden_layers", layers},
           {"num_attention_heads", heads},
           {"num_key_value_heads", kv_heads},
           {"vocab_size", vocabulary},
           {"max_position_embeddings", positions},
           {"tie_word_embeddings", shares_embedding}}};
}

}  // namespace attnlab
