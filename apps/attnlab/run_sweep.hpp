// `attnlab sweep`: many runs become one film.
#pragma once

#include "attnlab/request.hpp"

namespace attnlab {

/// Throws Error; see its kind for the exit code. No file is left half-written.
void run_sweep(const Request& request);

}  // namespace attnlab
