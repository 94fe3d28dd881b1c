// Page sizes as the user types them: 12inx12in, 30x20cm, 1728x1728px.
#pragma once

#include <string>

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Two numbers with units in, cm, mm, pt or px joined by an x; one unit may serve both. Pixels count at
/// `dpi`. Throws Error (usage) for any other form, and for a side outside 1..200 in.
PageSize parse_page_size(const std::string& text, double dpi);

/// Throws Error (usage) when the page has more than 100 million pixels, or a side more than Cairo's 32767.
void check_pixels(const PageSize& page, double dpi);

}  // namespace attnlab
