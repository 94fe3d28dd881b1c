// The Markdown of a lecture as HTML.
#pragma once

#include "core/formula_document.hpp"

namespace attnlab {

/// CommonMark: paragraphs, lists, emphasis, code, quotations, links and headings, which stand below those of
/// sections. A formula in TeX stands between dollars, as in $d_k$, or between double ones: as in pandoc no
/// space stands inside the first and the last, and no digit behind the last. HTML is text; links to scripts
/// lose their target. Throws Error (usage) for a picture, which would be another file, and for a formula that
/// cannot be read.
std::string markdown_html(const std::string& markdown);

}  // namespace attnlab
