// Why the system refused, in both languages.
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// What `error_number` (errno) means: the usual ones in words, the others in Japanese by their number.
Text system_reason(int error_number);

}  // namespace attnlab
