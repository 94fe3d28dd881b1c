#include "plotting/layout/panel_layout.hpp"

namespace attnlab {
namespace {

std::vector<std::string> title_lines(const Panel& panel, Sheet& sheet, double size, double width) {
  const std::string& title = panel.title.in(sheet.language());
  if (title.empty()) return {};
  return wrap(title, size, Weight::bold, width);
}

/// UTF-8 of kana, kanji and full-width signs begins with it; Latin and Greek letters and symbols come before.
bool is_japanese_byte(char c) { return static_cast<unsigned char>(c) >= 0xe3; }

/// Japanese breaks nearly anywhere; any other word only at its ends.
double widest_word(const std::string& title, double size) {
  double widest = 0.0;
  for (std::size_t begin = 0; begin < title.size();) {
    const std::size_t end = std::min(title.find(' ', begin), title.size());
    const std::string word = title.substr(begin, end - begin);
    if (std::none_of(word.begin(), word.end(), is_japanese_byte))
      widest = std::max(widest, text_width(word, size, Weight::bold));
    begin = end + 1;
  }
  for (const WholePart& part : whole_parts(title)) {
    widest =
        std::max(widest, text_width(title.substr(part.begin, part.end - part.begin), size, Weight::bold));
  }
  return widest;
}

double widest_word(const Figure& figure, const Sheet& sheet, double size) {
  double widest = 0.0;
  for (const Panel& panel : figure.panels)
    widest = std::max(widest, widest_word(panel.title.in(sheet.language()), size));
  return widest;
}

constexpr double shortest_track = 3.0;  // in letters; where long values leave less, there is none

/// A value in two parts, so that decimal points can stand below each other: "12" and ".5". Other text is all
/// in the second part.
struct Parts {
  std::string whole;
  std::string rest;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("-.0123456789") == std::string::npos;
}

/// Real minus signs before numbers: "−2,0.5" and "0.5,−2", but "top-left".
std::string with_minus_signs(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == ',' || text[i - 1] == ':';
    result += text[i] == '-' && begins ? std::string("−") : std::string(1, text[i]);
  }
  return result;
}

Parts parts_of(const std::string& text) {
  if (!is_number(text)) return {"", with_minus_signs(text)};
  const std::size_t point = std::min(text.find('.'), text.size());
  return {with_minus_signs(text.substr(0, point)), text.substr(point)};
}

/// Room for both parts of every value.
struct Slot {
  double whole = 0.0;
  double rest = 0.0;
};

Slot slot_for(const std::vector<std::string>& values, double size) {
  Slot slot;
  for (const std::string& value : values) {
    const Parts parts = parts_of(value);
    slot.whole = std::max(slot.whole, text_width(parts.whole, size, Weight::bold));
    slot.rest = std::max(slot.rest, text_width(parts.rest, size, Weight::bold));
  }
  return slot;
}

/// "high-dim = 512"; returns where the room for it ends.
double draw_value(const Slider& slider, Sheet& sheet, double middle) {
  const Style& style = sheet.style();
  const double size = style.title;
  const std::string name = slider.name + " = ";
  const Slot slot = slot_for(slider.values, size);
  const Parts parts = parts_of(slider.values[slider.frame]);
  const double point = style.margin + text_width(name, size) + slot.whole;
  sheet.add_words("slider.name", sheet.words(name, size),
                  {{style.margin, middle}, AlignX::left, AlignY::middle});
  const auto add = [&](const std::string& id, const std::string& text, AlignX side) {
    if (text.empty()) return;
    Words words = sheet.words(text, size, Weight::bold);
    words.colour = style.colour(series_ink(0));
    sheet.add_words(id, words, {{point, middle}, side, AlignY::middle});
  };
  add("slider.value", parts.whole, AlignX::right);
  add("slider.value.rest", parts.rest, AlignX::left);
  return point + slot.rest;
}

Words end_words(const std::string& value, Sheet& sheet) {
  Words words = sheet.words(with_minus_signs(value), sheet.style().tick);
  words.colour = sheet.style().muted;
  return words;
}

void draw_track(const Slider& slider, Sheet& sheet, double left, double right, double middle) {
  const Style& style = sheet.style();
  const double knob = left + (right - left) * slider.places[slider.frame];
  const Colour colour = style.colour(series_ink(0));
  const auto line = [&](double from, double to, const Colour& ink) {
    return Path::line({{from, middle}, {to, middle}}, ink, style.line * 1.6);
  };
  sheet.add("slider.track", line(left, right, style.grid));
  sheet.add("slider.passed", line(left, knob, colour));
  sheet.add("slider.knob", Disc{{knob, middle}, style.body * 0.42, colour, style.paper, style.line * 0.8});
}

}  // namespace

double width_for_title_beside(const Figure& figure, const Sheet& sheet) {
  const bool maps = std::holds_alternative<HeatMap>(figure.panels.front().content);
  const double usual = maps ? 0.22 : 0.17;  // of the page, which equations need for themselves
  const double size = sheet.style().panel_title;
  const double gap = 1.1 * sheet.style().body;
  double title = 0.0;
  for (const Panel& panel : figure.panels)
    title = std::max(title, text_width(panel.title.in(sheet.language()), size, Weight::bold));
  return std::max(std::min(sheet.width() * usual, title + gap), widest_word(figure, sheet, size) + gap);
}

bool titles_fit_beside(const Figure& figure, Sheet& sheet, double height) {
  const double size = sheet.style().panel_title;
  const double width = width_for_title_beside(figure, sheet) - sheet.style().body;
  constexpr std::size_t most_lines = 3;
  return std::all_of(figure.panels.begin(), figure.panels.end(), [&](const Panel& panel) {
    if (title_lines(panel, sheet, size, width).size() > most_lines) return false;
    return panel_title_height(panel, sheet, size, width) <= height + sheet.style().gap;
  });
}

double panel_title_size(const Figure& figure, Sheet& sheet, double width) {
  const Style& style = sheet.style();
  const double widest = widest_word(figure, sheet, style.panel_title);
  if (widest <= width) return style.panel_title;
  return std::max(style.panel_title * width / widest, style.tick);
}

bool breaks_a_word(const Figure& figure, Sheet& sheet, double size, double width) {
  return widest_word(figure, sheet, size) > width;
}

double panel_title_height(const Panel& panel, Sheet& sheet, double size, double width) {
  const auto lines = static_cast<double>(title_lines(panel, sheet, size, width).size());
  return lines == 0.0 ? 0.0 : lines * size * line_spacing + sheet.style().gap;
}

Interval draw_panel_title(const Panel& panel, Sheet& sheet, const Box& data, double size, double width,
                          const std::string& id) {
  const std::vector<std::string> lines = title_lines(panel, sheet, size, width);
  const Position middle{data.x + data.width / 2.0, data.y - sheet.style().gap};
  double widest = 0.0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double above = static_cast<double>(lines.size() - 1 - i) * size * line_spacing;
    sheet.add_words(indexed(id + ".title", i), sheet.sentence(lines[i], size, Weight::bold),
                    {{middle.x, middle.y - above}, AlignX::centre, AlignY::bottom});
    widest = std::max(widest, text_width(lines[i], size, Weight::bold));
  }
  return {middle.x - widest / 2.0, middle.x + widest / 2.0};
}

void draw_title_beside(const Panel& panel, Sheet& sheet, const Box& strip, const std::string& id) {
  const Style& style = sheet.style();
  const std::vector<std::string> lines =
      title_lines(panel, sheet, style.panel_title, strip.width - style.body);
  const double step = style.panel_title * line_spacing;
  const double first = strip.centre().y - step * (static_cast<double>(lines.size()) - 1.0) / 2.0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    sheet.add_words(indexed(id + ".title", i), sheet.sentence(lines[i], style.panel_title, Weight::bold),
                    {{strip.x, first + step * static_cast<double>(i)}, AlignX::left, AlignY::middle});
}

std::vector<std::string> axis_title(const Text& title, Sheet& sheet, double length) {
  constexpr double shortest = 6.0;  // in letters: a line of one or two is hard to read
  constexpr double beyond = 1.5;    // in letters: that much may stand over the ends of the axis
  const double size = sheet.style().body;
  const std::string& whole = title.in(sheet.language());
  if (whole.empty()) return {};
  return wrap(whole, size, Weight::regular,
              std::max({length + beyond * size, shortest * size, widest_word(whole, size)}));
}

double axis_title_depth(const std::vector<std::string>& lines, const Style& style) {
  if (lines.empty()) return 0.0;
  return style.body * (1.35 + line_spacing * static_cast<double>(lines.size() - 1));
}

void draw_axis_title(const std::vector<std::string>& lines, Reading reading, Sheet& sheet,
                     const Position& middle, const std::string& id) {
  const double step = sheet.style().body * line_spacing;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Words line = sheet.words(lines[i], sheet.style().body);
    const std::string own = i == 0 ? id : indexed(id, i);
    if (reading == Reading::across) {
      const double down = step * static_cast<double>(i);
      sheet.add_words(own, line, {{middle.x, middle.y + down}, AlignX::centre, AlignY::top});
    } else {
      const double left = step * static_cast<double>(lines.size() - 1 - i);
      sheet.add_words(own, line, {{middle.x - left, middle.y}, AlignX::centre, AlignY::bottom, -90.0});
    }
  }
}

double slider_height(const Style& style) { return style.title * 2.3; }

void draw_slider(const Slider& slider, Sheet& sheet, double top) {
  const Style& style = sheet.style();
  const double middle = top + style.title * 0.7;
  const double left = draw_value(slider, sheet, middle) + style.body * 1.6;
  const double right = sheet.width() - style.margin;
  const Words first = end_words(slider.values.front(), sheet);
  const Words last = end_words(slider.values.back(), sheet);
  const double begin = left + measure(first).width + style.body * 0.8;
  const double end = right - measure(last).width - style.body * 0.8;
  if (end - begin < style.body * shortest_track) return;
  sheet.add_words("slider.first", first, {{left, middle}, AlignX::left, AlignY::middle});
  sheet.add_words("slider.last", last, {{right, middle}, AlignX::right, AlignY::middle});
  draw_track(slider, sheet, begin, end, middle);
}

}  // namespace attnlab
