// `attnlab verify`: checks what the program says about itself, and prints what was found.
#pragma once

#include <vector>

#include "attnlab/request.hpp"

namespace attnlab {

/// Throws Error: usage when the selection names nothing, failed when a check does not pass (exit code 1).
void run_verify(const Selection& selection, Printing printing, Language language);

/// What follows from the checks. Throws as above.
void conclude(const std::vector<VerifyCheck>& checks, const Selection& selection);

}  // namespace attnlab
