// The words on the blackboard as arrays of other experiments: `--example by-hand`.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Those of an experiment's inputs that the example has, in the shapes that are declared: of head 1, with
/// columns of zeros behind it where projections of this width are wanted; 0: as in by-hand.
DeclaredExample words_by_hand(std::size_t width);

}  // namespace attnlab
