// The random numbers against NumPy's and PyTorch's own.
#pragma once

#include <vector>

#include "verification/check.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {

/// random/numpy_random.json: the first numbers of each stream, and a million more by checksum.
std::vector<VerifyCheck> check_numpy_random(const StoredJson& file);

/// random/torch_random.json: rand exactly, randn within the accuracy of PyTorch's own log, cos and sin, and
/// the parameters of nn.Linear.
std::vector<VerifyCheck> check_torch_random(const StoredJson& file);

}  // namespace attnlab
