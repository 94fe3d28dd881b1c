// --show: the figures that are written, on the terminal too.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/terminal_width.hpp"
#include "program.hpp"

using attnlab::Circumstances;
using attnlab::contains;
using attnlab::display_width;
using attnlab::lines_of;
using attnlab::on_terminal;
using attnlab::Outcome;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

std::size_t widest_shown_line(const std::string& text) {
  std::size_t width = 0;
  for (const std::string& line : lines_of(text)) width = std::max(width, display_width(line));
  return width;
}

std::size_t lines_in(const std::string& text) { return lines_of(text).size(); }

const Words just_shown = {"self-attention", "--show", "--quiet"};

constexpr const char* kitty_start = "\x1b_G";
constexpr const char* iterm_start = "\x1b]1337;";
constexpr const char* sixel_start = "\x1bP";

}  // namespace

TEST_CASE("--show draws below the report, writes the file and names it last") {
  const Workplace place;
  const std::string report = place.run({"vectors", "--no-figure"}).out;
  const Outcome outcome = place.run({"vectors", "--show", "--figure", "bars"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.rfind(report, 0) == 0);
  CHECK(lines_in(outcome.out) > lines_in(report) + 10);
  CHECK(lines_of(outcome.out).back() == "figures/vectors-bars.png");
  CHECK(place.files() == Words{"figures/vectors-bars.png"});
}

TEST_CASE("--figure and --quiet choose what --show shows, -o where it lies") {
  const Workplace place;
  const std::string one =
      place.run({"vectors", "--show", "--figure", "matrix", "--quiet", "-o", "x.svg"}).out;
  CHECK(place.files() == Words{"x.svg"});
  const std::string all = place.run({"vectors", "--show", "--figure", "all", "--quiet"}).out;
  CHECK(contains(all, one));
  CHECK(lines_in(all) > 2 * lines_in(one));
  CHECK(place.run({"vectors", "--show", "--figure", "nonsense"}).exit_code == 2);
}

TEST_CASE("--show excludes what leaves no room for it") {
  const Workplace place;
  for (const std::string other : {"--json", "--no-figure"}) {
    const Outcome outcome = place.run({"vectors", "--show", other});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, "--show"));
    CHECK(contains(outcome.err, other));
  }
}

TEST_CASE("a pipe gets characters without colour, 80 columns wide unless COLUMNS says otherwise") {
  const Workplace place;
  const std::string usual = place.run(just_shown).out;
  CHECK_FALSE(contains(usual, "\x1b"));
  CHECK(widest_shown_line(usual) <= 80);
  CHECK(contains(usual, "█"));  // the cells' ink
  Circumstances wide;
  wide.environment = {"COLUMNS=120", "COLORTERM=truecolor", "TERM=xterm-kitty"};
  const std::string wider = place.run(just_shown, wide).out;
  CHECK_FALSE(contains(wider, "\x1b"));
  CHECK(widest_shown_line(wider) > 80);
  CHECK(widest_shown_line(wider) <= 120);
}

TEST_CASE("a terminal gets colours as far as it can, and none under NO_COLOR") {
  const Workplace place;
  const std::string direct = ";48;2;";
  const std::string palette = ";48;5;";
  CHECK(contains(place.run(just_shown, on_terminal({"TERM=alacritty", "COLORTERM=truecolor"})).out, direct));
  const std::string limited = place.run(just_shown, on_terminal({"TERM=alacritty"})).out;
  CHECK(contains(limited, palette));
  CHECK_FALSE(contains(limited, direct));
  for (const std::string setting : {"NO_COLOR=1", "TERM=dumb"})
    CHECK_FALSE(contains(place.run(just_shown, on_terminal({setting, "COLORTERM=truecolor"})).out, "\x1b["));
}

TEST_CASE("terminals that show pixels get them, unless tmux is between") {
  const Workplace place;
  CHECK(contains(place.run(just_shown, on_terminal({"TERM=xterm-kitty"})).out, kitty_start));
  CHECK(contains(place.run(just_shown, on_terminal({"TERM=foot"})).out, sixel_start));
  CHECK(contains(place.run(just_shown, on_terminal({"TERM=xterm-256color", "LC_TERMINAL=iTerm2"})).out,
                 iterm_start));
  CHECK_FALSE(
      contains(place.run(just_shown, on_terminal({"TERM=xterm-kitty", "TMUX=x,1,0"})).out, kitty_start));
  CHECK_FALSE(
      contains(place.run(just_shown, on_terminal({"TERM=xterm-kitty", "NO_COLOR=1"})).out, kitty_start));
}
