// The page for one square map per head.
#pragma once

#include <cstddef>

#include "plotting/figure.hpp"

namespace attnlab {

/// Room for `maps` square maps, as the layout arranges them.
PageSize page_for_maps(std::size_t maps);

}  // namespace attnlab
