// What every product is made of.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// An experiment and its arguments.
struct Run {
  const Experiment* experiment = nullptr;
  Arguments arguments{{}};
};

/// The work has come so far, 0 to 1.
using Progress = std::function<void(double fraction)>;

/// Seconds of a clock that never jumps, from some time on.
double steady_seconds();

}  // namespace attnlab
