// The stored layer norms and Transformer layers whose inputs are stored, too.
#pragma once

#include <vector>

#include "verification/check.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {

std::vector<VerifyCheck> check_layer_norm_file(const StoredJson& file);
std::vector<VerifyCheck> check_transformer_layer_file(const StoredJson& file);

}  // namespace attnlab
