// What a run may ask of its surroundings that is not a value: almost no experiment needs it.
#pragma once

#include <functional>

namespace attnlab {

/// Only an experiment that measures time looks at the clock; only long work reports progress.
struct Context {
  std::function<double()> seconds;                // a steady clock; its zero means nothing
  std::function<void(double fraction)> progress;  // 0 to 1
};

/// A clock that stands still and a progress that nobody sees: for every run that measures nothing.
Context quiet_context();

}  // namespace attnlab
