#include "plotting/layout/ticks.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

const std::array<double, 3> round_factors{1.0, 2.0, 5.0};
constexpr int most_ticks = 8;
constexpr int sparsest = 40;  // candidates tried before an axis goes without marks

std::string with_minus_sign(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string power_of_ten(int power, double text_size) {
  return to_markup(formula::sup(formula::sym("10"), formula::sym(with_minus_sign(std::to_string(power)))),
                   text_size);
}

/// 1, 2, 5, 10, 20, 50, ...
double round_step(int i, int exponent = 0) {
  const auto count = static_cast<int>(round_factors.size());
  return round_factors.at(static_cast<std::size_t>(i % count)) * std::pow(10.0, exponent + i / count);
}

int decimals_of(double step) { return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))); }

constexpr double slanted = -45.0;
constexpr double upright = -90.0;
const double diagonal = std::sqrt(0.5);

constexpr double column_pitch = 1.05;  // of characters below each other, in their size

/// Kana and kanji but for the long vowel mark, which lies in a line and stands in a column.
bool stands_in_column(char32_t character) {
  return (character >= 0x3041 && character <= 0x30fa) || (character >= 0x3400 && character <= 0x9fff);
}

/// The characters of the longest name, 0 where some name does not read well in a column.
std::size_t longest_column(const std::vector<ShortText>& names, Language language) {
  constexpr std::size_t most = 4;
  std::size_t longest = 0;
  for (const ShortText& name : names) {
    const std::u32string characters = decode_utf8(name.in(language)).value_or(U"");
    const bool stands =
        characters.size() == 1 || std::all_of(characters.begin(), characters.end(), stands_in_column);
    if (characters.empty() || characters.size() > most || !stands) return 0;
    longest = std::max(longest, characters.size());
  }
  return longest;
}

double width_of(const ShortText& name, const Sheet& sheet) {
  return text_width(name.in(sheet.language()), sheet.style().tick);
}

double column_height(std::size_t characters, const Style& style) {
  return line_height(style.tick) + style.tick * column_pitch * static_cast<double>(characters - 1);
}

void draw_column(const std::string& name, Sheet& sheet, const Position& place, Side side,
                 const std::string& id) {
  const double size = sheet.style().tick;
  const std::u32string characters = decode_utf8(name).value_or(U"");
  const double top = place.y - (side == Side::above ? column_height(characters.size(), sheet.style()) : 0.0);
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const Position at{place.x, top + size * column_pitch * static_cast<double>(i)};
    sheet.add_words(i == 0 ? id : indexed(id, i), sheet.words(encode_utf8(characters[i]), size),
                    {at, AlignX::centre, AlignY::top});
  }
}

/// How wide a place must be for a name whose characters stand below each other.
double narrowest_column(const Style& style) { return style.tick * 1.15; }

/// How far names below each other, or turned ones beside each other, stand apart at least: what their ink
/// needs, which is less where no letter reaches below the line.
double pitch_of(const std::vector<ShortText>& names, const Sheet& sheet) {
  constexpr double most = 0.95;  // of the size, with letters that reach above and below the line
  constexpr double distance = 0.06;
  const double size = sheet.style().tick;
  double deepest = 0.0;  // from the upper edge of a name to the lower one of the name before
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto ink = [&](std::size_t name) {
      return measure(escape(names[name].in(sheet.language())), size).ink;
    };
    deepest = std::max(deepest, ink(i - 1).bottom() - ink(i).y);
  }
  return std::min(most * size, deepest + distance * size);
}

/// −2, 0.8, 1/3; 1.47 where no short fraction is the number.
std::string exact_text(double value) {
  constexpr double rounding = 1e-9;
  constexpr int longest = 60;
  const auto is_whole = [](double number) { return std::abs(number - std::round(number)) < rounding; };
  if (std::isinf(value)) return value < 0.0 ? "−∞" : "∞";
  if (is_whole(value)) return number_text(value, 0);
  if (is_whole(value * 10.0)) return number_text(value, 1);
  if (is_whole(value * 100.0)) return number_text(value, 2);
  for (int below = 3; below <= longest; ++below)
    if (is_whole(value * below)) return number_text(value * below, 0) + "/" + std::to_string(below);
  return number_text(value, 2);
}

}  // namespace

std::string number_text(double value, int decimals) {
  if (std::isnan(value)) return "nan";  // never "-nan"
  if (decimals == exact_numbers) return exact_text(value);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos && std::isfinite(value);
  if (is_zero && text.front() == '-') text.erase(0, 1);
  return with_minus_sign(text);
}

std::string without_leading_zero(std::string number) {
  const std::size_t zero = number.find("0.");
  const bool leads = zero != std::string::npos &&
                     std::none_of(number.begin(), number.begin() + static_cast<std::ptrdiff_t>(zero),
                                  [](char c) { return c >= '0' && c <= '9'; });
  if (leads) number.erase(zero, 1);
  return number;
}

std::string short_number_text(double value, double span) {
  if (!std::isfinite(value)) return number_text(value, 0);
  if (span > 0.0 && (std::abs(value) >= 1e6 || span < 1e-5)) {
    return with_minus_sign(fmt::format("{:.3g}", value));
  }
  const int decimals = span > 0.0 ? decimals_of(span / 100.0) : 2;
  std::string text = number_text(value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string scientific_markup(double value, double text_size) {
  if (!std::isfinite(value)) return number_text(value, 0);
  if (value == 0.0 || (std::abs(value) >= 1e-3 && std::abs(value) < 1e4))
    return with_minus_sign(fmt::format("{:.2g}", value));
  const double power = std::floor(std::log10(std::abs(value)));
  const std::string factor = with_minus_sign(fmt::format("{:.2g}", value / std::pow(10.0, power)));
  const std::string ten = power_of_ten(static_cast<int>(power), text_size);
  return factor == "1" ? ten : factor + "×" + ten;
}

std::vector<Tick> linear_ticks(const Interval& range, const TicksFit& fit) {
  const double span = range.high - range.low;
  if (!(span > 0.0) || !std::isfinite(span)) return {};
  const double slack = span * 1e-9;
  const auto exponent = static_cast<int>(std::floor(std::log10(span / most_ticks)));
  for (int i = 0; i < sparsest; ++i) {
    const double step = round_step(i, exponent);
    if (span / step > most_ticks) continue;
    std::vector<Tick> ticks;
    const double first = std::ceil((range.low - slack) / step);
    for (int n = 0; n <= most_ticks + 1; ++n) {
      const double k = first + n;  // the same for every n where the span is the rounding of one large number
      if (k * step > range.high + slack) break;
      ticks.push_back({k * step, std::abs(span) < 1e-5 || span >= 1e7
                                     ? with_minus_sign(fmt::format("{:.3g}", k * step))
                                     : number_text(k * step, decimals_of(step))});
    }
    if (fit(ticks)) return ticks;
  }
  return {};
}

std::vector<Tick> log_ticks(const Interval& range, double text_size, const TicksFit& fit) {
  if (!(range.low > 0.0) || !std::isfinite(range.high)) return {};
  const int low = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9));
  const int high = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
  for (int i = 0; i < sparsest; ++i) {
    const int step = static_cast<int>(round_step(i));
    if ((high - low) / step > most_ticks) continue;
    std::vector<Tick> ticks;
    for (int power = low - (low % step); power <= high; power += step) {
      if (power >= low) ticks.push_back({std::pow(10.0, power), power_of_ten(power, text_size)});
    }
    if (fit(ticks)) return ticks;
  }
  return {};
}

std::vector<Tick> index_ticks(std::size_t begin, std::size_t end, const TicksFit& fit) {
  for (int i = 0; i < sparsest; ++i) {
    const auto step = static_cast<std::size_t>(round_step(i));
    std::vector<Tick> ticks;
    for (std::size_t k = (begin + step - 1) / step * step; k < end; k += step)
      ticks.push_back({static_cast<double>(k), std::to_string(k)});
    if (fit(ticks)) return ticks;
  }
  return {};
}

double widest(const std::vector<Tick>& ticks, const Style& style) {
  double width = 0.0;
  for (const Tick& tick : ticks) width = std::max(width, measure(tick.markup, style.tick).width);
  return width;
}

double widest(const std::vector<ShortText>& names, const Sheet& sheet, double longest) {
  double width = 0.0;
  for (const ShortText& name : names) width = std::max(width, width_of(name, sheet));
  return std::min(width, longest);
}

LabelPlan plan_labels(const std::vector<ShortText>& names, const Sheet& sheet, double spacing, double longest,
                      Side side) {
  const Style& style = sheet.style();
  LabelPlan plan;
  plan.side = side;
  plan.longest = longest;
  if (names.empty()) return plan;
  const double width = widest(names, sheet, longest);
  const double first = std::min(longest, width_of(names.front(), sheet));
  const double height = line_height(style.tick);
  if (width + style.gap * 0.6 <= spacing) {
    plan.depth = height;
    plan.overhang = first / 2.0;
  } else if (const std::size_t most = longest_column(names, sheet.language());
             most > 0 && std::min(narrowest_column(style), width + style.gap * 0.3) <= spacing) {
    plan.in_columns = true;
    plan.depth = column_height(most, style);
    plan.overhang = style.tick / 2.0;
  } else if (side == Side::below && height * 1.1 <= spacing * diagonal) {
    plan.angle = slanted;
    plan.depth = (width + height) * diagonal;
    plan.overhang = first * diagonal;
  } else {
    plan.angle = upright;
    plan.step = step_between(names, sheet, spacing);
    plan.depth = width;
    plan.overhang = height / 2.0;
  }
  return plan;
}

std::size_t step_between(const std::vector<ShortText>& names, const Sheet& sheet, double spacing) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(pitch_of(names, sheet) / spacing)));
}

void draw_labels(const std::vector<ShortText>& names, const LabelPlan& plan, Sheet& sheet,
                 const Position& first, double spacing, const std::string& prefix) {
  const Style& style = sheet.style();
  for (std::size_t i = 0; i < names.size(); i += plan.step) {
    const std::string name = elide(names[i].in(sheet.language()), style.tick, Weight::regular, plan.longest);
    const Position at{first.x + spacing * static_cast<double>(i), first.y};
    if (plan.in_columns) {
      draw_column(name, sheet, at, plan.side, indexed(prefix, i));
      continue;
    }
    const bool is_above = plan.side == Side::above;
    const Placement turned{at, is_above ? AlignX::left : AlignX::right, AlignY::middle, plan.angle};
    const Placement level{at, AlignX::centre, is_above ? AlignY::bottom : AlignY::top};
    sheet.add_words(indexed(prefix, i), sheet.words(name, style.tick), plan.angle == 0.0 ? level : turned);
  }
}

}  // namespace attnlab
