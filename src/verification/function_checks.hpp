// Single functions against NumPy's, as data/reference/attention and data/reference/random store them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verification/check.hpp"

namespace attnlab {

/// The checks of one file, chosen by its path; a file that nobody reads fails, so that none is forgotten.
std::vector<VerifyCheck> check_functions(const std::string& path, std::string_view json);

}  // namespace attnlab
