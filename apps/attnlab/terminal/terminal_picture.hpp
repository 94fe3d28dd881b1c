// A figure on the terminal itself, by Chafa.
#pragma once

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// The page as standard output takes it, ending with a newline: pixels in the protocol that the terminal
/// knows (kitty, iTerm2, sixels), else Chafa's characters, in its colours or without any (NO_COLOR, a pipe).
/// As wide as the terminal, but no higher. tmux and screen pass no pixels on.
std::string terminal_picture(const Page& page);

}  // namespace attnlab
