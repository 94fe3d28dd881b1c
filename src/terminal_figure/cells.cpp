#include "terminal_figure/cells.hpp"

#include "core/terminal_width.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr const char* hidden_mark = "╱";
constexpr const char* nan_mark = "×";
constexpr const char* upper_half = "▀";

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

template <class Holds>
bool any_cell(const Cells& cells, const Holds& holds) {
  bool found = false;
  cells.for_each([&](const Cell& at) { found = found || holds(at); });
  return found;
}

Colour paper_of(const Cells& cells, const Cell& at, const Setting& setting) {
  return shown_colour(fill_of(cells, at, setting.style), setting.colours);
}

/// How the numbers of one matrix stand below each other.
struct NumberFormat {
  std::size_t widest = 0;
  std::string end;  // the room of a bracket, where some numbers have one
};

std::string number_of(const Cells& cells, const Cell& at, const std::string& end) {
  if (cells.is_blank(at)) return hidden_mark;
  const std::string number = cells.text(at);
  return cells.is_framed(at) ? "[" + number + "]" : number + end;
}

NumberFormat number_format(const Cells& cells) {
  NumberFormat format;
  if (cells.decimals == no_numbers) return format;
  if (any_cell(cells, [&](const Cell& at) { return cells.is_framed(at); })) format.end = " ";
  cells.for_each([&](const Cell& at) {
    format.widest = std::max(format.widest, display_width(number_of(cells, at, format.end)));
  });
  return format;
}

/// So many spaces before the text that it stands in the middle.
std::string centred(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return used >= width ? text : std::string((width - used + 1) / 2, ' ') + text;
}

/// In the middle of the cell; the numbers of one matrix end at one column.
std::string aligned(const std::string& number, std::size_t width, const NumberFormat& format) {
  const std::size_t used = display_width(number);
  const std::size_t right = (width - std::min(width, format.widest)) / 2;
  return used + right >= width ? number : std::string(width - used - right, ' ') + number;
}

/// What stands in a cell without a number.
std::string cell_mark(const Cells& cells, const Cell& at, const CellSize& size, const Setting& setting) {
  const std::size_t width = size.width;
  if (cells.is_blank(at)) return centred(hidden_mark, width);
  if (std::isnan(cells.value(at))) return centred(nan_mark, width);
  if (cells.is_framed(at)) return width > 1 ? "[" + std::string(width - 2, ' ') + "]" : "!";
  if (setting.in_colour()) return hatching(cells.scale, cells.value(at), width);
  return sign_of(cells.scale, cells.value(at), told_by(size, cells.scale), width);
}

void draw_outline(Picture& picture, const CellSize& size, const Spot& corner) {
  const std::size_t blank = size.width > 2 ? size.width - 1 : size.width;
  picture.write({corner.column, corner.line + size.height / 2}, std::string(blank, '_'), faint);
}

void draw_cell(const Cells& cells, const Cell& at, const CellSize& size, const NumberFormat& format,
               const Setting& setting, Picture& picture) {
  const Spot corner{at.column * size.width, at.row * size.height};
  if (cells.fill == CellFill::outline) return draw_outline(picture, size, corner);
  Look look;
  if (setting.in_colour()) {
    const Colour paper = paper_of(cells, at, setting);
    picture.paint(corner, size.width, size.height, paper);
    look.letter = black_or_white_on(paper);
  }
  if (cells.is_framed(at)) look.emphasis = Emphasis::bold;
  if (size.form == CellForm::numbers) {
    const std::string number = number_of(cells, at, format.end);
    const std::string text =
        cells.is_blank(at) ? centred(number, size.width) : aligned(number, size.width, format);
    picture.write({corner.column, corner.line + size.height / 2}, text, look);
    return;
  }
  const std::string mark = cell_mark(cells, at, size, setting);
  for (std::size_t line = 0; line < size.height; ++line) {
    picture.write({corner.column, corner.line + line}, mark, look);
  }
}

/// The upper half of the character is a letter, the lower its paper.
Picture draw_half_lines(const Cells& cells, const CellSize& size, const Setting& setting) {
  Picture picture(cells.values.columns * size.width, lines_of(cells, size));
  for (std::size_t row = 0; row < cells.values.rows; row += 2) {
    for (std::size_t column = 0; column < cells.values.columns; ++column) {
      Look look{paper_of(cells, {row, column}, setting), {}, Emphasis::none};
      if (row + 1 < cells.values.rows) look.paper = paper_of(cells, {row + 1, column}, setting);
      picture.write({column * size.width, row / 2}, repeated(upper_half, size.width), look);
    }
  }
  return picture;
}

std::string signed_tenths(const ColourScale& scale, double value) {
  const double limit = std::max(-scale.low, scale.high);
  const auto tenths = std::lround(std::clamp(value / limit, -1.0, 1.0) * 9.0);
  if (tenths == 0) return " 0";
  return (tenths < 0 ? "−" : "+") + std::to_string(std::abs(tenths));
}

constexpr std::size_t longest_line = 24;  // columns
constexpr std::size_t step = 2;           // columns of one colour or shade

/// "0.25", or "2e-05" where decades are shown.
std::string end_text(const ColourScale& scale, double value) {
  if (scale.spacing == ColourScale::Spacing::logarithmic) return fmt::format("{:.3g}", value);
  return short_number_text(value, scale.high - scale.low);
}

Picture ramp(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
             const Setting& setting) {
  const std::size_t count = width / step;
  Picture bar(count * step, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double value = value_at(scale, place);
    if (setting.in_colour()) {
      const Colour colour = shown_colour(colour_of(scale, value, setting.style.theme, what), setting.colours);
      bar.paint({i * step, 0}, step, 1, colour);
      bar.write({i * step, 0}, hatching(scale, value, step), {black_or_white_on(colour), {}, Emphasis::none});
    } else {
      bar.write({i * step, 0}, sign_of(scale, value, without, step));
    }
  }
  return bar;
}

/// "purple | 0.2 | blue | 0.4 | ...": the names of a stepped palette's colours, and where they change.
std::string bands(const ColourScale& scale, const Setting& setting) {
  if (!setting.in_colour()) return "";
  const std::vector<Text> names = band_names(scale.palette, setting.style.theme);
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double begin = static_cast<double>(i) / static_cast<double>(names.size());
    if (i > 0) line += fmt::format(" | {} | ", end_text(scale, value_at(scale, begin)));
    line += setting.words(names[i]);
  }
  return line;
}

Picture bar_between_ends(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
                         const Setting& setting) {
  const double span = scale.high - scale.low;
  const std::string low = end_text(scale, scale.low);
  const std::string high = end_text(scale, scale.high);
  const std::string& label = setting.words(scale.label);
  const std::string name = label.empty() ? "" : label + "  ";
  const bool needs_bar = span > 0.0 && (setting.in_colour() || without != WithoutColour::numbers);
  const std::size_t words = display_width(name) + display_width(low) + display_width(high) + 2;
  constexpr std::size_t shortest = 10;
  if (!needs_bar) return paragraph(name + low + (span > 0.0 ? " … " + high : ""), width);
  if (words + shortest > width) {
    if (label.empty()) return paragraph(low + " … " + high, width);
    ColourScale nameless = scale;
    nameless.label = Text::same("");
    return stacked({paragraph(label, width), bar_between_ends(nameless, what, without, width, setting)});
  }
  const Picture bar = ramp(scale, what, without, std::min(longest_line, width - words), setting);
  Picture line(words + bar.width(), 1);
  const std::size_t begin = display_width(name) + display_width(low) + 1;
  line.write({0, 0}, name + low);
  line.lay({begin, 0}, bar);
  line.write({begin + bar.width() + 1, 0}, high);
  return line;
}

}  // namespace

std::size_t number_width(const Cells& cells) { return number_format(cells).widest; }

std::size_t lines_of(const Cells& cells, const CellSize& size) {
  return size.form == CellForm::half_lines ? (cells.values.rows + 1) / 2 : cells.values.rows * size.height;
}

Picture draw_cells(const Cells& cells, const CellSize& size, const Setting& setting) {
  if (size.form == CellForm::half_lines) return draw_half_lines(cells, size, setting);
  Picture picture(cells.values.columns * size.width, lines_of(cells, size));
  const NumberFormat format = size.form == CellForm::numbers ? number_format(cells) : NumberFormat{};
  cells.for_each([&](const Cell& at) { draw_cell(cells, at, size, format, setting, picture); });
  return picture;
}

std::string mark_legend(const Cells& cells, const CellSize& size, const Setting& setting) {
  if (cells.fill == CellFill::outline || size.form == CellForm::half_lines) return "";
  std::string legend;
  const auto add = [&](const std::string& mark, const Text& meaning) {
    legend += (legend.empty() ? "" : "  ") + mark + " " + setting.words(meaning);
  };
  if (any_cell(cells, [&](const Cell& at) { return cells.is_blank(at); })) {
    add(hidden_mark, {"マスクで隠れる", "hidden by the mask"});
  }
  if (any_cell(cells, [&](const Cell& at) { return cells.leaks(at); })) {
    add(size.form == CellForm::numbers || size.width > 1 ? "[ ]" : "!",
        {"隠れるはずの値", "a value that should be hidden"});
  }
  const bool marks_nan = size.form != CellForm::numbers && any_cell(cells, [&](const Cell& at) {
                           return std::isnan(cells.value(at)) && !cells.is_hidden(at);
                         });
  if (marks_nan) add(nan_mark, Text::same("nan"));
  return legend;
}

WithoutColour told_by(const CellSize& size, const ColourScale& scale) {
  if (size.form == CellForm::numbers) return WithoutColour::numbers;
  return has_two_signs(scale) && size.width >= 2 ? WithoutColour::digits : WithoutColour::shades;
}

std::string hatching(const ColourScale& scale, double value, std::size_t width) {
  return is_hatched(scale, value) ? repeated("╲", width) : "";
}

std::string sign_of(const ColourScale& scale, double value, WithoutColour how, std::size_t width) {
  if (how == WithoutColour::numbers) return "";
  if (how == WithoutColour::digits) return centred(signed_tenths(scale, value), width);
  constexpr std::array<const char*, 5> shades{" ", "░", "▒", "▓", "█"};
  const auto place = static_cast<std::size_t>(fraction_of(scale, value) * shades.size());
  const std::size_t level = std::min(place, shades.size() - 1);
  return repeated(shades.at(level), width);
}

Picture colour_line(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
                    const Setting& setting) {
  return stacked({bar_between_ends(scale, what, without, width, setting),
                  paragraph(bands(scale, setting), width, faint)});
}

}  // namespace attnlab::terminal_figure
