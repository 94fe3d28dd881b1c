// Lessons that other tasks borrow: `contrast` trains them with one thing changed.
#pragma once

#include "experiments/framework/parameter.hpp"
#include "tasks/framework/task.hpp"

namespace attnlab {

/// Of `train reverse`, `dictionary` and `induction`, from the arguments of those tasks. Throw Error (usage).
Lesson reversal(const Arguments& arguments);
Lesson dictionaries(const Arguments& arguments);
Lesson repetition(const Arguments& arguments);

}  // namespace attnlab
