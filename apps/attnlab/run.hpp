// Carries out a request: everything is checked, then computed, then laid out, then written, then printed.
#pragma once

#include "attnlab/request.hpp"

namespace attnlab {

/// Whether the request was carried out, or was and found something wrong (--check). The value is the exit
/// code.
enum class Outcome { done = 0, disagreement = 1 };

/// Throws Error; see its kind for the exit code. No file is left half-written.
Outcome carry_out(const Request& request);

}  // namespace attnlab
