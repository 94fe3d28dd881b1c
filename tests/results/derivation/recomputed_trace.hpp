// A whole trace computed again, for tests that compare it with what the program gave.
#pragma once

#include <vector>

#include "results/derivation/recompute.hpp"

namespace attnlab {

/// Every stage in order, each from the recomputed ones before it.
inline std::vector<Stage> recomputed(std::vector<Stage> trace) {
  for (Stage& stage : trace) stage.array = recomputed(stage, trace);
  return trace;
}

}  // namespace attnlab
