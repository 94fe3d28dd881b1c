// Runs an experiment for every value of its sliders, and makes one page of the frames.
#pragma once

#include "attnlab/experiment/experiment_request.hpp"
#include "page/page.hpp"

namespace attnlab {

/// Throws Error (usage) when no figure changes with every slider, or when the one that was asked for does
/// not.
WrittenPage experiment_page(const ExperimentRequest& request);

}  // namespace attnlab
