// The only door to Pango: one font set-up per thread, used to measure and to paint alike.
#pragma once

#include <pango/pangocairo.h>

#include <memory>
#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"
#include "plotting/text/font_families.hpp"

namespace attnlab {

struct ObjectRelease {
  void operator()(gpointer object) const { g_object_unref(object); }
};
template <class T>
using GObjectPtr = std::unique_ptr<T, ObjectRelease>;

/// All text is set at this size and scaled by who measures or paints it: nothing is hinted, so shapes scale
/// exactly, and each further size would cost fontconfig a search of its own (and Pango a thread).
constexpr double reference_size = 100.0;

/// What a layout is scaled by for text of `size` points.
constexpr double scale_to(double size) {
  return size / reference_size;
}

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

}  // namespace attnlab
