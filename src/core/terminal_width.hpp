// How many columns a terminal gives to a text, and where a line of it may end.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// East Asian wide characters count two columns, combining marks none.
std::size_t display_width(const std::string& text);

/// With spaces behind it, up to that many columns.
std::string padded(const std::string& text, std::size_t columns);

/// Lines of at most `columns`, broken at spaces and between East Asian characters; a single longer word stays
/// whole. No line begins with 、。」） or a small kana, none ends with 「（ (kinsoku). '\n' ends a line.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns);

}  // namespace attnlab
