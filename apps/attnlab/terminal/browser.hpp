// The reader's browser.
#pragma once

#include <string>

namespace attnlab {

/// Where someone sees a browser: on a terminal, with a screen.
bool has_screen();

/// By the system's own opener, which says nothing here. Where there is none the address is on the screen.
void open_browser(const std::string& address);

}  // namespace attnlab
