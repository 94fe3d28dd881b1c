// The picture of a mistake: right beside wrong on one colour scale.
#pragma once

#include <string>

#include "experiments/mistakes/mistake.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Named after the mistake; `seed` as it was typed.
Figure mistake_figure(const Mistake& mistake, const MistakeRun& run, const std::string& seed);

}  // namespace attnlab
