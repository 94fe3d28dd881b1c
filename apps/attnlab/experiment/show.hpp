// --show: figures on the terminal itself, drawn with characters or sent as pixels.
#pragma once

#include <string>
#include <vector>

#include "attnlab/output/figure_files.hpp"
#include "attnlab/output/render.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// --show-as, or nothing without --show. `automatic` asks the terminal's environment.
enum class Showing { nothing, automatic, text, kitty, iterm, sixel };

/// The one that is meant: where standard output is no terminal, in tmux, under NO_COLOR and where the
/// terminal is not known to show pixels, `automatic` is text.
Showing resolved(Showing showing);

/// Pixels need the figures laid out, and their fonts.
bool shows_pixels(Showing showing);

struct ShownFigures {
  std::string text;  // what goes to standard output
  std::vector<Text> warnings;
  std::vector<std::string> left_out;  // figures that were neither shown nor declined
};

/// The main figure, or those that --figure chooses. `showing` is resolved. Throws Error (usage) for a figure
/// that is not among the report's.
ShownFigures show_figures(const Report& report, const OutputOptions& options, const Look& look,
                          Showing showing);

}  // namespace attnlab
