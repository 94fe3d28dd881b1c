#include "attnlab/look_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "attnlab/flag_groups.hpp"
#include "attnlab/flag_parameters.hpp"
#include "attnlab/page_size.hpp"
#include "attnlab/refusals.hpp"
#include "attnlab/suggestions.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

std::optional<double> finite_number(std::string_view text) {
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

Theme theme_named(const std::string& name) {
  if (name == "dark") return Theme::dark;
  return name == "print" ? Theme::print : Theme::light;
}

[[noreturn]] void refuse_palette(const std::string& word) {
  const std::vector<std::string> names = palette_names();
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  const std::optional<std::string> meant = did_you_mean(word, names);
  refuse({fmt::format("--palette に {} はありません", quotation(word)),
          fmt::format("there is no palette {}", quotation(word))},
         {meant ? fmt::format("{} のことですか。選べるのは {} です", *meant, known)
                : fmt::format("選べるのは {} です", known),
          meant ? fmt::format("did you mean {}? choose from {}", *meant, known)
                : fmt::format("choose from {}", known)});
}

/// True when the word names a palette of numbers, which then stands in `choice`.
bool take_number_palette(const std::string& word, ColourChoice& choice) {
  for (const Palette palette : palettes()) {
    if (name_of(palette) != word) continue;
    (kind_of(palette) == PaletteKind::diverging ? choice.diverging : choice.sequential) = palette;
    return true;
  }
  return false;
}

bool take_series_palette(const std::string& word, ColourChoice& choice) {
  for (const SeriesPalette palette : series_palettes()) {
    if (name_of(palette) != word) continue;
    choice.series = palette;
    return true;
  }
  return false;
}

}  // namespace

ColourRange parse_range(const std::string& text) {
  if (text == "data") return RangeOfData{};
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    const std::optional<double> low = finite_number(std::string_view(text).substr(0, colon));
    const std::optional<double> high = finite_number(std::string_view(text).substr(colon + 1));
    if (low && high && *low < *high && std::isfinite(*high - *low)) return Interval{*low, *high};
  }
  refuse({fmt::format("--range {} は色の範囲として読めません", quotation(text)),
          fmt::format("--range {} is no range of colours", quotation(text))},
         {"data、または小さい数と大きい数を A:B の形で指定してください（例：--range 0:1）",
          "use data, or two numbers low:high, such as --range 0:1"});
}

void read_palettes(const std::string& text, ColourChoice& choice) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = lower_case(text.substr(begin, end - begin));
    if (!take_number_palette(word, choice) && !take_series_palette(word, choice)) refuse_palette(word);
    begin = end + 1;
  }
}

std::vector<std::string> look_flag_names() {
  std::vector<std::string> names;
  for (const Flag& flag : look_flags()) names.push_back(flag.name);
  return names;
}

Look read_look(const ParsedCommand& parsed, Language language) {
  Look look;
  look.language = language;
  look.dpi = checked_value(parsed, dpi_parameter()).number("dpi");
  look.theme = theme_named(checked_value(parsed, theme_parameter()).text("theme"));
  if (parsed.given("preset")) {
    look.preset = preset_named(checked_value(parsed, preset_parameter()).text("preset"));
  }
  if (parsed.given("size")) look.page = parse_page_size(parsed.value("size"), look.dpi);
  if (parsed.given("palette")) read_palettes(parsed.value("palette"), look.colours);
  if (parsed.given("range")) look.colours.range = parse_range(parsed.value("range"));
  if (parsed.given("log-colour")) look.colours.spacing = ColourScale::Spacing::logarithmic;
  if (parsed.given("without-first-token")) look.colours.first_key = FirstKey::left_out;
  if (parsed.given("blank")) look.filling = Filling::blank;
  if (parsed.given("svg-text")) look.lettering = Lettering::text;
  if (parsed.given("tex-body")) look.extent = TexExtent::picture;
  if (parsed.given("annotate")) look.annotating = Annotating::numbers;
  return look;
}

}  // namespace attnlab
