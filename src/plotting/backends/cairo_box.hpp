// Opaque boxes on an image as Cairo paints them, to the bit, without its detours: a heat map has thousands.
#pragma once

#include <cairo.h>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// Paints the box and returns true where the context draws on an image, upright and without a clip; on other
/// surfaces, and what is not opaque, it paints nothing.
bool paint_box(cairo_t* context, const FilledBox& filled);

}  // namespace attnlab
