// Chafa's data base of terminals, and what it does not know.
#include "terminal_figure/pixels.hpp"

#include <chafa.h>

#include <algorithm>
#include <memory>

namespace attnlab {
namespace {

struct Release {
  void operator()(ChafaTermInfo* info) const { chafa_term_info_unref(info); }
};
using TermInfo = std::unique_ptr<ChafaTermInfo, Release>;

TermInfo detect(std::vector<std::string> environment) {
  std::vector<char*> variables;
  variables.reserve(environment.size() + 1);
  for (std::string& variable : environment) variables.push_back(variable.data());
  variables.push_back(nullptr);
  return TermInfo(chafa_term_db_detect(chafa_term_db_get_default(), variables.data()));
}

bool knows(const TermInfo& info, ChafaTermSeq sequence) {
  return chafa_term_info_have_seq(info.get(), sequence) != FALSE;
}

std::string value_of(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& variable : environment) {
    if (variable.rfind(name + "=", 0) == 0) return variable.substr(name.size() + 1);
  }
  return "";
}

bool begins_with(const std::string& text, const std::string& beginning) {
  return text.rfind(beginning, 0) == 0;
}

}  // namespace

TerminalAbilities terminal_abilities(const std::vector<std::string>& environment) {
  const TermInfo info = detect(environment);
  const std::string term = value_of(environment, "TERM");
  const bool in_tmux = !value_of(environment, "TMUX").empty() || begins_with(term, "tmux");
  const bool in_screen = !value_of(environment, "STY").empty() || begins_with(term, "screen");

  TerminalAbilities abilities;
  const std::string promised = value_of(environment, "COLORTERM");
  const bool direct = promised == "truecolor" || promised == "24bit" || in_tmux ||
                      knows(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT);
  if (direct) abilities.colours = TerminalColours::direct;
  if (in_tmux || in_screen) return abilities;
  if (knows(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)) {
    abilities.pixels = PixelProtocol::kitty;
  } else if (knows(info, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE)) {
    abilities.pixels = PixelProtocol::iterm;
  } else if (knows(info, CHAFA_TERM_SEQ_BEGIN_SIXELS)) {
    abilities.pixels = PixelProtocol::sixel;
  }
  return abilities;
}

}  // namespace attnlab
