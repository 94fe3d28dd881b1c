// The letters of labels, written as briefly as their places allow.
#pragma once

#include "core/json.hpp"

namespace attnlab {

/// Labels such as "12;13 640;7 1280 -30" become {"labels": [...], "advances": [...]}: a glyph that stands
/// where the one before it ends is written without its place. By the number of a glyph `advances` says how
/// far the next one stands, null where none does.
Json brief_letters(const std::vector<std::string>& labels);

}  // namespace attnlab
