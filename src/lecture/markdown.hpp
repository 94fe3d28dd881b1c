// The Markdown of a lecture as HTML.
#pragma once

#include "core/formula_document.hpp"

namespace attnlab {

/// CommonMark: paragraphs, lists, emphasis, code, quotations, links and headings, which stand below those of
/// sections. A formula in TeX stands between dollars, as in $d_k$, or between double ones: as in pandoc no
/// space stands inside the first and the last, and no digit behind the last. HTML is text.
/// Throws Error (usage) for a picture, which would be another file, for a link that check_link refuses, and
/// for a formula that cannot be read; where `place` names the lines of the text, counted from 0, it is Error
/// (failed) at its place.
std::string markdown_html(const std::string& markdown,
                          const std::function<std::string(std::size_t line)>& place = {});

/// Throws Error (usage) for a link that leads elsewhere than to http, https, mailto or beside the document,
/// as to a script.
void check_link(const std::string& target);

}  // namespace attnlab
