#include "attnlab/experiment/experiment_request.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "attnlab/terminal/console.hpp"
#include "products/render.hpp"
#include "terminal_figure/pixels.hpp"
#include "terminal_figure/terminal_figure.hpp"

namespace attnlab {
namespace {

std::vector<std::string> environment_variables() {
  std::vector<std::string> variables;
  for (char** variable = ::environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

TerminalColours output_colours() {
  if (output_colouring() == Colouring::plain) return TerminalColours::none;
  return terminal_abilities(environment_variables()).colours;
}

struct PictureSize {
  std::size_t columns = 80;
  int character_width = 10;  // pixels
  int character_height = 20;
};

/// As wide as the terminal, but no higher: a figure is seen whole.
PictureSize picture_size(const PageSize& page) {
  constexpr std::size_t most_columns = 160;
  PictureSize size;
  size.columns = std::min(output_columns(), most_columns);
  winsize terminal{};
  const bool known =
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col > 0 && terminal.ws_row > 0;
  if (!known) return size;
  if (terminal.ws_xpixel >= terminal.ws_col && terminal.ws_ypixel >= terminal.ws_row) {
    size.character_width = terminal.ws_xpixel / terminal.ws_col;
    size.character_height = terminal.ws_ypixel / terminal.ws_row;
  }
  constexpr int least_lines = 12;
  constexpr int lines_kept = 2;  // for the prompt
  const int height = std::max(least_lines, terminal.ws_row - lines_kept) * size.character_height;
  const double columns = height * page.width / page.height / size.character_width;
  constexpr double least_columns = 10.0;
  size.columns = std::min(size.columns, static_cast<std::size_t>(std::max(least_columns, columns)));
  return size;
}

std::string pixels_of(const Figure& figure, const Look& look, Showing showing, std::vector<Text>& warnings) {
  const RenderedPage rendered = render_page(figure, "", look);
  warnings.insert(warnings.end(), rendered.warnings.begin(), rendered.warnings.end());
  constexpr double most_dpi = 300.0;
  const PageSize page{rendered.page.list.width / points_per_inch,
                      rendered.page.list.height / points_per_inch};
  const PictureSize size = picture_size(page);  // a preset's page may have grown
  const double wanted = static_cast<double>(size.columns) * size.character_width / page.width;
  const double dpi = std::min(wanted, most_dpi);
  if (showing == Showing::sixel) return sixel_sequence(paint_pixels(rendered.page, dpi));
  constexpr double sharp = 144.0;  // these terminals scale the picture themselves
  const std::string png = paint_png(rendered.page, std::max(dpi, sharp));
  return showing == Showing::kitty ? kitty_sequence(png, size.columns) : iterm_sequence(png, size.columns);
}

std::string text_of(const Figure& figure, const Look& look, std::vector<Text>& warnings) {
  const Recoloured recoloured = recolour(figure, look.colours, look.theme);
  warnings.insert(warnings.end(), recoloured.warnings.begin(), recoloured.warnings.end());
  return to_terminal(recoloured.figure,
                     {look.language, look.theme, output_colours(), output_columns(), look.colours.series});
}

}  // namespace

Showing resolved(Showing showing) {
  if (showing != Showing::automatic) return showing;
  if (output_colouring() == Colouring::plain) return Showing::text;
  static const std::map<PixelProtocol, Showing> as_pixels{{PixelProtocol::kitty, Showing::kitty},
                                                          {PixelProtocol::iterm, Showing::iterm},
                                                          {PixelProtocol::sixel, Showing::sixel}};
  const auto known = as_pixels.find(terminal_abilities(environment_variables()).pixels);
  return known == as_pixels.end() ? Showing::text : known->second;
}

bool shows_pixels(Showing showing) {
  return showing == Showing::kitty || showing == Showing::iterm || showing == Showing::sixel;
}

ShownFigures show_figures(const Report& report, const OutputOptions& options, const Look& look,
                          Showing showing) {
  ShownFigures shown;
  if (showing == Showing::nothing) return shown;
  const std::vector<std::string> names = names_of(report.figures);
  const std::vector<std::size_t> chosen = shown_indices(report.experiment, names, options.figure);
  for (const std::size_t index : chosen) {
    const Figure& figure = report.figures[index];
    shown.text += "\n";
    shown.text += shows_pixels(showing) ? pixels_of(figure, look, showing, shown.warnings)
                                        : text_of(figure, look, shown.warnings);
  }
  if (options.figure.empty() && !names.empty()) shown.left_out.assign(names.begin() + 1, names.end());
  return shown;
}

}  // namespace attnlab
