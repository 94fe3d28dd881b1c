// --show: figures on standard output, and files only where they are asked for.
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
using attnlab::OutputKind;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

std::size_t widest_shown_line(const std::string& text) {
  std::size_t width = 0;
  for (const std::string& line : lines_of(text)) width = std::max(width, display_width(line));
  return width;
}

constexpr const char* kitty_start = "\x1b_G";
constexpr const char* iterm_start = "\x1b]1337;";
constexpr const char* sixel_start = "\x1bP";

}  // namespace

TEST_CASE("--show prints the report, then the main figure, and writes no file") {
  const Workplace place;
  const std::string report = place.run({"vectors", "--no-figure"}).out;
  const Outcome outcome = place.run({"vectors", "--show"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.rfind(report, 0) == 0);
  CHECK(contains(outcome.out.substr(report.size()), "The nearer the key, the larger its weight"));
  CHECK_FALSE(contains(outcome.out, "Weights × values"));
  CHECK(contains(outcome.err, "--figure bars"));
  CHECK(place.files().empty());
}

TEST_CASE("--figure chooses what --show shows") {
  const Workplace place;
  const Outcome one = place.run({"vectors", "--show", "--figure", "matrix"});
  CHECK(contains(one.out, "The row of weights (1, 10) times"));  // told in words
  CHECK_FALSE(contains(one.out, "The nearer the key"));
  CHECK(one.err.empty());
  const Outcome all = place.run({"vectors", "--show", "--figure", "all"});
  CHECK(contains(all.out, "Weights × values"));
  CHECK(contains(all.out, "The nearer the key"));
  CHECK(place.run({"vectors", "--show", "--figure", "nonsense"}).exit_code == 2);
  CHECK(place.files().empty());
}

TEST_CASE("with -o, --output-dir or --format the figure is shown and written") {
  const Workplace place;
  const Outcome file = place.run({"vectors", "--show", "-o", "x.svg"});
  CHECK(contains(file.out, "v2  0.212"));
  CHECK(lines_of(file.out).back() == "x.svg");
  CHECK(place.files() == Words{"x.svg"});
  CHECK(place.run({"self-attention", "--show", "--output-dir", "out"}).exit_code == 0);
  CHECK(place.has("out/self-attention-weights.png"));
  CHECK(place.run({"self-attention", "--show", "--format", "svg"}).exit_code == 0);
  CHECK(place.has("figures/self-attention-weights.svg"));
}

TEST_CASE("--show excludes what leaves no room for it") {
  const Workplace place;
  for (const std::string flag : {"--show", "--show-as=text"}) {
    for (const std::string other : {"--json", "--quiet", "--no-figure"}) {
      const Outcome outcome = place.run({"vectors", flag, other});
      CHECK(outcome.exit_code == 2);
      CHECK(outcome.out.empty());
      CHECK(contains(outcome.err, flag.substr(0, flag.find('='))));
      CHECK(contains(outcome.err, other));
    }
  }
  CHECK(place.run({"vectors", "--show-as", "png"}).exit_code == 2);
}

TEST_CASE("a pipe gets characters without colour, 80 columns wide unless COLUMNS says otherwise") {
  const Workplace place;
  const Words arguments = {"masks", "--show", "--figure", "all", "--lang", "ja"};
  const std::string usual = place.run(arguments).out;
  CHECK_FALSE(contains(usual, "\x1b"));
  CHECK(widest_shown_line(usual) <= 80);
  Circumstances wide;
  wide.environment = {"COLUMNS=120", "COLORTERM=truecolor", "TERM=xterm-kitty"};
  const std::string wider = place.run(arguments, wide).out;
  CHECK_FALSE(contains(wider, "\x1b"));
  CHECK(widest_shown_line(wider) > 80);
  CHECK(widest_shown_line(wider) <= 120);
  Circumstances nonsense;
  nonsense.environment = {"COLUMNS=many"};
  CHECK(place.run(arguments, nonsense).out == usual);
}

TEST_CASE("a terminal gets colours as far as it can, and none under NO_COLOR") {
  const Workplace place;
  const Words arguments = {"self-attention", "--show"};
  const std::string direct = ";48;2;";
  const std::string palette = ";48;5;";
  CHECK(contains(place.run(arguments, on_terminal({"TERM=alacritty", "COLORTERM=truecolor"})).out, direct));
  const std::string limited = place.run(arguments, on_terminal({"TERM=alacritty"})).out;
  CHECK(contains(limited, palette));
  CHECK_FALSE(contains(limited, direct));
  for (const std::string setting : {"NO_COLOR=1", "TERM=dumb"}) {
    CHECK_FALSE(contains(place.run(arguments, on_terminal({setting, "COLORTERM=truecolor"})).out, "\x1b["));
  }
}

TEST_CASE("terminals that show pixels get them, unless tmux is between or characters are asked for") {
  const Workplace place;
  const Words arguments = {"self-attention", "--show"};
  CHECK(contains(place.run(arguments, on_terminal({"TERM=xterm-kitty"})).out, kitty_start));
  CHECK(contains(place.run(arguments, on_terminal({"TERM=foot"})).out, sixel_start));
  const std::string in_tmux = place.run(arguments, on_terminal({"TERM=xterm-kitty", "TMUX=x,1,0"})).out;
  CHECK_FALSE(contains(in_tmux, kitty_start));
  CHECK(contains(in_tmux, "Token 3"));
  const Words text = {"self-attention", "--show-as", "text"};
  CHECK_FALSE(contains(place.run(text, on_terminal({"TERM=xterm-kitty"})).out, kitty_start));
  CHECK_FALSE(
      contains(place.run(arguments, on_terminal({"TERM=xterm-kitty", "NO_COLOR=1"})).out, kitty_start));
}

TEST_CASE("a protocol asked for by name is used, in a pipe, too, and alike each time") {
  const Workplace place;
  for (const auto& [name, start] :
       {std::pair{"kitty", kitty_start}, std::pair{"iterm", iterm_start}, std::pair{"sixel", sixel_start}}) {
    const Words arguments = {"heads", "--show-as", name, "--theme", "dark"};
    const Outcome outcome = place.run(arguments);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, start));
    CHECK(outcome.out == place.run(arguments).out);
  }
  CHECK(place.files().empty());
}

TEST_CASE("--show follows --lang, --theme, --blank and --explain, and serves attend") {
  const Workplace place;
  CHECK(contains(place.run({"vectors", "--show", "--lang", "ja"}).out, "近いキーほど注意度が大きい"));
  CHECK(contains(place.run({"self-attention", "--show", "--blank"}).out, "____"));
  const Circumstances terminal = on_terminal({"COLORTERM=truecolor"});
  CHECK(place.run({"self-attention", "--show"}, terminal).out !=
        place.run({"self-attention", "--show", "--theme", "dark"}, terminal).out);
  CHECK(contains(place.run({"self-attention", "--show", "--explain"}).out, "Token 3"));
  const Words attend = {"attend", "--show", "--query", "q.csv", "--key", "q.csv", "--value", "q.csv"};
  place.write("q.csv", "1,0\n0,1\n");
  CHECK(contains(place.run(attend).out, "Query ↓  Key →"));
  CHECK(contains(place.run({"self-attention", "--help"}).out, "--show-as"));
}
