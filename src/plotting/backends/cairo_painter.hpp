// Paints a display list through Cairo: shared by the PNG and the PDF backend.
#pragma once

#include <cairo.h>

#include <memory>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

struct CairoRelease {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using CairoContext = std::unique_ptr<cairo_t, CairoRelease>;
using CairoSurface = std::unique_ptr<cairo_surface_t, CairoRelease>;

/// Paints in points: the caller has scaled the context to its device.
void paint(const DisplayList& list, cairo_t* context);

/// Paints only the items that reach into the strip of the page between two heights.
void paint_strip(const DisplayList& list, cairo_t* context, double top, double bottom);

/// Throws Error (failed) when Cairo reports anything but success.
void require_success(cairo_status_t status);

}  // namespace attnlab
