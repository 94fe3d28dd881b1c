// The words on the blackboard as arrays of other experiments: `--example by-hand`.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Whether its inputs have the shapes for it.
bool takes_example(const std::string& experiment);

/// The arguments with the example's arrays, where they ask for it: those of the experiment's inputs that it
/// has, in the shapes that are declared (head 1, where a square projection is wanted with columns of zeros
/// behind it). Throws Error (usage) beside arrays of the user's own, and for typed sizes that are not the
/// example's.
Arguments with_example(const Experiment& experiment, Arguments arguments);

/// `--example by-hand`, which these experiments get by themselves (see experiments()).
Parameter example_parameter();

}  // namespace attnlab
