// Reads each case, draws its inputs, runs the layer, and compares stage by stage.
#include "verification/function_checks.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <stdexcept>

#include "core/agreement.hpp"
#include "random/numpy_random.hpp"
#include "verification/comparer.hpp"
#include "verification/layer_case.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {
namespace {

// --- The case

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

// --- Its stages

template <class T>
double tolerance_of_case(const StoredJson& stages) {
  const double largest =
      stages.contains("scores") ? largest_magnitude(stored_array(stages.at("scores")).data) : 0.0;
  return tolerance_of_chain<T>(stages, largest);
}

template <class T>
VerifyCheck check_stage(const std::string& subject, const std::string& stage, const Text& detail,
                        const Tensor<T>& got, const StoredJson& stored, double allowed) {
  const StoredArray expected = stored_array(stored);
  Deviation found = deviation(numbers_of(got), expected.data, allowed);
  if (!std::equal(got.shape().begin(), got.shape().end(), expected.shape.begin(), expected.shape.end())) {
    found.absolute = found.relative = std::numeric_limits<double>::infinity();
    found.agrees = false;
  }
  return check_of(Section::layers, subject, stage, detail, found);
}

template <class T>
void check_case(const std::string& layer, const StoredJson& json, std::vector<VerifyCheck>& checks) {
  if (!json.contains(dtype_name<T>)) return;  // the positional encodings exist in double alone
  const std::string subject = layer + " " + dtype_name<T>;
  const LayerCase one = read_layer_case(json);
  const Text detail = Text::same(one.name);
  const StoredJson& stored = json.at(dtype_name<T>);
  const double allowed = tolerance_of_case<T>(stored);
  try {
    const NamedTensors<T> stages = layer_stages(layer, one.options, draw_inputs<T>(one));
    if (stages.size() != stored.size()) throw std::runtime_error("other stages than stored");
    for (const auto& [name, got] : stages) {
      checks.push_back(check_stage(subject, name, detail, got, stored.at(name), allowed));
    }
  } catch (const std::exception& error) {
    checks.push_back(failed_check(Section::layers, subject, "", Text::same(one.name + ": " + error.what())));
  }
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

std::vector<VerifyCheck> check_layers(const std::string& path, std::string_view json) {
  std::vector<VerifyCheck> checks;
  try {
    const StoredJson file = StoredJson::parse(json);
    const auto layer = file.at("layer").get<std::string>();
    for (const StoredJson& one : file.at("cases")) {
      check_case<float>(layer, one, checks);
      check_case<double>(layer, one, checks);
    }
  } catch (const std::exception& error) {
    checks.push_back(failed_check(Section::layers, path, "", Text::same(error.what())));
  }
  return checks;
}

}  // namespace attnlab
