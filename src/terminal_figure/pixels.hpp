// Pictures made of pixels in a terminal: what it can show, and a page as the escape sequences it understands.
#pragma once

#include "plotting/backends/backends.hpp"
#include "terminal_figure/picture.hpp"

namespace attnlab {

/// A protocol for pictures made of pixels.
enum class PixelProtocol { none, kitty, iterm, sixel };

struct TerminalAbilities {
  PixelProtocol pixels = PixelProtocol::none;
  TerminalColours colours = TerminalColours::palette_256;
};

/// `environment` holds "TERM=foot" and the like. tmux and screen show no pixels; tmux takes any colour and
/// finds the nearest that its own terminal has.
TerminalAbilities terminal_abilities(const std::vector<std::string>& environment);

/// Kitty's graphics protocol and iTerm2's inline images take a PNG file, which the terminal scales to so many
/// columns. Each ends with a newline.
std::string kitty_sequence(const std::string& png, std::size_t columns);
std::string iterm_sequence(const std::string& png, std::size_t columns);

/// DEC's sixels, in 256 colours that suit the picture. The terminal scales nothing. Ends with a newline.
std::string sixel_sequence(const Pixels& pixels);

}  // namespace attnlab
