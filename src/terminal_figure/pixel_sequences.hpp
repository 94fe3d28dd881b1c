// A page of pixels as the escape sequences that terminals understand.
#pragma once

#include <cstddef>
#include <string>

#include "plotting/pixels.hpp"

namespace attnlab {

/// Kitty's graphics protocol and iTerm2's inline images take a PNG file, which the terminal scales to so many
/// columns. Each ends with a newline.
std::string kitty_sequence(const std::string& png, std::size_t columns);
std::string iterm_sequence(const std::string& png, std::size_t columns);

/// DEC's sixels, in 256 colours that suit the picture. The terminal scales nothing. Ends with a newline.
std::string sixel_sequence(const Pixels& pixels);

}  // namespace attnlab
