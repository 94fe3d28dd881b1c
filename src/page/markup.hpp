// Pieces of a page's markup in both languages; what is said is text, never markup.
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// `<p class="source" lang="ja">...</p>` and the same in English.
std::string in_both(const std::string& element, const std::string& attributes, const Text& text);

/// As <span>s.
std::string span(const Text& text);

/// src/page/assets/NAME without the lines that are comments and without indentation. Throws std::out_of_range
/// where there is none.
std::string page_asset(std::string_view name);

}  // namespace attnlab
