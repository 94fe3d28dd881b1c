// Nested draws: a larger run keeps the numbers of the default one, so that a film over a size moves nothing
// else. Below the default size the first of its numbers are taken; what goes beyond is drawn after all else.
#pragma once

#include "experiments/framework/inputs.hpp"

namespace attnlab {

/// At least `rows` rows of standard normals, recorded under `name`; nothing is drawn for none. However many
/// are asked for, the first ones are the same: PyTorch draws 16 numbers at a time, and so many rows are
/// drawn.
Tensor<double> further_rows(Inputs& inputs, const std::string& name, std::size_t rows, std::size_t width);

}  // namespace attnlab
