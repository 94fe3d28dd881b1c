// Small models of every family against NumPy written from the papers (tests/model/reference).
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

constexpr double float32_rounding = 1e-5;  // of sums of a few dozen terms, layer after layer

const Tensor<float>& stage_of(const ForwardPass& pass, const std::string& name) {
  if (name == "logits") return pass.logits;
  if (name == "embedding") return pass.embedded;
  const LayerStages& layer = pass.layers.at(static_cast<std::size_t>(name[6] - '0'));
  const auto found = std::find_if(computed_stages.begin(), computed_stages.end(), [&](const auto& stage) {
    return name.substr(std::strlen("layer_0_")) == stage.first;
  });
  REQUIRE(found != computed_stages.end());
  return layer.*found->second;
}

void check_family(const std::string& name, Stored stored = Stored::float32) {
  const Config reference = reference_of(name);
  const Folder folder;
  write_model(reference, folder, stored);
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  const ForwardPass pass = pass_of(model, tokens_of(reference));
  for (const auto& entry : reference["stages"].items()) {
    const auto& [stage, values] = entry;
    CAPTURE(name);
    CAPTURE(entry.key());
    CHECK(relative_difference(stage_of(pass, stage), values) < float32_rounding);
  }
}

std::string refusal_of(const Folder& folder) {
  try {
    model_of(open_checkpoint(folder.path().string()));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every family computes what NumPy computes from the papers") {
  for (const std::string& name : reference_families()) check_family(name);
  for (const char* name : {"llama_yarn", "llama_longrope"}) check_family(name);
}

TEST_CASE("weights in float16 and bfloat16 give the same numbers where they hold the same weights") {
  check_family("llama", Stored::float16);
  check_family("gpt2", Stored::bfloat16);
}

TEST_CASE("token by token, with keys and values kept, a model says what it says of all tokens at once") {
  for (const std::string& name : reference_families()) {
    if (contains(name, "bert")) continue;  // they read all tokens at once
    if (name == "phi3") continue;          // a text that grows long turns otherwise from then on (LongRoPE)
    const Config reference = reference_of(name);
    const Folder folder;
    write_model(reference, folder);
    const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
    const std::vector<std::size_t> tokens = tokens_of(reference);
    Cache cache = empty_cache(model, tokens.size());
    std::vector<float> last;
    for (auto end = tokens.begin(); end != tokens.end();)
      last = next_logits(model, {tokens.begin(), ++end}, cache, {}, one_after_another);
    const ForwardPass pass = pass_of(model, tokens);
    const float* whole = pass.logits.data() + (tokens.size() - 1) * last.size();
    for (std::size_t i = 0; i < last.size(); ++i) CHECK(last[i] == doctest::Approx(whole[i]).epsilon(1e-5));
  }
}

TEST_CASE("without a head, its part of the stream is missing, and nothing before it changes") {
  const Config reference = reference_of("gpt2");
  const Folder folder;
  write_model(reference, folder);
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  const ForwardPass whole = pass_of(model, tokens_of(reference));
  Ablation without;
  without.heads.insert({1, 2});
  const ForwardPass part = pass_of(model, tokens_of(reference), without);
  CHECK(part.layers[0].output == whole.layers[0].output);
  CHECK(part.layers[1].weights == whole.layers[1].weights);
  CHECK(part.layers[1].attention != whole.layers[1].attention);
  Ablation layer;
  layer.layers.insert(1);
  CHECK(pass_of(model, tokens_of(reference), layer).layers[1].output == whole.layers[0].output);
  Ablation all_of_it;
  for (std::size_t head = 0; head < 4; ++head) all_of_it.heads.insert({1, head});
  all_of_it.mlps.insert(1);
  // what is left of the layer is the bias of W_O
  const LayerStages left = pass_of(model, tokens_of(reference), all_of_it).layers[1];
  for (std::size_t token = 1; token < tokens_of(reference).size(); ++token)
    CHECK(left.attention(token, 0) == left.attention(0, 0));
}

TEST_CASE("a model in shards is the model") {
  const Config reference = reference_of("qwen2");
  const Folder folder;
  put(folder / "config.json", reference["config"].dump());
  Config first = Config::object();
  Config second = Config::object();
  Config index = Config::object();
  for (const auto& [name, tensor] : reference["tensors"].items()) {
    const bool is_first = contains(name, "layers.0");
    (is_first ? first : second)[name] = tensor;
    index["weight_map"][name] = is_first ? "model-1.safetensors" : "model-2.safetensors";
  }
  put(folder / "model-1.safetensors", safetensors_bytes(first));
  put(folder / "model-2.safetensors", safetensors_bytes(second));
  put(folder / "model.safetensors.index.json", index.dump());
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  CHECK(relative_difference(pass_of(model, tokens_of(reference)).logits, reference["stages"]["logits"]) <
        float32_rounding);
  std::filesystem::remove(folder.path() / "model-2.safetensors");
  CHECK(contains(refusal_of(folder), "the shard 'model-2.safetensors' is missing"));
  index["weight_map"]["lm_head.weight"] = "../elsewhere.safetensors";
  put(folder / "model.safetensors.index.json", index.dump());
  CHECK(contains(refusal_of(folder), "without folders"));
}

TEST_CASE("what does not fit together is named") {
  const auto refusal_with = [](const std::function<void(Config&)>& change) {
    Config reference = reference_of("llama");
    change(reference);
    const Folder folder;
    write_model(reference, folder);
    return refusal_of(folder);
  };
  const auto refusal_of_config = [&](const char* key, const Config& value) {
    return refusal_with([&](Config& reference) { reference["config"][key] = value; });
  };
  CHECK(contains(
      refusal_of_config("model_type", "mamba"),
      "known are gpt2, llama, mistral, qwen2, qwen3, gpt_neox, bert, roberta, xlm-roberta, camembert, distilbert, opt, bloom, falcon, phi3, olmo2, olmo3, smollm3, gemma2, gemma3_text, mixtral; one of"));
  CHECK(contains(refusal_of_config("hidden_size", 32), "(13, 16), but by the configuration"));
  CHECK(contains(refusal_of_config("hidden_size", "wide"), "\"hidden_size\" is \"wide\""));
  CHECK(contains(refusal_of_config("num_attention_heads", 3), "do not divide its 3 heads"));
  CHECK(contains(refusal_of_config("hidden_act", "tanhshrink"), "'tanhshrink' is not known"));
  CHECK(contains(refusal_of_config("rope_scaling", {{"rope_type", "mrope"}}), "'mrope' is not known"));
  CHECK(contains(refusal_of_config("use_sliding_window", true), "use_sliding_window = true"));
  CHECK(contains(refusal_of_config("quantization_config", {{"bits", 4}}), "quantization_config"));
  const auto refusal_without = [&](const char* tensor) {
    return refusal_with([&](Config& reference) { reference["tensors"].erase(tensor); });
  };
  CHECK(contains(refusal_without("model.layers.1.mlp.up_proj.weight"),
                 "'layers.1.mlp.up_proj.weight' is missing"));
  CHECK(contains(refusal_without("lm_head.weight"), "'lm_head.weight' is missing"));
  CHECK(contains(
      refusal_with([](Config& reference) {
        reference["tensors"]["model.layers.0.self_attn.sinks"] = {{"shape", {4}}, {"values", {1, 2, 3, 4}}};
      }),
      "nothing is known of the layer's tensor 'model.layers.0.self_attn.sinks'"));
}

TEST_CASE(
    "beyond the tokens that it reads at once a model writes on behind the last of them, as nanoGPT does") {
  for (const char* name :
       {"gpt2", "llama", "opt", "bloom", "falcon_7b", "falcon_40b"}) {  // learned positions, and turned ones
    INFO(name);
    const Folder folder;
    write_model(reference_of(name), folder);
    const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
    const std::size_t most = most_tokens_of(model);
    CHECK(most == 24);
    std::vector<std::size_t> tokens{3, 7};
    Cache cache = empty_cache(model, most);
    read_tokens(model, tokens, cache, {}, one_after_another);
    for (std::size_t i = 0; i < most + 5; ++i) {
      tokens.push_back((5 * i + 1) % model.architecture.vocabulary);
      const std::vector<float> next = next_logits(model, tokens, cache, {}, one_after_another);
      const std::size_t begin = tokens.size() - std::min(tokens.size(), most);
      const ForwardPass whole =
          pass_of(model, {tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.end()});
      const std::size_t last = whole.logits.shape()[0] - 1;
      for (std::size_t word = 0; word < next.size(); ++word)
        CHECK(next[word] == doctest::Approx(whole.logits(last, word)).epsilon(1e-4));
    }
  }
}

TEST_CASE("a tensor beside the layers that changes nothing is named, not refused") {
  Config reference = reference_of("bert");
  reference["tensors"]["bert.pooler.dense.bias"] = {{"shape", {2}}, {"values", {1, 2}}};
  const Folder folder;
  write_model(reference, folder);
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  CHECK(model.weights.unread == std::vector<std::string>{"bert.pooler.dense.bias"});
}

TEST_CASE("a NaN among the weights is named") {
  Config reference = reference_of("gpt2");
  const Folder folder;
  write_model(reference, folder);
  std::string bytes = safetensors_bytes(reference["tensors"]);
  const std::uint32_t nan = 0x7FC00000U;
  std::memcpy(&bytes[bytes.size() - 4], &nan, 4);
  put(folder / "model.safetensors", bytes);
  const Checkpoint checkpoint = open_checkpoint(folder.path().string());
  CHECK_THROWS_WITH_AS(refuse_broken_weights(checkpoint), doctest::Contains("1 NaNs"), Error);
}

TEST_CASE("more tokens than the model has places for, and tokens that it does not know, are refused") {
  const Config reference = reference_of("roberta");
  const Folder folder;
  write_model(reference, folder);
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  CHECK_NOTHROW(
      pass_of(model, std::vector<std::size_t>(22, 1)));  // two places stand before the first token's
  CHECK_THROWS_WITH_AS(pass_of(model, std::vector<std::size_t>(23, 1)), doctest::Contains("takes 22"), Error);
  CHECK_THROWS_WITH_AS(pass_of(model, {13}), doctest::Contains("no token 13"), Error);
}
