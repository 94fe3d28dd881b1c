// Paint a page into the bytes of a file. Nothing is written here: see io/.
#pragma once

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// A page as pixels, for whatever is not written as a file of its own: the frames of a film, a terminal.
struct Pixels {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint32_t> values;  // row-major, 0xRRGGBB
};

/// The pixels that a PNG of that resolution has. Throws Error (failed) when memory fails.
Pixels paint_pixels(const Page& page, double dpi);

/// 8-bit RGB at `dpi`, which the file records. Throws Error (failed) when memory or the codec fails.
std::string paint_png(const Page& page, double dpi);

/// Text as outlines looks the same everywhere; text as text can be searched, translated and edited, and needs
/// the fonts where it is shown.
enum class Lettering { outlines, text };

/// Title, description and command are in the file as metadata.
std::string paint_svg(const Page& page, Lettering lettering = Lettering::outlines);

/// A length as vector formats spell it, in hundredths, which of a point are finer than any screen or printer:
/// "12.5", ".05", "-3".
std::string length_text(double value);

/// RFC 4648, without line breaks.
std::string base64(const std::string& bytes);

/// Pages that share a heading in the outline. Without a title they stand in the outline by themselves.
struct Chapter {
  std::string title;
  std::vector<const Page*> pages;
};

/// One PDF page per page, at least one; fonts embedded, text searchable. `about` is said of the whole file.
std::string paint_pdf(const std::vector<Chapter>& chapters, const Metadata& about);

/// The same for one figure.
std::string paint_pdf(const Page& page);

/// Whether a viewer opens the outline beside the pages.
enum class OutlinePane { closed, open };

/// What Cairo 1.16 cannot say about a PDF: the same with /Lang, and its title in the viewer's title bar.
/// `pdf` is Cairo's; one whose catalogue is not its last object, in the clear, is returned as it is.
std::string with_catalogue_entries(std::string pdf, const std::string& language, OutlinePane pane);

}  // namespace attnlab
