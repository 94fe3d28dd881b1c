// What must hold of a report, whatever its numbers are.
#pragma once

#include <vector>

#include "results/report/report.hpp"
#include "verification/check.hpp"

namespace attnlab {

/// The report's own invariants; and one per array of weights (its name contains "weights", its last axis is
/// "keys"): every row sums to 1, or is NaN throughout because it was computed from scores that are all -inf
/// or hold a NaN.
std::vector<VerifyCheck> check_invariants(const Report& report);

/// Every stage that an operation gives, computed again from its operands by plain loops.
std::vector<VerifyCheck> check_derivations(const Report& report);

}  // namespace attnlab
