// Functions and layers against NumPy's and PyTorch's results, as data/reference stores them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verification/check.hpp"

namespace attnlab {

/// The checks of one file, chosen by its path; a file that nobody reads fails, so that none is forgotten.
std::vector<VerifyCheck> check_functions(const std::string& path, std::string_view json);

/// One check per case, type and stage of one file; the subject is "linear float32". Layers that throw fail.
std::vector<VerifyCheck> check_layers(const std::string& path, std::string_view json);

}  // namespace attnlab
