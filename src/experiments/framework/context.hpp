// What a run may ask of its surroundings that is not a value: almost no experiment needs it.
#pragma once

#include <functional>

#include "core/for_each.hpp"

namespace attnlab {

/// Only an experiment that measures time looks at the clock; only long work reports progress or is divided.
struct Context {
  std::function<double()> seconds;                // a steady clock; its zero means nothing
  std::function<void(double fraction)> progress;  // 0 to 1
  ForEach for_each = one_after_another;           // for parts that may run at the same time
};

/// A clock that stands still, a progress that nobody sees and one thread: for every run that measures
/// nothing.
Context quiet_context();

}  // namespace attnlab
