// The Markdown of a lecture as HTML.
#pragma once

#include "core/formula_document.hpp"

namespace attnlab {

/// What a text needs of its document; each may be missing.
struct MarkdownContext {
  std::function<std::string(std::size_t line)> place = {};  // of a line of the text, counted from 0
  std::function<std::string(const std::string& target)> picture = {};  // its address; throws Error
  std::vector<std::string> notes = {};                                 // names of footnotes, in their order
};

/// CommonMark with pipe tables, strike-through, task lists, pictures ("![alt](cat.png){width=60%}"),
/// references to footnotes ("[^name]") and headings with attributes ("## A {#id .unnumbered}"), which stand
/// below those of sections. A formula in TeX stands between dollars, as in $d_k$, or between double ones. A
/// line's end between Japanese letters is no space. HTML is text.
/// Throws Error (usage) for a picture without `picture`, for a link that check_link refuses, for an attribute
/// other than the width and height of a picture, and for a formula that cannot be read; with `place` it is
/// Error (failed) at its place.
std::string markdown_html(const std::string& markdown, const MarkdownContext& context = {});

/// Throws Error (usage) for a link that leads elsewhere than to http, https, mailto or beside the document,
/// as to a script.
void check_link(const std::string& target);

}  // namespace attnlab
