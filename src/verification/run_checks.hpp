// Whole runs of experiments against NumPy's, as data/reference/<experiment> stores them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verification/check.hpp"
#include "verification/runs.hpp"

namespace attnlab {

/// One check per array and scalar of a file {"flags", "scalars", "arrays", "float32_arrays"}.
std::vector<VerifyCheck> check_run(const std::string& experiment, const std::string& path,
                                   std::string_view json, Runs& runs);

}  // namespace attnlab
