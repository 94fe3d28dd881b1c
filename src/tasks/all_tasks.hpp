// Lessons that other tasks borrow: `contrast` trains them with one thing changed.
#pragma once

#include "experiments/framework/parameter.hpp"
#include "tasks/framework/task.hpp"

namespace attnlab {

/// Of `train reverse`, `dictionary` and `induction`, from the arguments of those tasks. Throw Error (usage).
Task reversal(const Arguments& arguments);
Task dictionaries(const Arguments& arguments);
Task repetition(const Arguments& arguments);

}  // namespace attnlab
