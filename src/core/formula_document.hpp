// A formula in documents: read as a lecturer types it in TeX, written as a page shows it.
#pragma once

#include "core/formula.hpp"

namespace attnlab {

namespace formula {
/// Letters that stand together are factors; \frac, \sqrt, \mathrm, scripts, Greek letters, signs and names of
/// functions are known; spaces and sizes of brackets are passed over. Throws Error (usage) naming what is not
/// known, and for braces that do not close.
Formula read_tex(std::string_view tex);
}  // namespace formula

/// In a line of text, or on a line of its own.
enum class MathPlace { inline_text, displayed };

/// A whole <math> element for HTML, escaped. The limits of a sum stand below and above it.
std::string to_mathml(const Formula& formula, MathPlace place);

}  // namespace attnlab
