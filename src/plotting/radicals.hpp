// Roots in running text: what stands under a radical sign, so that a bar can be drawn over it.
#pragma once

#include <string>

namespace attnlab {

/// Markup in which what stands under each √ is marked with an overline: a number, a letter with its scripts,
/// or a whole in parentheses, which the bar then replaces. A √ that stands alone stays as it is.
std::string mark_radicands(const std::string& markup);

}  // namespace attnlab
