#include "terminal_figure/pixels.hpp"

#include <chafa.h>

#include "core/owned.hpp"

namespace attnlab {
namespace {

using TermInfo = Owned<ChafaTermInfo, chafa_term_info_unref>;

bool knows(const TermInfo& info, ChafaTermSeq sequence) {
  return chafa_term_info_have_seq(info.get(), sequence) != FALSE;
}

constexpr int sixel_height = 6;  // a sixel is a column of six pixels

struct Rgba {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bytes;
};

/// With paper below, so that the last row of sixels is full and nothing is scaled.
Rgba padded(const Pixels& pixels) {
  const std::size_t rows = (pixels.height + sixel_height - 1) / sixel_height * sixel_height;
  Rgba whole{static_cast<int>(pixels.width), static_cast<int>(rows), {}};
  whole.bytes.reserve(pixels.width * rows * 4);
  for (std::size_t i = 0; i < pixels.width * rows; ++i) {
    const std::uint32_t value = i < pixels.values.size() ? pixels.values[i] : pixels.values.front();
    const auto channel = [value](unsigned int shift) { return static_cast<std::uint8_t>(value >> shift); };
    whole.bytes.insert(whole.bytes.end(), {channel(16), channel(8), channel(0), 255});
  }
  return whole;
}

}  // namespace

TerminalAbilities terminal_abilities(const std::vector<std::string>& environment) {
  std::vector<std::string> copies = environment;
  std::vector<char*> variables;
  variables.reserve(copies.size() + 1);
  for (std::string& variable : copies) variables.push_back(variable.data());
  variables.push_back(nullptr);
  const TermInfo info(chafa_term_db_detect(chafa_term_db_get_default(), variables.data()));
  const auto value_of = [&](const char* name) {
    const char* value = g_environ_getenv(variables.data(), name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string term = value_of("TERM");
  const bool in_tmux = !value_of("TMUX").empty() || term.rfind("tmux", 0) == 0;
  const bool in_screen = !value_of("STY").empty() || term.rfind("screen", 0) == 0;

  TerminalAbilities abilities;
  const std::string promised = value_of("COLORTERM");
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

// https://sw.kovidgoyal.net/kitty/graphics-protocol: pieces of at most 4096 bytes, m=1 on all but the last.
std::string kitty_sequence(const std::string& png, std::size_t columns) {
  constexpr std::size_t piece = 4096;
  const std::string data = base64(png);
  std::string sequence;
  for (std::size_t begin = 0; begin < data.size(); begin += piece) {
    const std::string first = begin == 0 ? fmt::format("a=T,f=100,q=2,c={},", columns) : "";
    const int more = begin + piece < data.size() ? 1 : 0;
    sequence += fmt::format("\x1b_G{}m={};{}\x1b\\", first, more, data.substr(begin, piece));
  }
  return sequence + "\n";
}

// https://iterm2.com/documentation-images.html
std::string iterm_sequence(const std::string& png, std::size_t columns) {
  return fmt::format("\x1b]1337;File=inline=1;size={};width={};preserveAspectRatio=1:{}\a\n", png.size(),
                     columns, base64(png));
}

std::string sixel_sequence(const Pixels& pixels) {
  const Rgba whole = padded(pixels);
  const Owned<ChafaCanvasConfig, chafa_canvas_config_unref> config(chafa_canvas_config_new());
  chafa_canvas_config_set_pixel_mode(config.get(), CHAFA_PIXEL_MODE_SIXELS);
  chafa_canvas_config_set_cell_geometry(config.get(), 1, sixel_height);  // so that every size is possible
  chafa_canvas_config_set_geometry(config.get(), whole.width, whole.height / sixel_height);
  // Chafa's 256 colours band the blues; spreading the error of each pixel over its neighbours hides that.
  chafa_canvas_config_set_dither_mode(config.get(), CHAFA_DITHER_MODE_DIFFUSION);
  chafa_canvas_config_set_dither_grain_size(config.get(), 1, 1);
  const Owned<ChafaCanvas, chafa_canvas_unref> canvas(chafa_canvas_new(config.get()));
  chafa_canvas_draw_all_pixels(canvas.get(), CHAFA_PIXEL_RGBA8_UNASSOCIATED, whole.bytes.data(), whole.width,
                               whole.height, whole.width * 4);
  const TermInfo plain(chafa_term_db_get_fallback_info(chafa_term_db_get_default()));
  GString* text = chafa_canvas_print(canvas.get(), plain.get());
  return Owned<char, g_free>(g_string_free(text, FALSE)).get() + std::string("\n");
}

}  // namespace attnlab
