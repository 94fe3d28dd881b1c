// The table of expected values, row by row.
#pragma once

#include <vector>

#include "experiments/framework/expected_values.hpp"
#include "verification/check.hpp"
#include "verification/runs.hpp"

namespace attnlab {

/// One check per row; a row whose experiment or quantity does not exist fails.
std::vector<VerifyCheck> check_expected(const std::vector<ExpectedValue>& rows, Runs& runs);

}  // namespace attnlab
