// Every stage of every layer against PyTorch's and NumPy's, as data/reference/layers stores them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verification/check.hpp"

namespace attnlab {

/// One check per case, type and stage of one file; the subject is "linear float32". Layers that throw fail.
std::vector<VerifyCheck> check_layers(const std::string& path, std::string_view json);

}  // namespace attnlab
