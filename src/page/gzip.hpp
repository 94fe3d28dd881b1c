// The data of a page, compressed: a browser's DecompressionStream reads them.
#pragma once

#include <string>

namespace attnlab {

/// The same bytes for the same text, without a name and a date. Throws std::bad_alloc.
std::string gzip(const std::string& text);

}  // namespace attnlab
