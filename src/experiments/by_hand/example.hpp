// The words on the blackboard as arrays of other experiments: `--example by-hand`.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// river, bank, lends.
std::vector<ShortText> names_by_hand();

/// Those of an experiment's inputs that the example has, in the shapes that are declared: queries and keys of
/// head 1, the values of both heads side by side, with columns of zeros behind them where projections of this
/// width are wanted; 0: as in by-hand.
DeclaredExample words_by_hand(std::size_t width);

}  // namespace attnlab
