#include "plotting/slider.hpp"

#include <algorithm>
#include <string>

namespace attnlab {
namespace {

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

double width_of(const std::string& plain, double size, Weight weight) {
  return measure(escape(plain), size, weight).width;
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
    slot.whole = std::max(slot.whole, width_of(parts.whole, size, Weight::bold));
    slot.rest = std::max(slot.rest, width_of(parts.rest, size, Weight::bold));
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
  const double point = style.margin + width_of(name, size, Weight::regular) + slot.whole;
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

double width_of(const Words& words) {
  return measure(words.markup, words.size, words.weight).width;
}

void draw_track(const Slider& slider, Sheet& sheet, double left, double right, double middle) {
  const Style& style = sheet.style();
  const double knob = left + (right - left) * slider.places[slider.frame];
  const Colour colour = style.colour(series_ink(0));
  const auto line = [&](double from, double to, const Colour& ink) {
    return Path{{{from, middle}, {to, middle}}, false, {}, ink, style.line * 1.6, {}, {}};
  };
  sheet.add("slider.track", line(left, right, style.grid));
  sheet.add("slider.passed", line(left, knob, colour));
  sheet.add("slider.knob", Disc{{knob, middle}, style.body * 0.42, colour, style.paper, style.line * 0.8});
}

}  // namespace

double slider_height(const Style& style) {
  return style.title * 2.3;
}

void draw_slider(const Slider& slider, Sheet& sheet, double top) {
  const Style& style = sheet.style();
  const double middle = top + style.title * 0.7;
  const double left = draw_value(slider, sheet, middle) + style.body * 1.6;
  const double right = sheet.width() - style.margin;
  const Words first = end_words(slider.values.front(), sheet);
  const Words last = end_words(slider.values.back(), sheet);
  const double begin = left + width_of(first) + style.body * 0.8;
  const double end = right - width_of(last) - style.body * 0.8;
  if (end - begin < style.body * shortest_track) return;
  sheet.add_words("slider.first", first, {{left, middle}, AlignX::left, AlignY::middle});
  sheet.add_words("slider.last", last, {{right, middle}, AlignX::right, AlignY::middle});
  draw_track(slider, sheet, begin, end, middle);
}

}  // namespace attnlab
