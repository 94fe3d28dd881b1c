// The page for one square map per head.
#pragma once

#include <cstddef>

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// How many maps stand in a row: up to four; of more a block without holes where their number allows it, as
/// 8 = 4 x 2 and 32 = 8 x 4.
std::size_t columns_of_maps(std::size_t maps);

/// Room for `maps` square maps in such rows.
PageSize page_for_maps(std::size_t maps);

}  // namespace attnlab
