// One case of data/reference/layers: which layer, with which options, on which random inputs, and its stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/layer_norm.hpp"
#include "attention/masks.hpp"
#include "attention/positional.hpp"
#include "attention/transformer_layer.hpp"
#include "core/tensor.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {

struct MaskRecipe {
  enum class Kind { none, causal, padding, window };
  Kind kind = Kind::none;
  CausalAlignment alignment = CausalAlignment::bottom_right;
  std::size_t count = 0;  // padded keys, or the window's reach
  double hidden = 0.0;    // what is added where a key is hidden
};

/// Only those that concern the layer are read.
struct LayerOptions {
  std::optional<double> scale;
  std::optional<MaskRecipe> mask;
  double eps = 1e-5;
  NormDivisor divisor = NormDivisor::variance;
  NormPlacement placement = NormPlacement::post;
  std::size_t positions = 0;
  std::size_t width = 0;
  double base = 10000.0;
  RotaryPairing pairing = RotaryPairing::interleaved;
};

/// RandomState(seed).randn(shape) · times, drawn in this order.
struct DrawnInput {
  std::string name;
  std::vector<std::size_t> shape;
  double times = 1.0;
};

struct LayerCase {
  std::string name;
  std::uint32_t seed = 0;
  std::vector<DrawnInput> inputs;
  LayerOptions options;
};

/// Throws std::exception when the case is not written as make_layers_reference.py writes it.
LayerCase read_layer_case(const StoredJson& json);

/// Arrays by name, in order.
template <class T>
using NamedTensors = std::vector<std::pair<std::string, Tensor<T>>>;

/// Drawn in double and, for float, rounded once.
template <class T>
NamedTensors<T> draw_inputs(const LayerCase& layer_case);

/// The stages in the order of the reference file. Throws std::runtime_error for a layer or an input that is
/// unknown, Error where the layer itself does. Those of the two positional encodings exist for double alone.
template <class T>
NamedTensors<T> layer_stages(const std::string& layer, const LayerOptions& options,
                             const NamedTensors<T>& inputs);

}  // namespace attnlab
