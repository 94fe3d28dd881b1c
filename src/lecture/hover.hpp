// What a figure says when the pointer rests on one of its marks: a value, and where it belongs.
#pragma once

#include <map>

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// By the id of the display list's item: "weights[2,5]" -> "Query 2, Key 5: 0.2346".
std::map<std::string, std::string> hover_texts(const Figure& figure, Language language);

}  // namespace attnlab
