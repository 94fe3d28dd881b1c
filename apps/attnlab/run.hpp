// Carries out a request: everything is checked, then computed, then laid out, then written, then printed.
#pragma once

#include "attnlab/request.hpp"

namespace attnlab {

/// Throws Error; see its kind for the exit code. No file is left half-written.
void carry_out(const Request& request);

}  // namespace attnlab
