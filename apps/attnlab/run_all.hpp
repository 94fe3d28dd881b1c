// `attnlab all`: every figure of every experiment.
#pragma once

#include "attnlab/request.hpp"

namespace attnlab {

/// Draws on all processors, then writes. Throws Error, before anything is written where a page is too small.
void run_all(const Request& request);

}  // namespace attnlab
