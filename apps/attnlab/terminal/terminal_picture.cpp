#include "attnlab/terminal/terminal_picture.hpp"

#include <chafa.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "attnlab/terminal/console.hpp"
#include "core/owned.hpp"
#include "core/utf8.hpp"
#include "io/environment.hpp"
#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

using TermInfo = Owned<ChafaTermInfo, chafa_term_info_unref>;

/// In characters, and a character's pixels; COLUMNS comes before the terminal's own width.
struct TerminalSize {
  int columns = 80;
  int lines = 50;
  int character_width = 10;
  int character_height = 20;
};

TerminalSize terminal_size() {
  constexpr int most_columns = 160;
  constexpr int least_lines = 12;
  constexpr int lines_kept = 2;  // for the prompt
  TerminalSize size;
  winsize terminal{};
  const bool is_terminal = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col > 0;
  const char* columns = g_getenv("COLUMNS");
  const int requested = columns == nullptr ? 0 : number_from<int>(columns).value_or(0);
  if (is_terminal) size.columns = terminal.ws_col;
  size.columns = std::min(requested > 0 ? requested : size.columns, most_columns);
  if (!is_terminal || terminal.ws_row == 0) return size;
  size.lines = std::max(least_lines, terminal.ws_row - lines_kept);
  if (terminal.ws_xpixel >= terminal.ws_col && terminal.ws_ypixel >= terminal.ws_row) {
    size.character_width = terminal.ws_xpixel / terminal.ws_col;
    size.character_height = terminal.ws_ypixel / terminal.ws_row;
  }
  return size;
}

bool is_set(const char* name) {
  const char* value = g_getenv(name);
  return value != nullptr && *value != 0;
}

bool begins(const char* name, std::string_view with) {
  const char* value = g_getenv(name);
  return value != nullptr && std::string_view(value).substr(0, with.size()) == with;
}

bool is_multiplexed() {
  return is_set("TMUX") || is_set("STY") || begins("TERM", "tmux") || begins("TERM", "screen");
}

ChafaPixelMode pixel_mode(const ChafaTermInfo* info) {
  const auto knows = [info](ChafaTermSeq sequence) {
    return chafa_term_info_have_seq(info, sequence) != FALSE;
  };
  if (output_colouring() == Colouring::plain || is_multiplexed()) return CHAFA_PIXEL_MODE_SYMBOLS;
  if (knows(CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)) return CHAFA_PIXEL_MODE_KITTY;
  if (knows(CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE)) return CHAFA_PIXEL_MODE_ITERM2;
  if (knows(CHAFA_TERM_SEQ_BEGIN_SIXELS)) return CHAFA_PIXEL_MODE_SIXELS;
  return CHAFA_PIXEL_MODE_SYMBOLS;
}

ChafaCanvasMode canvas_mode(const ChafaTermInfo* info) {
  if (output_colouring() == Colouring::plain) return CHAFA_CANVAS_MODE_FGBG;
  const bool direct = begins("COLORTERM", "truecolor") || begins("COLORTERM", "24bit") || is_multiplexed() ||
                      chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT) != FALSE;
  return direct ? CHAFA_CANVAS_MODE_TRUECOLOR : CHAFA_CANVAS_MODE_INDEXED_240;
}

std::vector<std::uint8_t> rgb_of(const Pixels& pixels) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(pixels.values.size() * 3);
  for (const std::uint32_t value : pixels.values) {
    for (const unsigned int shift : {16U, 8U, 0U}) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  }
  return bytes;
}

}  // namespace

std::string terminal_picture(const Page& page) {
  const TermInfo info(chafa_term_db_detect(chafa_term_db_get_default(), environment_variables()));
  const TerminalSize size = terminal_size();
  int columns = size.columns;
  int lines = size.lines;
  chafa_calc_canvas_geometry(
      static_cast<gint>(page.list.width), static_cast<gint>(page.list.height), &columns, &lines,
      static_cast<gfloat>(size.character_width) / static_cast<gfloat>(size.character_height), TRUE, FALSE);
  const Owned<ChafaCanvasConfig, chafa_canvas_config_unref> config(chafa_canvas_config_new());
  chafa_canvas_config_set_pixel_mode(config.get(), pixel_mode(info.get()));
  chafa_canvas_config_set_canvas_mode(config.get(), canvas_mode(info.get()));
  chafa_canvas_config_set_cell_geometry(config.get(), size.character_width, size.character_height);
  chafa_canvas_config_set_geometry(config.get(), columns, lines);
  const Owned<ChafaSymbolMap, chafa_symbol_map_unref> symbols(chafa_symbol_map_new());
  chafa_symbol_map_add_by_tags(symbols.get(),
                               static_cast<ChafaSymbolTags>(CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_BORDER |
                                                            CHAFA_SYMBOL_TAG_SPACE));
  chafa_canvas_config_set_symbol_map(config.get(), symbols.get());
  const Pixels pixels =
      paint_pixels(page, columns * size.character_width / (page.list.width / points_per_inch));
  const std::uint32_t paper = pixels.values.front();  // without colours it is left empty
  chafa_canvas_config_set_bg_color(config.get(), paper);
  chafa_canvas_config_set_fg_color(config.get(), ~paper & 0xffffffU);
  const Owned<ChafaCanvas, chafa_canvas_unref> canvas(chafa_canvas_new(config.get()));
  const std::vector<std::uint8_t> bytes = rgb_of(pixels);
  const auto width = static_cast<gint>(pixels.width);
  chafa_canvas_draw_all_pixels(canvas.get(), CHAFA_PIXEL_RGB8, bytes.data(), width,
                               static_cast<gint>(pixels.height), 3 * width);
  GString* text = chafa_canvas_print(canvas.get(), info.get());
  return Owned<char, g_free>(g_string_free(text, FALSE)).get() + std::string("\n");
}

}  // namespace attnlab
