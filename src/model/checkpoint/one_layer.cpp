// Of a model that cannot be computed here, a layer of attention can: the command to type.
#include "core/utf8.hpp"
#include "io/model_facts.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

/// "model.layers.0.self_attn" of "model.layers.0.self_attn.q_proj.weight": what leads to the first word about
/// attention of a layer; of llama.cpp's "blk.0.attn_q.weight" the layer. "" where no word is.
std::string layer_of_attention(const std::string& name) {
  std::size_t begin = 0;
  for (std::size_t end = name.find('.'); end != std::string::npos; end = name.find('.', begin)) {
    const std::string word = lower_case(name.substr(begin, end - begin));
    const bool is_norm = word.find("norm") != std::string::npos || word.find("ln") != std::string::npos;
    if (word.rfind("attn_", 0) == 0 && begin > 0 && !is_norm) return name.substr(0, begin - 1);
    const bool is_attention =
        word.find("attention") != std::string::npos || word.find("attn") != std::string::npos;
    if (is_attention && !is_norm) return name.substr(0, end);
    begin = end + 1;
  }
  return "";
}

/// As a shell takes it, at any length.
std::string typed(const std::string& words) {
  std::string text = "'";
  for (const char letter : words) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return printable(text + "'");
}

/// Of layer 0, which is said by a number in the name.
bool is_of_first_layer(const std::string& prefix) {
  const std::size_t digit = prefix.find_first_of("0123456789");
  return digit != std::string::npos && prefix[digit] == '0';
}

/// As MPT's configuration and those of its kin say it.
bool has_linear_biases(const Config& config) {
  const auto nested = config.find("attn_config");
  return truth_in(config, "alibi", false) || word_in(config, "position_embedding_type") == "alibi" ||
         (nested != config.end() && nested->is_object() && truth_in(*nested, "alibi", false));
}

}  // namespace

Text or_one_layer(const Checkpoint& checkpoint) {
  const StoredTensor* layer = nullptr;
  std::string prefix;
  for (const StoredTensor& tensor : checkpoint.tensors) {
    const std::string found = layer_of_attention(tensor.name);
    if (found.empty() || !is_of_first_layer(found) || (layer != nullptr && found.size() >= prefix.size()))
      continue;
    layer = &tensor;
    prefix = found;
  }
  if (layer == nullptr || checkpoint.files.empty()) return Text::none();
  const std::string& whole = is_file(checkpoint.name) ? checkpoint.name : checkpoint.files.back();
  const std::string& file = layer->file.empty() ? whole : layer->file;
  std::string command = fmt::format("attnlab attend --x x.npy --projections {}", typed(file + ":" + prefix));
  const ModelFacts facts = facts_in(checkpoint.config);
  if (facts.heads > 0) command += fmt::format(" --heads {}", facts.heads);
  if (facts.kv_heads > 0 && facts.kv_heads != facts.heads)
    command += fmt::format(" --kv-heads {}", facts.kv_heads);
  const auto classes = checkpoint.config.find("architectures");
  if (classes != checkpoint.config.end() &&
      classes->dump(-1, ' ', true, Config::error_handler_t::replace).find("CausalLM") != std::string::npos)
    command += " --mask causal";
  if (has_linear_biases(checkpoint.config)) command += " --bias alibi";
  return text("。アテンションの 1 層だけなら計算できます（x.npy は層に入るトークン）：{}",
              "; one of its layers of attention can be: {} (x.npy: the tokens that enter it)", command);
}

}  // namespace attnlab
