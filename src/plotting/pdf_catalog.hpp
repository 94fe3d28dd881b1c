// What Cairo 1.16 cannot say about a PDF: its language, and how a viewer should open it.
#pragma once

#include <string>

namespace attnlab {

/// Whether a viewer opens the outline beside the pages.
enum class OutlinePane { closed, open };

/// The same PDF with /Lang, and its title in the viewer's title bar. `pdf` is Cairo's; one whose catalogue is
/// not its last object, in the clear, is returned as it is.
std::string with_catalogue_entries(std::string pdf, const std::string& language, OutlinePane pane);

}  // namespace attnlab
