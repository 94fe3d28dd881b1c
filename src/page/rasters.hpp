// Maps of many cells as images: a page has no element for each of thousands of cells.
#pragma once

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// A map of more cells is an image on a page.
constexpr std::size_t most_page_cells = 1024;

/// The list with one raster in the place of the boxes `id[0,0]`, `id[0,1]`, ..., where these touch each other
/// and are more than `most_page_cells`; what lies upon them stays.
DisplayList with_rasters(const DisplayList& list);

}  // namespace attnlab
