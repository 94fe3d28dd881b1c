// `attnlab verify`: checks what the program says about itself, and prints what was found.
#pragma once

#include "verification/verify.hpp"

namespace attnlab {

/// What follows from the checks. Throws Error: usage when the selection names nothing, failed when a check
/// does not pass (exit code 1).
void conclude(const Checks& checks, const Selection& selection);

}  // namespace attnlab
