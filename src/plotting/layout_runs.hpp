// The runs of a Pango layout, each of one font at one height, from left to right.
#pragma once

#include <pango/pangocairo.h>

#include <memory>

namespace attnlab {

/// A run and where it stands, in Pango's units from the layout's upper left corner.
struct LayoutRun {
  PangoLayoutRun* run = nullptr;
  PangoRectangle logical{};
  int baseline = 0;
};

template <class Visit>
void for_each_run(PangoLayout* layout, Visit visit) {
  const std::unique_ptr<PangoLayoutIter, decltype(&pango_layout_iter_free)> iterator(
      pango_layout_get_iter(layout), pango_layout_iter_free);
  do {
    LayoutRun at{pango_layout_iter_get_run(iterator.get())};
    if (at.run == nullptr) continue;  // the end of a line
    pango_layout_iter_get_run_extents(iterator.get(), nullptr, &at.logical);
    at.baseline = pango_layout_iter_get_run_baseline(iterator.get());
    visit(at);
  } while (pango_layout_iter_next_run(iterator.get()) != FALSE);
}

/// The font's size in units of the layout.
inline double size_of(PangoFont* font) {
  const std::unique_ptr<PangoFontDescription, decltype(&pango_font_description_free)> description(
      pango_font_describe_with_absolute_size(font), pango_font_description_free);
  return pango_units_to_double(pango_font_description_get_size(description.get()));
}

}  // namespace attnlab
