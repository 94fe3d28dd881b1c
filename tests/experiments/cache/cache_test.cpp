// The cache experiment: every way in which families of models say what they keep, against the sums of a
// script that reads no configuration; and configurations that say it wrongly.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/cache/cache.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

/// Of data/reference/make_cache_reference.py.
nlohmann::json cache_reference() {
  std::ifstream file(source_dir() / "tests/experiments/cache/reference.json");
  return nlohmann::json::parse(file);
}

std::string refusal_of(const std::string& config) {
  try {
    cache_shape_of(config, "config.json");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message(Language::en);
  }
  return "";
}

/// A Llama of 4 layers, with other keys or values.
std::string llama_with(const std::string& keys) {
  nlohmann::json config = nlohmann::json::parse(
      R"({"model_type": "llama", "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 2,
          "hidden_size": 64})");
  config.update(nlohmann::json::parse(keys));
  return config.dump();
}

}  // namespace

TEST_CASE("every family's configuration gives the bytes that its layers keep") {
  constexpr double of_16_bit = 2.0;
  const nlohmann::json reference = cache_reference();
  CHECK(reference["models"].size() > 40);
  for (const nlohmann::json& model : reference["models"]) {
    CAPTURE(model["name"].get<std::string>());
    const CacheShape shape = cache_shape_of(model["config"].dump(), "config.json");
    CHECK(of_16_bit * shape.of_token() == model["of_token"].get<double>());
    CHECK(of_16_bit * shape.of_later_token() == model["of_later_token"].get<double>());
    CHECK(of_16_bit * shape.of_source_token == model["of_source_token"].get<double>());
    for (std::size_t i = 0; i < reference["lengths"].size(); ++i)
      CHECK(of_16_bit * shape.after(reference["lengths"][i].get<double>()) ==
            model["after"][i].get<double>());
  }
}

TEST_CASE("a run of a preset has the arrays of the script") {
  check_reference(cache_experiment(), "cache/grouped.json");
  check_reference(cache_experiment(), "cache/windows.json");
}

TEST_CASE("the presets keep what was published of a token") {
  const std::vector<std::pair<std::string, double>> published{
      {"gpt2-xl", 300.0},    {"llama-3-8b", 128.0},  {"gpt-oss-20b", 48.0},   {"olmo-2-7b", 512.0},
      {"qwen3-235b", 188.0}, {"gemma-3-27b", 496.0}, {"deepseek-v3", 68.625}, {"opt-13b", 800.0}};
  for (const auto& entry : published) {
    const auto& [name, kib] = entry;
    CAPTURE(entry.first);
    const Report report = run_with(cache_experiment(), {{"model", name}});
    check_form(report);
    CHECK(scalar(report, "kib_per_token") == kib);
  }
}

TEST_CASE("a configuration that lacks a number or contradicts itself is refused by its key") {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"[]", "not a JSON object"},
      {R"({"model_type": "llama"})", "num_hidden_layers"},
      {llama_with(R"({"num_hidden_layers": "32"})"), "num_hidden_layers"},
      {llama_with(R"({"num_hidden_layers": 1000000000})"), "num_hidden_layers"},
      {llama_with(R"({"num_hidden_layers": 5000})"), "5000 layers"},
      {llama_with(R"({"n_layer": 5})"), "\"num_hidden_layers\" = 4 contradicts \"n_layer\" = 5"},
      {llama_with(R"({"num_attention_heads": null})"), "num_attention_heads"},
      {llama_with(R"({"num_key_value_heads": 3})"), "3 heads of keys do not divide its 8"},
      {llama_with(R"({"num_key_value_heads": 0})"), "0 heads of keys"},
      {llama_with(R"({"num_key_value_heads": -2})"), "num_key_value_heads"},
      {llama_with(R"({"num_key_value_heads": 2.5})"), "num_key_value_heads"},
      {llama_with(R"({"num_key_value_heads": [2, 2]})"), "has 2 layers"},
      {llama_with(R"({"multi_query": true})"), "multi_query"},
      {llama_with(R"({"multi_query": "yes"})"), "multi_query"},
      {llama_with(R"({"hidden_size": 60})"), "its width 60 cannot be split over 8 heads"},
      {llama_with(R"({"hidden_size": null})"), "hidden_size"},
      {llama_with(R"({"kv_lora_rank": 512})"), "qk_rope_head_dim"},
      {llama_with(R"({"layer_types": ["full_attention"]})"), "layer_types"},
      {llama_with(R"({"layer_types": ["full_attention", "full_attention", "full_attention", "wavy"]})"),
       "wavy"},
      {llama_with(
           R"({"layer_types": ["full_attention", "full_attention", "full_attention", "sliding_attention"]})"),
       "sliding_window"},
      {llama_with(R"({"attn_layer_indices": [4]})"), "attn_layer_indices"},
      {llama_with(R"({"num_kv_shared_layers": 4})"), "num_kv_shared_layers"},
      {llama_with(R"({"use_cla": true})"), "cla_share_factor"},
      {llama_with(R"({"block_configs": [{}]})"), "block_configs"},
      {llama_with(R"({"model_type": "bert"})"), "bert"}};
  for (const auto& entry : refused) {
    const auto& [config, part] = entry;
    CAPTURE(entry.first);
    const std::string message = refusal_of(config);
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("what a configuration leaves open is said, not guessed in silence") {
  const auto remarks = [](const std::string& config) {
    std::string all;
    for (const Text& remark : cache_shape_of(config, "config.json").remarks) all += remark.en() + "\n";
    return all;
  };
  CHECK(remarks(llama_with("{}")).empty());
  CHECK(remarks(llama_with(R"({"num_key_value_heads": null})")).find("as many as queries, 8") !=
        std::string::npos);
  CHECK(remarks(llama_with(R"({"model_type": "gemma2"})")).find("sliding_window = 4096") !=
        std::string::npos);
  CHECK(remarks(llama_with(R"({"mamba_d_state": 16})")).find("mamba_d_state") != std::string::npos);
  CHECK(remarks(llama_with(R"({"index_head_dim": 128})")).find("index_head_dim") != std::string::npos);
}

TEST_CASE("the cache of any length is an equation, and pages waste less than one page") {
  const Report longest = run_with(cache_experiment(), {{"length", "1000000000000"}, {"batch", "7"}});
  CHECK(scalar(longest, "cache_bytes") == 7.0 * 131072.0 * 1e12);
  const Report usual = run_with(cache_experiment(), {{"dtype", "int4"}});
  CHECK(scalar(usual, "cache_bytes") == 3000.0 * 131072.0 / 4.0);
  CHECK(scalar(usual, "pages_per_sequence") == 188.0);  // 187.5
  CHECK(scalar(usual, "paged_waste") == doctest::Approx(8.0 / 3008.0).epsilon(1e-12));
  CHECK(scalar(usual, "reserved_waste") == doctest::Approx(1.0 - 3000.0 / 8192.0).epsilon(1e-12));
  CHECK_THROWS_AS(run_with(cache_experiment(), {{"reserve", "2999"}}), Error);
  CHECK_THROWS_AS(run_with(cache_experiment(), {{"model", "llama-4-8b"}}), Error);
}

}  // namespace attnlab
