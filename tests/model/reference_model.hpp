// The small models of tests/model/reference, written as files that someone else might have saved.
#pragma once

#include <fstream>

#include "io/folder.hpp"
#include "model/model.hpp"
#include "model/tokenizer/tokenizer.hpp"
#include "source_dir.hpp"

namespace attnlab {

using test::contains;
using test::Folder;
using test::put;

inline Config reference_of(const std::string& name) {
  std::ifstream stream(source_dir() / "tests" / "model" / "reference" / (name + ".json"));
  return Config::parse(stream);
}

/// Those that stand in tests/model/reference, one of each family.
inline const std::vector<std::string>& reference_families() {
  static const std::vector<std::string> all{"gpt2",   "llama", "mistral",  "qwen2",                    //
                                            "qwen3",  "bert",  "gpt_neox", "roberta",   "distilbert",  //
                                            "phi3",   "olmo2", "olmo3",    "smollm3",   "gemma2",
                                            "gemma3", "opt",   "bloom",    "falcon_7b", "falcon_40b",
                                            "mixtral"};
  return all;
}

enum class Stored { float32, float16, bfloat16 };

/// The upper half of a float32; exact for numbers of few digits.
inline std::uint16_t brain_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16U);
}

inline std::uint16_t half_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (value == 0.0F) return 0;
  const std::uint32_t exponent = (bits >> 23U & 0xFFU) - 127 + 15;
  return static_cast<std::uint16_t>((bits >> 16U & 0x8000U) | exponent << 10U | (bits >> 13U & 0x3FFU));
}

/// A file in safetensors of these tensors, {"name": {"shape": [...], "values": [...]}}.
inline std::string safetensors_bytes(const Config& tensors, Stored stored = Stored::float32) {
  const std::string type = stored == Stored::float32 ? "F32" : stored == Stored::float16 ? "F16" : "BF16";
  Config header = Config::object();
  std::string data;
  const auto append = [&](const auto& number) {
    data.append(reinterpret_cast<const char*>(&number), sizeof number);  // NOLINT
  };
  for (const auto& [name, tensor] : tensors.items()) {
    const std::size_t begin = data.size();
    for (const auto& value : tensor["values"]) {
      const auto number = value.get<float>();
      if (stored == Stored::float32) append(number);
      if (stored == Stored::float16) append(half_bits(number));
      if (stored == Stored::bfloat16) append(brain_bits(number));
    }
    header[name] = {{"dtype", type}, {"shape", tensor["shape"]}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + text + data;  // NOLINT
}

inline Tokenizer tokenizer_in(const std::filesystem::path& file) {
  return tokenizer_json(json_of_file(file.string()), file.string());
}

/// The model as a folder of Hugging Face's kind.
inline void write_model(const Config& reference, const Folder& folder, Stored stored = Stored::float32) {
  put(folder / "config.json", reference["config"].dump());
  put(folder / "model.safetensors", safetensors_bytes(reference["tensors"], stored));
}

inline std::vector<std::size_t> tokens_of(const Config& reference) {
  return reference["tokens"].get<std::vector<std::size_t>>();
}

/// The pass over all of its tokens.
inline ForwardPass pass_of(const LanguageModel& model, const std::vector<std::size_t>& tokens,
                           const Ablation& without = {}) {
  Cache cache = empty_cache(model, tokens.size());
  return read_tokens(model, tokens, cache, without, one_after_another);
}

/// The largest difference, relative to the largest value.
inline double relative_difference(const Tensor<float>& values, const Config& expected) {
  REQUIRE(values.size() == expected.size());
  double difference = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto wanted = expected[i].get<double>();
    largest = std::max(largest, std::abs(wanted));
    difference = std::max(difference, std::abs(static_cast<double>(values.flat(i)) - wanted));
  }
  return difference / largest;
}

}  // namespace attnlab
