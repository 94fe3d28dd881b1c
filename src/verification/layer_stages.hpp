// Every layer of src/attention by name, run on named inputs, its stages named as data/reference/layers does.
#pragma once

#include <string>

#include "verification/layer_case.hpp"

namespace attnlab {

/// The stages in the order of the reference file. Throws std::runtime_error for a layer or an input that is
/// unknown, Error where the layer itself does. Those of the two positional encodings exist for double alone.
template <class T>
NamedTensors<T> layer_stages(const std::string& layer, const LayerOptions& options,
                             const NamedTensors<T>& inputs);

}  // namespace attnlab
