// The names of saved weights: every family that is known, one layer among several, and what is missing.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "attend/projections.hpp"
#include "attending.hpp"

namespace attnlab {
namespace {

using Names = std::vector<std::string>;

/// The name that plays the role, with ".T" behind it where it is stored (out, in).
using Roles = std::map<WeightRole, std::string>;

Roles roles(const Names& names, const std::string& prefix = "") {
  Roles found;
  const FoundLayer layer = find_layer(names, prefix);
  const char* turned = layer.convention->layout == StoredLayout::out_in ? ".T" : "";
  for (const FoundWeight& weight : layer.weights) {
    const bool is_matrix = weight.role <= WeightRole::joint;
    found[weight.role] = names.at(weight.places.front()) + (is_matrix ? turned : "");
  }
  return found;
}

std::string refusal(const Names& names, const std::string& prefix = "") {
  return message_of(ErrorKind::failed, [&] { find_layer(names, prefix); });
}

}  // namespace

TEST_CASE("the textbook's names and our own, in capitals or not") {
  for (const Names& names :
       {Names{"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"},
        Names{"Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"},
        Names{"w_query", "w_key", "w_value", "w_output", "bias_query", "bias_key", "bias_value",
              "bias_output"},
        Names{"W_query", "W_key", "W_value", "W_output", "b_query", "b_key", "b_value", "b_output"}}) {
    INFO(names[0]);
    CHECK(roles(names) == Roles{{WeightRole::query, names[0]},
                                {WeightRole::key, names[1]},
                                {WeightRole::value, names[2]},
                                {WeightRole::output, names[3]},
                                {WeightRole::query_bias, names[4]},
                                {WeightRole::key_bias, names[5]},
                                {WeightRole::value_bias, names[6]},
                                {WeightRole::output_bias, names[7]}});
  }
}

// torch.nn.MultiheadAttention, attributes of the module; with kdim or vdim the weights are separate.
TEST_CASE("PyTorch's MultiheadAttention is stored (out, in), fused or with widths of its own") {
  CHECK(roles({"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}) ==
        Roles{{WeightRole::joint, "in_proj_weight.T"},
              {WeightRole::joint_bias, "in_proj_bias"},
              {WeightRole::output, "out_proj.weight.T"},
              {WeightRole::output_bias, "out_proj.bias"}});
  CHECK(roles({"q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias", "out_proj.weight"}) ==
        Roles{{WeightRole::query, "q_proj_weight.T"},
              {WeightRole::key, "k_proj_weight.T"},
              {WeightRole::value, "v_proj_weight.T"},
              {WeightRole::joint_bias, "in_proj_bias"},
              {WeightRole::output, "out_proj.weight.T"}});
}

TEST_CASE("LLaMA's projections are stored (out, in)") {
  const std::string layer = "model.layers.3.self_attn.";
  CHECK(roles({"model.layers.3.mlp.down_proj.weight", layer + "k_proj.weight", layer + "o_proj.weight",
               layer + "q_proj.weight", layer + "v_proj.weight", layer + "q_proj.bias"}) ==
        Roles{{WeightRole::query, layer + "q_proj.weight.T"},
              {WeightRole::key, layer + "k_proj.weight.T"},
              {WeightRole::value, layer + "v_proj.weight.T"},
              {WeightRole::output, layer + "o_proj.weight.T"},
              {WeightRole::query_bias, layer + "q_proj.bias"}});
}

TEST_CASE("BERT's output projection is that of its attention, not of the feed-forward part") {
  const std::string own = "attention.self.";
  Names names{"attention.output.dense.bias",
              "attention.output.dense.weight",
              own + "key.bias",
              own + "key.weight",
              own + "query.bias",
              own + "query.weight",
              own + "value.bias",
              own + "value.weight",
              "intermediate.dense.weight",
              "output.dense.bias",
              "output.dense.weight"};
  const Roles expected{{WeightRole::query, own + "query.weight.T"},
                       {WeightRole::key, own + "key.weight.T"},
                       {WeightRole::value, own + "value.weight.T"},
                       {WeightRole::query_bias, own + "query.bias"},
                       {WeightRole::key_bias, own + "key.bias"},
                       {WeightRole::value_bias, own + "value.bias"},
                       {WeightRole::output, "attention.output.dense.weight.T"},
                       {WeightRole::output_bias, "attention.output.dense.bias"}};
  CHECK(roles(names) == expected);
  std::reverse(names.begin(), names.end());  // the order of a file says nothing
  CHECK(roles(names) == expected);
}

TEST_CASE("GPT-2's fused projection is stored (in, out), ViT's (out, in)") {
  const Roles gpt{{WeightRole::joint, "h.0.attn.c_attn.weight"},
                  {WeightRole::joint_bias, "h.0.attn.c_attn.bias"},
                  {WeightRole::output, "h.0.attn.c_proj.weight"},
                  {WeightRole::output_bias, "h.0.attn.c_proj.bias"}};
  Names names{"h.0.attn.c_attn.bias",   "h.0.attn.c_attn.weight", "h.0.attn.c_proj.bias",
              "h.0.attn.c_proj.weight", "h.0.mlp.c_fc.weight",    "h.0.mlp.c_proj.bias",
              "h.0.mlp.c_proj.weight"};
  CHECK(roles(names) == gpt);
  std::reverse(names.begin(), names.end());
  CHECK(roles(names) == gpt);
  CHECK(roles({"patch_embed.proj.weight", "blocks.0.attn.qkv.weight", "blocks.0.attn.qkv.bias",
               "blocks.0.attn.proj.weight", "blocks.0.attn.proj.bias"}) ==
        Roles{{WeightRole::joint, "blocks.0.attn.qkv.weight.T"},
              {WeightRole::joint_bias, "blocks.0.attn.qkv.bias"},
              {WeightRole::output, "blocks.0.attn.proj.weight.T"},
              {WeightRole::output_bias, "blocks.0.attn.proj.bias"}});
}

TEST_CASE("a name counts behind a divider alone, and the longest that fits is taken") {
  CHECK(
      refusal({"new_q", "W_K", "W_V"}) ==
      "the file of --projections has no W_Q; it holds 'W_K', 'W_V', 'new_q'; attnlab attend --conventions lists the names that are read; W_Q, W_K, W_V are (in, out), q_proj.weight and its like (out, in), as nn.Linear keeps them");
  CHECK(roles({"layer/W_Q", "layer/W_K", "layer/W_V"}).at(WeightRole::query) == "layer/W_Q");
  CHECK(roles({"query.weight", "key.weight", "value.weight", "out_proj.weight"}).at(WeightRole::output) ==
        "out_proj.weight.T");
}

// --data of the tool's own runs holds the weights beside the projected queries, keys and values.
TEST_CASE("a bare query, key, value or output is no weight") {
  CHECK(refusal({"query", "key", "value", "output"}).find("has no W_Q") != std::string::npos);
  const Names names{"x",     "w_query", "projected_query", "w_key",    "w_value", "query",
                    "value", "key",     "output",          "w_output", "weights"};
  const Roles expected{{WeightRole::query, "w_query"},
                       {WeightRole::key, "w_key"},
                       {WeightRole::value, "w_value"},
                       {WeightRole::output, "w_output"}};
  CHECK(roles(names) == expected);
}

TEST_CASE("several layers are refused with their prefixes, and a prefix chooses one") {
  const Names names{"layer.1.W_Q",  "layer.1.W_K",  "layer.1.W_V",        "layer.10.W_Q", "layer.10.W_K",
                    "layer.10.W_V", "layer.10.W_O", "decoder.qkv.weight", "layer.1x.W_Q"};
  CHECK(
      refusal(names) ==
      "the file of --projections holds 4 attention layers ('decoder.', 'layer.1.', 'layer.10.', 'layer.1x.'); choose one of them, as in FILE:decoder");
  const Roles first{{WeightRole::query, "layer.1.W_Q"},
                    {WeightRole::key, "layer.1.W_K"},
                    {WeightRole::value, "layer.1.W_V"}};
  CHECK(roles(names, "layer.1") == first);
  CHECK(roles(names, "layer.1.") == first);
  CHECK(roles(names, "layer.10").at(WeightRole::output) == "layer.10.W_O");
  CHECK(roles(names, "decoder") == Roles{{WeightRole::joint, "decoder.qkv.weight.T"}});
  CHECK(refusal(names, "layer").find("holds 3 attention layers") != std::string::npos);
}

TEST_CASE("a layer beside one without a prefix is refused with a name that can be typed") {
  CHECK(
      refusal({"W_Q", "W_K", "W_V", "other.W_Q"}) ==
      "the file of --projections holds 2 attention layers ('', 'other.'); choose one of them, as in FILE:other");
}

TEST_CASE("the role that is missing is named, and a few of the names that are there") {
  const auto says = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(says(refusal({"W_K", "W_V"}), "has no W_Q; it holds 'W_K', 'W_V'"));
  CHECK(says(refusal({"W_Q", "W_V"}), "has no 'w_k'; it holds 'W_Q', 'W_V'"));
  CHECK(says(refusal({"a.q_proj.weight", "a.k_proj.weight"}), "has no 'a.v_proj.weight'"));
  CHECK(says(refusal({"a", "b", "c", "d", "e", "f", "g"}), "'a', 'b', 'c', 'd', 'e', 'f', ..."));
  CHECK(says(refusal({"layer.W_Q", "layer.W_K", "layer.W_V"}, "layers"), "has no W_Q"));
}

TEST_CASE("an output matrix or a bias is never borrowed from another prefix") {
  const Roles found = roles({"a.W_Q", "a.W_K", "a.W_V", "b.W_O", "a.b.b_Q", "b_Q"});
  CHECK(found.size() == 3);
  CHECK(roles({"h.0.attn.c_attn.weight", "h.0.mlp.c_proj.weight"}).size() == 1);
}

TEST_CASE("an output matrix outside the prefix is left out, and named") {
  const std::string layer = "encoder.layer.0.attention.";
  const Names names{layer + "self.query.weight", layer + "self.key.weight", layer + "self.value.weight",
                    layer + "output.dense.weight"};
  CHECK(roles(names, "encoder.layer.0.attention").at(WeightRole::output) == names[3] + ".T");
  const FoundLayer inner = find_layer(names, "encoder.layer.0.attention.self");
  CHECK(inner.weights.size() == 3);
  CHECK(inner.outside == std::vector<std::size_t>{3});
  CHECK(find_layer(names, "").outside.empty());
}

TEST_CASE("DistilBERT, Phi, Keras and the course's tests: every weight is read") {
  const auto output = [](const Names& names) { return roles(names).at(WeightRole::output); };
  CHECK(output({"q_lin.weight", "k_lin.weight", "v_lin.weight", "out_lin.weight"}) == "out_lin.weight.T");
  CHECK(output({"q_proj.weight", "k_proj.weight", "v_proj.weight", "dense.weight"}) == "dense.weight.T");
  CHECK(output({"mha/query/kernel:0", "mha/key/kernel:0", "mha/value/kernel:0",
                "mha/attention_output/kernel:0"}) == "mha/attention_output/kernel:0");
  CHECK(output({"q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight"}) ==
        "out_proj_weight.T");
  const Roles qwen = roles({"wq", "wk", "wv", "wo", "q_norm", "k_norm"});
  CHECK(qwen.at(WeightRole::query_norm) == "q_norm");
  CHECK(qwen.at(WeightRole::key_norm) == "k_norm");
  CHECK(find_layer({"wq", "wk", "wv", "wo", "q_norm", "k_norm"}, "").unread.empty());
}

// Hugging Face's modeling files (rotate_half over halves; GPT-J's rotate_every_two), Meta's apply_rotary_emb
// (complex numbers of neighbours), and mlx's nn.RoPE(traditional=False) of the course.
TEST_CASE("the advice of rotary positions is that of each family") {
  const std::map<std::string, std::string> pairs{
      {"GPT-J", "pairs"},        {"Phi", "halves"},       {"Llama, Mistral, Qwen", "halves"},
      {"Llama (Meta)", "pairs"}, {"Phi-3", "halves"},     {"course, Qwen3", "halves"},
      {"GGUF, Llama", "pairs"},  {"GGUF, Qwen", "halves"}};
  for (const Convention& convention : conventions()) {
    CAPTURE(convention.id);
    const auto known = pairs.find(convention.id);
    CHECK(convention.rotary == (known == pairs.end() ? "" : known->second));
  }
  std::map<std::string, std::string> models;
  for (const RotaryModels& row : rotary_models()) {
    for (const std::string& type : row.types) models[type] = row.pairing;
  }
  for (const char* type :
       {"llama", "mistral", "qwen2", "qwen3", "gemma", "phi", "phi3", "gpt_neox", "falcon"}) {
    CHECK(models[type] == "halves");
  }
  for (const char* type : {"gptj", "codegen", "cohere", "glm", "roformer", "attnlab"})
    CHECK(models[type] == "pairs");
}

TEST_CASE("heads of their own are gathered in their order, whatever the file's") {
  const FoundLayer layer =
      find_layer({"heads.1.linear_q.weight", "heads.0.linear_q.weight", "heads.0.linear_k.weight",
                  "heads.1.linear_k.weight", "heads.0.linear_v.weight", "heads.1.linear_v.weight"},
                 "");
  REQUIRE(layer.weights.size() == 3);
  CHECK(layer.weights.front().places == std::vector<std::size_t>{1, 0});
  CHECK(layer.is_per_head(WeightRole::query));
  CHECK(!layer.is_per_head(WeightRole::output));
}

TEST_CASE("conventions of the same names are told apart by what else is there") {
  const auto id = [](Names names) { return find_layer(names, "").convention->id; };
  const Names qkv{"q_proj.weight", "k_proj.weight", "v_proj.weight"};
  const auto with = [&](Names more) {
    more.insert(more.end(), qkv.begin(), qkv.end());
    return id(more);
  };
  CHECK(with({"o_proj.weight", "q_proj.bias"}) == "Llama, Mistral, Qwen");
  CHECK(with({"out_proj.weight", "out_proj.bias"}) == "GPT-Neo");
  CHECK(with({"out_proj.weight"}) == "GPT-J");
  CHECK(with({"out_proj.weight", "out_proj.bias", "q_proj.bias"}) == "BART, OPT, Whisper, CLIP");
}

TEST_CASE("every convention finds its own names, whole and behind a prefix") {
  for (const Convention& convention : conventions()) {
    CAPTURE(convention.id);
    Names names;
    for (const std::string prefix : {"", "layer.3."}) {
      names.clear();
      for (const NamePatterns& patterns : convention.names) {
        if (patterns.empty()) continue;
        std::string name = patterns.front();
        if (name.find("{}") != std::string::npos) name.replace(name.find("{}"), 2, "0");
        const NamePatterns& lacks = convention.lacks;
        if (std::find(lacks.begin(), lacks.end(), name) == lacks.end()) names.push_back(prefix + name);
      }
      const FoundLayer layer = find_layer(names, "");
      CHECK(layer.convention->id == convention.id);
      CHECK(layer.prefix == prefix);
      CHECK(layer.unread.empty());
    }
  }
}

TEST_CASE("what is left over is named, and what would change the result is known") {
  const Names names{"a.q_proj.weight", "a.k_proj.weight",        "a.v_proj.weight", "a.rotary_emb.inv_freq",
                    "a.note",          "a.q_proj.lora_A.weight", "b.sinks"};
  const FoundLayer layer = find_layer(names, "");
  REQUIRE(layer.unread.size() == 3);
  CHECK(layer.unread[0].change != nullptr);
  CHECK(layer.unread[0].change->unless == "rope");
  CHECK(layer.unread[1].change == nullptr);
  CHECK(layer.unread[2].change != nullptr);
}

}  // namespace attnlab
