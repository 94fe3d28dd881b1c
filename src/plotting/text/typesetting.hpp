// The only door to Pango: one font set-up per thread, used to measure and to paint alike. And roots in
// running text: what stands under a radical sign, a sign as high as that, and the bar over it.
#pragma once

#include <pango/pangocairo.h>

#include "core/owned.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

template <class T>
using GObjectPtr = Owned<T, g_object_unref>;
using CairoContext = Owned<cairo_t, cairo_destroy>;
using CairoSurface = Owned<cairo_surface_t, cairo_surface_destroy>;

/// All text is set at this size and scaled by who measures or paints it: nothing is hinted, so shapes scale
/// exactly, and each further size would cost fontconfig a search of its own (and Pango a thread).
constexpr double reference_size = 100.0;

/// What a layout is scaled by for text of `size` points.
constexpr double scale_to(double size) { return size / reference_size; }

/// The bar over what stands under a root, and the bytes of the text that it covers, end excluded.
struct RootBar {
  Box box;
  int begin = 0;
  int end = 0;
};

/// Letters, and the bars over what stands under a root, both at the reference size. Grown root signs make
/// Pango's line higher than the text's: its layout is painted `lift` higher (negative y), the bars where they
/// are. The layout is shared with other labels of the same letters: it is not to be changed.
struct Typeset {
  std::shared_ptr<PangoLayout> layout;
  std::vector<RootBar> bars = {};
  double lift = 0.0;
  double extra_height = 0.0;  // what Pango's line is higher than the text's
};

/// One line of markup at the reference size. Sizes and rises inside the markup are meant for text of `size`
/// points and are scaled along. Throws Error (failed) for markup or UTF-8 that Pango cannot read.
Typeset typeset(const std::string& markup, double size, Weight weight);

/// The same for plain text.
GObjectPtr<PangoLayout> typeset_plain(const std::string& plain, Weight weight);

/// The names of the font that sets the first character of `text`, in every language that it has names in:
/// fontconfig puts the locale's first, "BIZ UDPゴシック" before "BIZ UDPGothic".
std::vector<std::string> families_that_set(const std::string& text);

/// What the item's text was told to rise, in Pango's units: subscripts fall.
int rise_of(const PangoItem& item);

/// A run and where it stands, in Pango's units from the layout's upper left corner.
struct LayoutRun {
  PangoLayoutRun* run = nullptr;
  PangoRectangle logical{};
  int baseline = 0;
};

/// The runs of a layout, each of one font at one height, from left to right.
template <class Visit>
void for_each_run(PangoLayout* layout, Visit visit) {
  const Owned<PangoLayoutIter, pango_layout_iter_free> iterator(pango_layout_get_iter(layout));
  do {
    LayoutRun at{pango_layout_iter_get_run(iterator.get())};
    if (at.run == nullptr) continue;  // the end of a line
    pango_layout_iter_get_run_extents(iterator.get(), nullptr, &at.logical);
    at.baseline = pango_layout_iter_get_run_baseline(iterator.get());
    visit(at);
  } while (pango_layout_iter_next_run(iterator.get()) != FALSE);
}

/// What is known under a key, or else made; of very much all is forgotten.
template <class Key, class Value, class Make>
const Value& remembered(std::map<Key, Value>& known, const Key& key, const Make& make) {
  constexpr std::size_t enough = 2048;
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() == enough) known.clear();
  return known.emplace(key, make()).first->second;
}

using FontDescription = Owned<PangoFontDescription, pango_font_description_free>;

/// The font's size in units of the layout.
inline double size_of(PangoFont* font) {
  const FontDescription description(pango_font_describe_with_absolute_size(font));
  return pango_units_to_double(pango_font_description_get_size(description.get()));
}

/// Markup in which what stands under each √ is marked with an overline: a number, a letter with its scripts,
/// or a whole in parentheses, which the bar then replaces. A √ that stands alone stays as it is.
std::string mark_radicands(const std::string& markup);

}  // namespace attnlab
