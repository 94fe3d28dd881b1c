// Paints a display list through Cairo: shared by the PNG and the PDF backend.
#pragma once

#include <cairo.h>

#include "core/owned.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {

using CairoContext = Owned<cairo_t, cairo_destroy>;
using CairoSurface = Owned<cairo_surface_t, cairo_surface_destroy>;

/// A display list whose labels are set in type. Pango's fonts are a thread's own: the thread that makes it
/// paints it. In points: the caller has scaled the context to its device.
class Painting {
 public:
  explicit Painting(const DisplayList& list);
  void paint(cairo_t* context) const;

 private:
  const DisplayList& list_;
  std::vector<Typeset> texts_;  // of each item; empty but for labels
};

/// Throws Error (failed) when Cairo reports anything but success.
void require_success(cairo_status_t status);

}  // namespace attnlab
