// The only door to Pango: one font set-up per thread, used to measure and to paint alike.
#pragma once

#include <pango/pangocairo.h>

#include <memory>
#include <string>
#include <vector>

#include "plotting/display_list.hpp"

namespace attnlab {

struct ObjectRelease {
  void operator()(gpointer object) const { g_object_unref(object); }
};
template <class T>
using GObjectPtr = std::unique_ptr<T, ObjectRelease>;

/// Inter for Latin, figures of equal width; BIZ UDPGothic for Japanese. Both are made for legibility.
constexpr const char* latin_family = "Inter";
constexpr const char* japanese_family = "BIZ UDPGothic";

/// One line of markup, ready to be measured or painted; one unit is one point.
/// Throws Error (failed) for markup or UTF-8 that Pango cannot read.
GObjectPtr<PangoLayout> typeset(const std::string& markup, double size, Weight weight);

/// The same for plain text.
GObjectPtr<PangoLayout> typeset_plain(const std::string& plain, double size, Weight weight);

/// The names of the font that really serves a request for `family`, in every language that it has names in:
/// fontconfig puts the locale's first, "BIZ UDPゴシック" before "BIZ UDPGothic".
std::vector<std::string> resolved_families(const char* family);

}  // namespace attnlab
