// The rule by which the tests compare is the one that `attnlab verify` applies.
#pragma once

#include "core/agreement.hpp"  // IWYU pragma: export
