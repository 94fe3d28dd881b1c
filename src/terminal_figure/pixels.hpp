// What a terminal can show, as far as its environment tells.
#pragma once

#include <string>
#include <vector>

#include "terminal_figure/escapes.hpp"

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

}  // namespace attnlab
