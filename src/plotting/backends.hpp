// Paint a page into the bytes of a file. Nothing is written here: see io/.
#pragma once

#include <string>
#include <vector>

#include "plotting/display_list.hpp"

namespace attnlab {

/// 8-bit RGB at `dpi`, which the file records. Throws Error (failed) when memory or the codec fails.
std::string paint_png(const Page& page, double dpi);

/// Text as outlines, so that it looks the same everywhere; title, description and command as metadata.
std::string paint_svg(const Page& page);

/// One PDF page per page, at least one; fonts embedded, text searchable.
std::string paint_pdf(const std::vector<const Page*>& pages);

}  // namespace attnlab
