// The Markdown of a manifest as HTML.
#pragma once

#include "core/formula_document.hpp"

namespace attnlab {

/// CommonMark: paragraphs, lists, emphasis, code, quotations, links and headings, which stand below those of
/// sections. A formula in TeX stands in `$` and backquotes, as in $`d_k`$. HTML is text; links to scripts
/// lose their target. Throws Error (usage) for a picture, which would be another file, and for a formula that
/// cannot be read.
std::string markdown_html(const std::string& markdown);

}  // namespace attnlab
