#include "plotting/text/kept_fonts.hpp"

#include <mutex>
#include <unordered_set>

#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

cairo_scaled_font_t* measured_font(const LayoutRun& at) {
  return pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(at.run->item->analysis.font));
}

}  // namespace

void keep(cairo_scaled_font_t* font) {
  static std::mutex one_at_a_time;
  static std::unordered_set<cairo_scaled_font_t*> kept;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (kept.insert(font).second) cairo_scaled_font_reference(font);
}

void keep_measured_fonts(PangoLayout* layout) {
  for_each_run(layout, [](const LayoutRun& at) { keep(measured_font(at)); });
}

void keep_drawn_fonts(cairo_t* context, PangoLayout* layout) {
  for_each_run(layout, [context](const LayoutRun& at) {
    cairo_set_scaled_font(context, measured_font(at));
    keep(cairo_get_scaled_font(context));  // another than the measured one where the context is scaled
  });
}

}  // namespace attnlab
