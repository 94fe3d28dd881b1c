// A preset keeps its letters: where its page has no room for a figure, the page grows instead.
#pragma once

#include <functional>
#include <string>

#include "attnlab/look.hpp"

namespace attnlab {

/// Calls `lay_out` with the look's page, and with larger and larger ones as long as it throws NoRoom and the
/// page is a preset's own; returns the page that had room. Throws what the last call threw.
PageSize page_with_room(const Look& look, const PageSize& own,
                        const std::function<void(const PageSize&)>& lay_out);

/// That the figure is not drawn on its preset's page.
Text larger_page(const std::string& figure, const Preset& preset, const PageSize& page);

}  // namespace attnlab
