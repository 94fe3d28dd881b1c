// What the environment tells about a terminal.
#include "terminal_figure/pixels.hpp"

#include <doctest/doctest.h>

using namespace attnlab;

TEST_CASE("terminals that show pixels are known by their environment") {
  CHECK(terminal_abilities({"TERM=xterm-kitty"}).pixels == PixelProtocol::kitty);
  CHECK(terminal_abilities({"TERM=foot"}).pixels == PixelProtocol::sixel);
  CHECK(terminal_abilities({"TERM=mlterm"}).pixels == PixelProtocol::sixel);
  CHECK(terminal_abilities({"TERM=xterm-256color", "TERM_PROGRAM=iTerm.app"}).pixels == PixelProtocol::iterm);
  CHECK(terminal_abilities({"TERM=xterm-256color"}).pixels == PixelProtocol::none);
  CHECK(terminal_abilities({}).pixels == PixelProtocol::none);
}

TEST_CASE("tmux and screen show no pixels, whatever terminal they run in") {
  CHECK(terminal_abilities({"TERM=xterm-kitty", "TMUX=/tmp/tmux-0/default,1,0"}).pixels ==
        PixelProtocol::none);
  CHECK(terminal_abilities({"TERM=tmux-256color", "KITTY_PID=1"}).pixels == PixelProtocol::none);
  CHECK(terminal_abilities({"TERM=foot", "STY=1.pts-0.host"}).pixels == PixelProtocol::none);
}

TEST_CASE("24-bit colours go where they are promised or known, 256 elsewhere") {
  CHECK(terminal_abilities({"TERM=alacritty", "COLORTERM=truecolor"}).colours == TerminalColours::direct);
  CHECK(terminal_abilities({"TERM=alacritty", "COLORTERM=24bit"}).colours == TerminalColours::direct);
  CHECK(terminal_abilities({"TERM=screen-256color", "TMUX=x"}).colours == TerminalColours::direct);
  CHECK(terminal_abilities({"TERM=xterm-256color"}).colours == TerminalColours::direct);
  CHECK(terminal_abilities({"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"}).colours ==
        TerminalColours::palette_256);
  CHECK(terminal_abilities({"TERM=screen-256color"}).colours == TerminalColours::palette_256);
  CHECK(terminal_abilities({}).colours == TerminalColours::palette_256);
}
