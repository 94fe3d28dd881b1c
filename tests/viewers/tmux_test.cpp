// Figures in a real terminal: tmux lays out the characters, and hands back what it shows.
#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "cli/program.hpp"
#include "cli/shell.hpp"
#include "programs.hpp"

using attnlab::contains;
using attnlab::printed_by;
using attnlab::shell_path;
using attnlab::Workplace;

namespace {

/// A terminal of 80 columns, with a server of its own.
class Tmux {
 public:
  explicit Tmux(const Workplace& place)
      : tmux_("LC_ALL=C.UTF-8 tmux -u -S " + shell_path(place.path("socket")) + " ") {}
  Tmux(const Tmux&) = delete;
  Tmux(Tmux&&) = delete;
  Tmux& operator=(const Tmux&) = delete;
  Tmux& operator=(Tmux&&) = delete;
  ~Tmux() { printed_by(tmux_ + "kill-server 2>/dev/null"); }

  /// What the terminal shows once attnlab has run; `how` are options of capture-pane. The shell goes on
  /// sleeping: of a program that has ended tmux may drop the last words.
  std::string screen(const std::string& settings, const std::string& arguments,
                     const std::string& how) const {
    const std::string run = "env LC_ALL=C.UTF-8 " + settings + " " + ATTNLAB_PROGRAM + " " + arguments;
    printed_by(tmux_ + "-f /dev/null new-session -d -x 80 -y 2000 \"" + run + "; echo " + end_mark +
               "; sleep 60\"");
    constexpr int most_tries = 1000;
    constexpr unsigned pause = 20000;  // microseconds
    for (int tries = 0; tries < most_tries; ++tries) {
      const std::string shown = printed_by(tmux_ + "capture-pane -p " + how);
      if (const std::size_t end = shown.find(end_mark); end != std::string::npos) return shown.substr(0, end);
      usleep(pause);
    }
    return "";
  }

 private:
  static constexpr const char* end_mark = "that-is-all";

  std::string tmux_;
};

std::string without_final_lines(std::string text) { return text.erase(text.find_last_not_of('\n') + 1); }

}  // namespace

TEST_CASE("tmux gives every character the columns that we reckon with") {
  if (!attnlab::is_installed("tmux")) return;
  for (const std::string name : {"decoder", "vectors", "masks", "lookup"}) {
    const Workplace place;
    const std::string expected = place.run({name, "--show", "--figure", "all", "--lang", "ja"}).out;
    const Tmux tmux(place);
    const std::string shown = tmux.screen("NO_COLOR=1", name + " --show --figure all --lang ja", "");
    CHECK(without_final_lines(shown) == without_final_lines(expected));
  }
}

TEST_CASE("tmux shows the cells of a heat map in their own colours, and no pixels") {
  if (!attnlab::is_installed("tmux")) return;
  const Workplace place;
  const Tmux tmux(place);
  const std::string shown = tmux.screen("", "self-attention --show --range data --lang ja", "-e");
  CHECK(contains(shown, "48;2;8;48;107m"));  // Blues at its end, 08306b: the largest weight, by --range
  CHECK(contains(shown, "注意度"));
  CHECK_FALSE(contains(shown, "\x1b_G"));
}
