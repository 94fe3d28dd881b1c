// The card of a model: its parameters, counted from the configuration alone, are those of its tensors.
#include "model/card/card.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

std::size_t total_of(const Config& config) {
  Checkpoint checkpoint;
  checkpoint.place = "config.json";
  checkpoint.config = config;
  return card_of(checkpoint).parameters.value().total();
}

}  // namespace

TEST_CASE("the parameters of every family sum to the numbers that its tensors hold") {
  for (const std::string& name : reference_families()) {
    CAPTURE(name);
    const Config reference = reference_of(name);
    std::size_t numbers = 0;
    for (const auto& [tensor, stored] : reference["tensors"].items()) {
      const auto shape = stored["shape"].get<std::vector<std::size_t>>();
      numbers += std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    }
    CHECK(total_of(reference["config"]) == numbers);
  }
}

TEST_CASE("a card's figure has the blocks, and beside them the queries that share a key") {
  for (const char* name : {"gpt2", "falcon_7b", "bloom"}) {
    Checkpoint checkpoint;
    checkpoint.config = reference_of(name)["config"];
    const Figure figure = architecture_figure(card_of(checkpoint));
    CHECK(figure.name == "architecture");
    CHECK(contains(figure.title.en(), "2 layers"));
    REQUIRE(figure.panels.size() == 2);
    const bool shares_one = name == std::string("falcon_7b");
    CHECK(
        contains(figure.panels[1].title.en(), shares_one ? "All 4 queries share one key" : "a key for each"));
  }
}

// Source: the sizes that their authors and Hugging Face's model pages state, to the last parameter.
TEST_CASE("the parameters of published models come out") {
  CHECK(total_of(Config::parse(R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12,
                                   "vocab_size": 50257, "n_positions": 1024})")) == 124'439'808);
  CHECK(total_of(Config::parse(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
                                   "num_attention_heads": 32, "num_key_value_heads": 8,
                                   "intermediate_size": 14336, "vocab_size": 128256, "hidden_act": "silu",
                                   "max_position_embeddings": 8192, "rms_norm_eps": 1e-5,
                                   "tie_word_embeddings": false})")) == 8'030'261'248);
  CHECK(total_of(Config::parse(R"({"model_type": "opt", "hidden_size": 768, "num_hidden_layers": 12,
                                   "num_attention_heads": 12, "ffn_dim": 3072, "vocab_size": 50272,
                                   "max_position_embeddings": 2048, "word_embed_proj_dim": 768})")) ==
        125'239'296);
  CHECK(total_of(Config::parse(R"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24,
                                   "num_attention_heads": 16, "vocab_size": 250880})")) == 559'214'592);
  CHECK(total_of(Config::parse(R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32,
                                   "num_attention_heads": 71, "num_kv_heads": 71, "vocab_size": 65024,
                                   "multi_query": true, "new_decoder_architecture": false,
                                   "parallel_attn": true, "bias": false})")) == 6'921'720'704);
  const auto of_family = [](const char* type, std::vector<std::size_t> sizes,
                            Config more = Config::object()) {
    const std::array<const char*, 6> keys{"hidden_size",         "num_hidden_layers", "num_attention_heads",
                                          "num_key_value_heads", "intermediate_size", "vocab_size"};
    Config config{{"model_type", type}, {"max_position_embeddings", 8192U}, {"tie_word_embeddings", false}};
    for (std::size_t i = 0; i < keys.size(); ++i) config[keys[i]] = sizes[i];
    config.update(more);
    return total_of(config);
  };
  CHECK(of_family("phi3", {3072, 32, 32, 32, 8192, 32064}) == 3'821'079'552);     // Phi-3 mini
  CHECK(of_family("olmo2", {4096, 32, 32, 32, 11008, 100352}) == 7'298'617'344);  // OLMo 2 7B
  CHECK(of_family("olmo3", {4096, 32, 32, 32, 11008, 100278}) == 7'298'011'136);  // OLMo 3 7B
  CHECK(of_family("smollm3", {2048, 36, 16, 4, 11008, 128256}, {{"tie_word_embeddings", true}}) ==
        3'075'098'624);
  Config gemma{{"head_dim", 256U},
               {"query_pre_attn_scalar", 256U},
               {"attn_logit_softcapping", 50.0},
               {"final_logit_softcapping", 30.0},
               {"tie_word_embeddings", true}};
  CHECK(of_family("gemma2", {2304, 26, 8, 4, 9216, 256000}, gemma) == 2'614'341'888);  // Gemma 2 2B
  gemma["attn_logit_softcapping"] = gemma["final_logit_softcapping"] = nullptr;
  CHECK(of_family("gemma3_text", {1152, 26, 4, 1, 6912, 262144}, gemma) == 999'885'952);  // Gemma 3 1B
  CHECK(of_family("mixtral", {4096, 32, 32, 8, 14336, 32000},
                  {{"num_local_experts", 8U}, {"num_experts_per_tok", 2U}}) == 46'702'792'704);  // 8x7B
}
