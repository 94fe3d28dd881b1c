// A report as terminal text: what a lecturer reads out.
#pragma once

#include <string>

#include "core/text.hpp"
#include "results/report/report.hpp"

namespace attnlab {

enum class Colouring { plain, ansi };

/// Headings, formulas, numbers in NumPy's form, aligned tables (East Asian characters count two columns),
/// the sentence to say and the usual misunderstanding. Ends with a newline.
std::string to_terminal(const Report& report, Language language, Colouring colouring);

}  // namespace attnlab
