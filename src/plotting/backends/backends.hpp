// Paint a page into the bytes of a file. Nothing is written here: see io/.
#pragma once

#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// 8-bit RGB at `dpi`, which the file records. Throws Error (failed) when memory or the codec fails.
std::string paint_png(const Page& page, double dpi);

/// Text as outlines looks the same everywhere; text as text can be searched, translated and edited, and needs
/// the fonts where it is shown.
enum class Lettering { outlines, text };

/// Title, description and command are in the file as metadata.
std::string paint_svg(const Page& page, Lettering lettering = Lettering::outlines);

/// A document of its own, or only the tikzpicture, to be read into another document with \input.
enum class TexExtent { document, picture };

/// TikZ for lualatex. TeX sets the labels, in the document's own font.
std::string paint_tikz(const Page& page, TexExtent extent = TexExtent::document);

/// Pages that share a heading in the outline. Without a title they stand in the outline by themselves.
struct Chapter {
  std::string title;
  std::vector<const Page*> pages;
};

/// One PDF page per page, at least one; fonts embedded, text searchable. `about` is said of the whole file.
std::string paint_pdf(const std::vector<Chapter>& chapters, const Metadata& about);

/// The same for one figure.
std::string paint_pdf(const Page& page);

}  // namespace attnlab
