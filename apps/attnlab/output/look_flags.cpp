#include "attnlab/output/look_flags.hpp"

#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// Which of the three choices the word makes; 0 when it names no palette.
int take_palette(const std::string& word, ColourChoice& choice) {
  if (const auto* of_numbers = find_named(palettes(), word)) {
    const bool diverges = kind_of(of_numbers->palette) == PaletteKind::diverging;
    (diverges ? choice.diverging : choice.sequential) = of_numbers->palette;
    return diverges ? 2 : 1;
  }
  const auto* of_series = find_named(series_palettes(), word);
  if (of_series == nullptr) return 0;
  choice.series = of_series->palette;
  return 3;
}

/// Names of palettes joined by commas, at most one of each kind. Throws Error (usage) naming them all.
void read_palettes(const std::string& names, ColourChoice& choice) {
  std::map<int, std::string> chosen;
  for (const std::string& name : split(lower_case(names), ",")) {
    const int kind = take_palette(name, choice);
    if (kind == 0) {
      refuse_usage(text("--palette に {} はありません", "there is no palette {}", quotation(name)),
                   suggestion_before(name, palette_names(), choose_from(palette_names())));
    }
    const auto [other, is_first] = chosen.emplace(kind, name);
    if (is_first) continue;
    refuse_usage(text("--palette の {} と {} は同じ種類です", "--palette has two of one kind, {} and {}",
                      other->second, name),
                 {"連続、正負、系列から 1 つずつにしてください",
                  "choose one for numbers, one around zero, one for series"});
  }
}

}  // namespace

void read_range(const std::string& text, ColourChoice& choice) {
  if (text == "data") {
    choice.range = RangeOfData{};
    return;
  }
  if (text == "rest") {
    choice.first_key = FirstKey::left_out;
    return;
  }
  if (text == "log") {
    choice.spacing = ColourScale::Spacing::logarithmic;
    return;
  }
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    const std::optional<double> low = number_from<double>(std::string_view(text).substr(0, colon));
    const std::optional<double> high = number_from<double>(std::string_view(text).substr(colon + 1));
    if (low && high && *low < *high && std::isfinite(*high - *low)) {
      choice.range = Interval{*low, *high};
      return;
    }
  }
  refuse_usage(
      attnlab::text("--range {} は色の範囲として読めません", "--range {} is no range of colours",
                    quotation(text)),
      {"data, log, rest のどれか、または小さい数と大きい数を A:B の形で指定してください（例：--range 0:1）",
       "use data, log, rest, or two numbers low:high, such as --range 0:1"});
}

std::vector<std::string> palette_names() {
  std::vector<std::string> names = names_of(palettes());
  for (const auto& entry : series_palettes()) names.push_back(entry.name);
  return names;
}

std::vector<Flag> look_flags(const std::set<std::string>& without) {
  const Text colours =
      text("色の並び。{}。連続、正負、系列から 1 つずつ選べます。bands は名前で呼べる 6 色",
           "colours: {}; one for numbers, one around zero, one for series; bands has six that can be named",
           joined(palette_names(), ", "));
  std::vector<Flag> flags{flag("preset", ChoiceKind{names_of(presets())}),
                          flag("theme", ChoiceKind{{"light", "dark", "print"}}, "light"),
                          flag("palette", "NAME,...", colours.ja(), colours.en()).offering(palette_names()),
                          flag("range", "0:1|data|log|rest|A:B"),
                          flag("title", "TEXT").excluding({"no-title"}),
                          flag("no-title"),
                          flag("no-caption"),
                          flag("size", "WxH"),
                          flag("dpi", NumberKind{{36.0, 1200.0}}, "144"),
                          flag("svg-text"),
                          flag("blank").excluding({"no-figure"})};
  flags.erase(std::remove_if(flags.begin(), flags.end(),
                             [&](const Flag& flag) { return without.count(flag.name) != 0; }),
              flags.end());
  return flags;
}

Look read_look(const ParsedCommand& parsed, Language language) {
  Look look;
  look.language = language;
  look.dpi = parsed.checked("dpi").number("dpi");
  look.theme = parsed.checked("theme").chosen<Theme>("theme");
  if (parsed.is_set("preset")) {
    look.preset = preset_named(parsed.checked("preset").text("preset"));
  }
  if (parsed.is_set("size")) look.page = parse_page_size(parsed.value("size"), look.dpi);
  if (parsed.is_set("palette")) read_palettes(parsed.value("palette"), look.colours);
  if (parsed.is_set("range")) read_range(parsed.value("range"), look.colours);
  if (parsed.is_set("blank")) look.filling = Filling::blank;
  if (parsed.is_set("svg-text")) look.lettering = Lettering::text;
  if (parsed.is_set("title")) look.title = parsed.value("title");
  look.has_title = !parsed.is_set("no-title");
  look.has_caption = !parsed.is_set("no-caption");
  look.typed = typed_flags(parsed, look_flags());
  return look;
}

std::vector<TypedFlag> typed_flags(const ParsedCommand& parsed, const std::vector<Flag>& flags) {
  std::vector<TypedFlag> typed;
  for (const Flag& one : flags) {
    if (!parsed.is_set(one.name)) continue;
    const Flag& flag = *find_flag(parsed.command, one.name);
    const std::string value = parsed.value(flag.name);
    if (flag.takes == Flag::Takes::nothing) {
      typed.push_back({flag.name, std::nullopt});
    } else if (value != flag.default_text.in(Language::en)) {
      typed.push_back({flag.name, value});
    }
  }
  return typed;
}

}  // namespace attnlab
