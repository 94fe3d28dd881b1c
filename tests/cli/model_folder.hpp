// A small GPT-2 with random weights and a tokenizer, as a folder that Hugging Face's libraries might have
// saved.
#pragma once

#include <fstream>

#include "attend_files.hpp"
#include "random/numpy_random.hpp"
#include "source_dir.hpp"

namespace attnlab::test {

inline void write_model_folder(const Workplace& place, const std::string& name, double spread = 0.3) {
  std::filesystem::create_directories(place.path(name));
  NumpyRandom random(3);
  constexpr std::size_t width = 16;
  constexpr std::size_t vocabulary = 502;
  Named<float> tensors;
  const auto add = [&](const std::string& tensor, const std::vector<std::size_t>& shape,
                       double around = 0.0) {
    Tensor<float> values = Tensor<float>::from_shape(shape);
    for (float& value : values) value = static_cast<float>(around + spread * random.normal());
    tensors.emplace_back(tensor, std::move(values));
  };
  const auto add_norm = [&](const std::string& norm) {
    add(norm + ".weight", {width}, 1.0);
    add(norm + ".bias", {width});
  };
  const auto add_linear = [&](const std::string& linear, std::size_t in, std::size_t out) {
    add(linear + ".weight", {in, out});
    add(linear + ".bias", {out});
  };
  add("wte.weight", {vocabulary, width});
  add("wpe.weight", {64, width});
  for (const char* layer : {"h.0.", "h.1."}) {
    const std::string begin = layer;
    add_norm(begin + "ln_1");
    add_linear(begin + "attn.c_attn", width, 3 * width);
    add_linear(begin + "attn.c_proj", width, width);
    add_norm(begin + "ln_2");
    add_linear(begin + "mlp.c_fc", width, 4 * width);
    add_linear(begin + "mlp.c_proj", 4 * width, width);
  }
  add_norm("ln_f");
  place.write(name + "/model.safetensors", safetensors_of(tensors));
  const nlohmann::json config{{"model_type", "gpt2"}, {"n_embd", width},          {"n_layer", 2},
                              {"n_head", 4},          {"vocab_size", vocabulary}, {"n_positions", 64}};
  place.write(name + "/config.json", config.dump());
  std::ifstream stream(source_dir() / "tests/model/reference/tokenizers.json");
  place.write(name + "/tokenizer.json", nlohmann::json::parse(stream)["tokenizers"]["gpt2"]["json"].dump());
}

}  // namespace attnlab::test
