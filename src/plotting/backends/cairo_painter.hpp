// Paints a display list through Cairo: shared by the PNG and the PDF backend.
#pragma once

#include <cairo.h>

#include "core/owned.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

using CairoContext = Owned<cairo_t, cairo_destroy>;
using CairoSurface = Owned<cairo_surface_t, cairo_surface_destroy>;

/// Paints in points: the caller has scaled the context to its device.
void paint(const DisplayList& list, cairo_t* context);

/// Paints only the items that reach into the strip of the page between two heights.
void paint_strip(const DisplayList& list, cairo_t* context, double top, double bottom);

/// Throws Error (failed) when Cairo reports anything but success.
void require_success(cairo_status_t status);

}  // namespace attnlab
