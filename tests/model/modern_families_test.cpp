// What came after Llama: layers that differ, caps, norms of what is added, experts. Every key that a row
// computes is felt, and what it does not compute is refused by name.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

LanguageModel model_with(const std::string& family, const Config& changes) {
  Config reference = reference_of(family);
  for (const auto& [key, value] : changes.items()) {
    reference["config"].erase(key);
    if (value != "absent") reference["config"][key] = value;
  }
  const Folder folder;
  write_model(reference, folder);
  return model_of(open_checkpoint(folder.path().string()));
}

/// Of the logits, to those of the reference.
double difference_with(const std::string& family, const Config& changes) {
  const Config reference = reference_of(family);
  return relative_difference(pass_of(model_with(family, changes), tokens_of(reference)).logits,
                             reference["stages"]["logits"]);
}

std::string refusal_with(const std::string& family, const Config& changes) {
  try {
    model_with(family, changes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Architecture architecture_of_config(const Config& config) {
  Checkpoint checkpoint;
  checkpoint.place = "config.json";
  checkpoint.config = config;
  return family_of(checkpoint).architecture;
}

}  // namespace

TEST_CASE("every key that a row computes is felt in the logits") {
  const std::vector<std::pair<std::string, Config>> cases{
      {"phi3", {{"original_max_position_embeddings", 16}}},  // this text is not long then
      {"olmo3", {{"layer_types", {"full_attention", "sliding_attention"}}}},
      {"olmo3", {{"rope_scaling", nullptr}}},
      {"olmo3", {{"sliding_window", 4}}},
      {"smollm3", {{"no_rope_layers", {1, 1}}}},
      {"smollm3", {{"no_rope_layers", {0, 1}}}},
      {"gemma2", {{"attn_logit_softcapping", nullptr}}},
      {"gemma2", {{"final_logit_softcapping", nullptr}}},
      {"gemma2", {{"query_pre_attn_scalar", 6}}},
      {"gemma2", {{"layer_types", {"full_attention", "full_attention"}}}},
      {"gemma2", {{"hidden_activation", "silu"}}},
      {"gemma3", {{"rope_local_base_freq", 10000.0}}},
      {"gemma3", {{"rope_scaling", nullptr}}},
      {"gemma3", {{"sliding_window_pattern", 1}}},
      {"gemma3", {{"final_logit_softcapping", 3.0}}},
      {"mixtral", {{"num_experts_per_tok", 1}}}};
  for (const auto& test_case : cases) {
    const auto& family = test_case.first;
    const auto& changes = test_case.second;
    CAPTURE(family);
    CAPTURE(changes.dump());
    CHECK(difference_with(family, changes) > 1e-3);
  }
}

TEST_CASE("keys that say the same in other words, or what the class takes anyway, change nothing") {
  const std::vector<std::pair<std::string, Config>> cases{
      {"olmo3",
       {{"rope_theta", "absent"},
        {"rope_scaling", "absent"},
        {"rope_parameters",
         {{"full_attention",
           {{"rope_type", "yarn"},
            {"factor", 4.0},
            {"original_max_position_embeddings", 64},
            {"rope_theta", 500.0}}},
          {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 500.0}}}}}}},
      {"smollm3", {{"no_rope_layers", nullptr}}},
      {"gemma2", {{"layer_types", {"sliding_attention", "full_attention"}}}},
      {"gemma3",
       {{"sliding_window_pattern", "absent"}, {"layer_types", {"sliding_attention", "full_attention"}}}},
      {"gemma3",
       {{"rope_theta", "absent"},
        {"rope_scaling", "absent"},
        {"rope_local_base_freq", "absent"},
        {"rope_parameters",
         {{"full_attention", {{"rope_type", "linear"}, {"factor", 8.0}, {"rope_theta", 5000.0}}},
          {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 100.0}}}}}}}};
  for (const auto& test_case : cases) {
    const auto& family = test_case.first;
    const auto& changes = test_case.second;
    CAPTURE(family);
    CAPTURE(changes.dump());
    CHECK(difference_with(family, changes) < 1e-5);
  }
}

TEST_CASE("layers differ as the classes of Transformers have it where a configuration is silent") {
  const auto config = [](const char* type, const Config& more) {
    Config whole{{"model_type", type},
                 {"hidden_size", 64U},
                 {"num_hidden_layers", 12U},
                 {"num_attention_heads", 4U},
                 {"vocab_size", 8U},
                 {"max_position_embeddings", 64U},
                 {"query_pre_attn_scalar", 16U},
                 {"head_dim", 16U},
                 {"attn_logit_softcapping", 50.0},
                 {"final_logit_softcapping", 30.0}};
    whole.update(more);
    for (const auto& [key, value] : more.items())
      if (value == "absent") whole.erase(key);
    return architecture_of_config(whole);
  };
  const Config none{{"query_pre_attn_scalar", "absent"},
                    {"attn_logit_softcapping", "absent"},
                    {"final_logit_softcapping", "absent"}};
  const Architecture gemma_2 = config("gemma2", Config::object());
  const Architecture gemma_3 = config("gemma3_text", {{"attn_logit_softcapping", nullptr}});
  const Architecture olmo_3 = config("olmo3", none);
  const Architecture smollm_3 = config("smollm3", none);
  for (std::size_t layer = 0; layer < 12; ++layer) {
    CAPTURE(layer);
    CHECK(gemma_2.window_of(layer) == (layer % 2 == 0 ? 4096 : 0));
    CHECK(gemma_3.window_of(layer) == (layer % 6 == 5 ? 0 : 4096));
    CHECK(olmo_3.window_of(layer) == (layer % 4 == 3 ? 0 : 4096));
    CHECK((smollm_3.rotary_of(layer) == nullptr) == (layer % 4 == 3));
    CHECK(smollm_3.window_of(layer) == 0);
  }
}

TEST_CASE("what a row does not compute is refused by name") {
  const std::vector<std::tuple<std::string, Config, std::string>> cases{
      {"phi3", {{"auto_map", {{"AutoModel", "modeling_other.Phi3ForCausalLM"}}}}, "code of this model alone"},
      {"phi3",
       {{"rope_scaling", {{"type", "longrope"}, {"short_factor", {1.0}}, {"long_factor", {1.0}}}}},
       "1 factors of rotary frequencies; 2 above 0 are needed"},
      {"olmo2", {{"clip_qkv", 8.0}}, "a model with clip_qkv = 8.0"},
      {"olmo2", {{"layer_types", {"sliding_attention", "full_attention"}}}, "layer_types"},
      {"olmo3",
       {{"layer_types", {"linear_attention", "full_attention"}}},
       "\"linear_attention\" is not known"},
      {"olmo3", {{"layer_types", {"full_attention"}}}, "\"layer_types\" has 1 layers"},
      {"olmo3", {{"rope_local_base_freq", 100.0}}, "a model with rope_local_base_freq = 100.0"},
      {"smollm3", {{"no_rope_layers", {1, 0, 1}}}, "for each of 2 layers"},
      {"smollm3", {{"no_rope_layers", {1, 2}}}, "for each of 2 layers"},
      {"smollm3", {{"use_sliding_window", true}}, "use_sliding_window = true"},
      {"gemma2", {{"attn_logit_softcapping", "absent"}}, "it has no \"attn_logit_softcapping\""},
      {"gemma2", {{"final_logit_softcapping", -1.0}}, "it has no \"final_logit_softcapping\" of 0 or more"},
      {"gemma2", {{"query_pre_attn_scalar", "absent"}}, "it has no \"query_pre_attn_scalar\" above 0"},
      {"gemma2", {{"rope_local_base_freq", 100.0}}, "rope_local_base_freq"},
      {"gemma3", {{"rope_local_base_freq", 0.0}}, "\"rope_local_base_freq\" is 0"},
      {"gemma3", {{"attn_logit_softcapping", 50.0}}, "a model with attn_logit_softcapping = 50.0"},
      {"gemma3", {{"use_bidirectional_attention", true}}, "a model with use_bidirectional_attention = true"},
      {"mixtral", {{"num_experts_per_tok", 5}}, "\"num_experts_per_tok\" = 5 exceeds its 4 experts"},
      {"mixtral", {{"num_experts_per_tok", 0}}, "it has no \"num_experts_per_tok\" above 0"},
      {"mixtral", {{"n_routed_experts", 8}}, "a model with n_routed_experts = 8"},
      {"mixtral", {{"num_hidden_layers", 1000000000}}, "it has 1000000000 layers; at most 4096 are read"}};
  for (const auto& test_case : cases) {
    const auto& family = std::get<0>(test_case);
    const auto& changes = std::get<1>(test_case);
    const auto& refusal = std::get<2>(test_case);
    CAPTURE(family);
    CAPTURE(changes.dump());
    CHECK(contains(refusal_with(family, changes), refusal));
  }
}

TEST_CASE("what a row needs must be there: norms of queries, of what is added, and every expert") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"phi3", "model.layers.1.mlp.gate_up_proj.weight"},
      {"olmo2", "model.layers.0.self_attn.q_norm.weight"},
      {"olmo2", "model.layers.1.post_feedforward_layernorm.weight"},
      {"gemma2", "model.layers.0.pre_feedforward_layernorm.weight"},
      {"gemma3", "model.layers.1.self_attn.k_norm.weight"},
      {"mixtral", "model.layers.0.block_sparse_moe.gate.weight"},
      {"mixtral", "model.layers.1.block_sparse_moe.experts.3.w2.weight"}};
  for (const auto& test_case : cases) {
    const auto& family = test_case.first;
    const auto& tensor = test_case.second;
    CAPTURE(tensor);
    Config reference = reference_of(family);
    REQUIRE(reference["tensors"].erase(tensor) == 1);
    const Folder folder;
    write_model(reference, folder);
    const std::string name = tensor.substr(std::strlen("model."));
    CHECK_THROWS_WITH_AS(model_of(open_checkpoint(folder.path().string())),
                         doctest::Contains(("'" + name + "' is missing").c_str()), Error);
  }
}

TEST_CASE("a token reads the experts that its router names, by weights that sum to 1") {
  const Config reference = reference_of("mixtral");
  const ForwardPass pass = pass_of(model_with("mixtral", Config::object()), tokens_of(reference));
  for (const LayerStages& layer : pass.layers) {
    for (std::size_t token = 0; token < layer.router.shape()[0]; ++token) {
      std::size_t read = 0;
      float sum = 0.0F;
      for (std::size_t expert = 0; expert < layer.router.shape()[1]; ++expert) {
        const float weight = layer.router(token, expert);
        sum += weight;
        read += weight > 0.0F ? 1 : 0;
        bool is_silent = true;
        for (std::size_t i = 0; i < layer.hidden.shape()[2]; ++i)
          is_silent = is_silent && layer.hidden(expert, token, i) == 0.0F;
        CHECK(is_silent == (weight == 0.0F));
      }
      CHECK(read == 2);
      CHECK(sum == doctest::Approx(1.0));
    }
  }
}
