// Reads a case and draws its inputs.
#include "verification/layer_case.hpp"

#include <stdexcept>

#include "random/numpy_random.hpp"

namespace attnlab {
namespace {

/// One of two words; anything else is a mistake in the file.
template <class Choice>
Choice choose(const std::string& word, const std::pair<const char*, Choice>& a,
              const std::pair<const char*, Choice>& b) {
  if (word == a.first) return a.second;
  if (word == b.first) return b.second;
  throw std::runtime_error("unknown word \"" + word + "\"");
}

MaskRecipe read_mask(const StoredJson& json) {
  MaskRecipe mask;
  mask.hidden = stored_number(json.at("hidden"));
  const auto kind = json.at("kind").get<std::string>();
  if (kind == "none") return mask;
  if (kind == "causal") {
    mask.kind = MaskRecipe::Kind::causal;
    mask.alignment = choose<CausalAlignment>(json.at("alignment").get<std::string>(),
                                             {"bottom_right", CausalAlignment::bottom_right},
                                             {"top_left", CausalAlignment::top_left});
    return mask;
  }
  mask.kind = choose<MaskRecipe::Kind>(kind, {"padding", MaskRecipe::Kind::padding},
                                       {"window", MaskRecipe::Kind::window});
  mask.count = json.at(kind == "padding" ? "padded" : "reach").get<std::size_t>();
  return mask;
}

LayerOptions read_options(const StoredJson& json) {
  LayerOptions options;
  if (json.contains("scale")) options.scale = json.at("scale").get<double>();
  if (json.contains("mask")) options.mask = read_mask(json.at("mask"));
  options.eps = json.value("eps", options.eps);
  options.divisor =
      choose<NormDivisor>(json.value("divisor", "variance"), {"variance", NormDivisor::variance},
                          {"standard_deviation", NormDivisor::standard_deviation});
  options.placement = choose<NormPlacement>(json.value("placement", "post"), {"post", NormPlacement::post},
                                            {"pre", NormPlacement::pre});
  options.positions = json.value("positions", options.positions);
  options.width = json.value("width", options.width);
  options.base = json.value("base", options.base);
  options.pairing =
      choose<RotaryPairing>(json.value("pairing", "interleaved"), {"interleaved", RotaryPairing::interleaved},
                            {"halves", RotaryPairing::halves});
  return options;
}

}  // namespace

LayerCase read_layer_case(const StoredJson& json) {
  LayerCase result;
  result.name = json.at("name").get<std::string>();
  result.seed = json.at("seed").get<std::uint32_t>();
  const StoredJson none = StoredJson::object();
  const StoredJson& times = json.contains("times") ? json.at("times") : none;
  for (const auto& [name, shape] : json.at("inputs").items()) {
    result.inputs.push_back({name, shape.get<std::vector<std::size_t>>(), times.value(name, 1.0)});
  }
  result.options = read_options(json.contains("options") ? json.at("options") : none);
  return result;
}

template <class T>
NamedTensors<T> draw_inputs(const LayerCase& layer_case) {
  NumpyRandom random(layer_case.seed);
  NamedTensors<T> inputs;
  for (const DrawnInput& input : layer_case.inputs) {
    Tensor<double> drawn = random.randn(input.shape);
    drawn *= input.times;
    inputs.emplace_back(input.name, Tensor<T>(drawn));
  }
  return inputs;
}

template NamedTensors<float> draw_inputs(const LayerCase&);
template NamedTensors<double> draw_inputs(const LayerCase&);

}  // namespace attnlab
