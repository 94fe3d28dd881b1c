// The size of a difference for people, the same on every processor.
#pragma once

#include <string>

namespace attnlab {

/// Differences of doubles near 1 up to this one are rounding: 450 machine epsilons, what sums of a few
/// hundred terms in another order come to. Which order, the kernel of BLAS decides that suits the processor.
constexpr double most_rounding = 1e-13;

/// "< 1e-13" for what may be rounding alone, 0 included; else two digits, "3.5e-07", "nan", "inf".
std::string difference_text(double difference);

}  // namespace attnlab
