// The words on the blackboard as arrays of other experiments: `--example by-hand`.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

bool takes_example(const std::string& experiment);

/// Those of its inputs that the example has, in the shapes that the experiment declares: head 1, where a
/// square projection is wanted with columns of zeros behind it.
std::vector<GivenArray> example_by_hand(const std::string& experiment,
                                        const std::vector<DeclaredInput>& inputs);

/// `--example by-hand`, which an experiment with such inputs gets by itself (see experiments()).
Parameter example_parameter();

}  // namespace attnlab
