// What the variance experiment reports of a run: the trace, what must hold, and the words.
#pragma once

#include <vector>

#include "experiments/variance/variance.hpp"
#include "results/report/report.hpp"

namespace attnlab {

std::vector<Stage> variance_stages(const VarianceRun& run);
std::vector<Invariant> variance_invariants(const VarianceRun& run);
std::vector<Block> variance_body(const VarianceRun& run);

}  // namespace attnlab
