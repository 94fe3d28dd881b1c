#include "plotting/colour/recolour.hpp"

#include "plotting/figure/scales.hpp"

namespace attnlab {
namespace {

constexpr double most_decades = 6.0;
constexpr double few_colours = 0.2;      // of a scale: less than this looks like one colour
constexpr std::size_t least_values = 9;  // of which that can be said

/// Values that are drawn on one scale, whose copies stand in every panel that shares it.
struct Family {
  std::vector<ColourScale*> scales;
  std::vector<double> values;  // those that count for the range
};

/// Cells that are not hidden by a mask; without the first key when there are others.
std::vector<double> values_of(const HeatMap& map, FirstKey first_key) {
  std::vector<double> values;
  const std::size_t begin = first_key == FirstKey::left_out && map.values.columns > 1 ? 1 : 0;
  for (std::size_t row = 0; row < map.values.rows; ++row) {
    for (std::size_t column = begin; column < map.values.columns; ++column) {
      const bool hidden = !map.hidden.empty() && map.hidden[row * map.values.columns + column];
      if (!hidden) values.push_back(map.values.at(row, column));
    }
  }
  return values;
}

std::vector<double> values_of(const Bars& bars, FirstKey /*first_key*/) { return bars.values; }

/// The values of those arrows or nodes that have one.
template <class Marks>
std::vector<double> values_in(const Marks& marks) {
  std::vector<double> values;
  for (const auto& mark : marks) {
    if (mark.value) values.push_back(*mark.value);
  }
  return values;
}
std::vector<double> values_of(const Arrows& arrows, FirstKey /*first_key*/) {
  return values_in(arrows.arrows);
}
std::vector<double> values_of(const Diagram& diagram, FirstKey /*first_key*/) {
  return values_in(diagram.nodes);
}

/// The captions of an equation give its ranges, and it has no colour bar.
std::vector<double> values_of(const MatrixTerm& /*term*/, FirstKey /*first_key*/) { return {}; }

bool has_colour_bar(const HeatMap& map) { return map.has_colour_bar(); }
template <class Other>
bool has_colour_bar(const Other& /*part*/) {
  return !std::is_same_v<Other, MatrixTerm>;
}

// --- Palettes

Palette chosen(Palette own, const ColourChoice& choice, Theme theme) {
  if (kind_of(own) == PaletteKind::sequential) {
    return choice.sequential.value_or(theme == Theme::print ? Palette::greys : own);
  }
  return choice.diverging.value_or(theme == Theme::print ? Palette::signed_greys : own);
}

/// Gives every scale of the figure the chosen palette; returns those that have a colour bar, by families.
std::vector<Family> families_in(Figure& figure, const ColourChoice& choice, Theme theme) {
  std::vector<Family> families;
  const auto repaint = [&](ColourScale& scale) { scale.palette = chosen(scale.palette, choice, theme); };
  if (figure.shared_scale) {
    repaint(*figure.shared_scale);
    families.push_back({{&*figure.shared_scale}, {}});
  }
  for (Panel& panel : figure.panels) {
    if (!figure.shared_scale) families.emplace_back();
    for_each_scale(panel, [&](const std::string& /*id*/, ColourScale& scale, const auto& part) {
      repaint(scale);
      if (!has_colour_bar(part)) return;
      families.back().scales.push_back(&scale);
      const std::vector<double> values = values_of(part, choice.first_key);
      std::copy_if(values.begin(), values.end(), std::back_inserter(families.back().values),
                   [](double value) { return std::isfinite(value); });
    });
  }
  families.erase(std::remove_if(families.begin(), families.end(),
                                [](const Family& family) { return family.values.empty(); }),
                 families.end());
  return families;
}

// --- Ranges

/// Of one value alone a range around it, within the figure's own: weights are never below 0.
Interval extremes(const std::vector<double>& values, const ColourScale& own) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low < *high) return {*low, *high};
  const bool is_within = own.low <= *low && *low <= own.high && own.low < own.high;
  if (!is_within) return {*low - 0.5, *high + 0.5};
  return {std::max(own.low, *low - 0.5), std::min(own.high, *high + 0.5)};
}

Interval chosen_range(const Family& family, const ColourChoice& choice) {
  const ColourScale& own = *family.scales.front();
  if (choice.range && std::holds_alternative<RangeOfFigure>(*choice.range)) return {own.low, own.high};
  if (choice.range) {
    const auto* typed = std::get_if<Interval>(&*choice.range);
    return typed != nullptr ? *typed : extremes(family.values, own);
  }
  if (choice.first_key == FirstKey::left_out) {
    const double high = extremes(family.values, own).high;
    return own.low < high ? Interval{own.low, high} : extremes(family.values, own);
  }
  return {own.low, own.high};
}

/// The end of a logarithmic scale that is positive, whatever was chosen.
Interval in_decades(const Interval& range, const std::vector<double>& values) {
  double high = range.high;
  if (high <= 0.0) return range;
  double low = range.low;
  if (low <= 0.0) {
    low = high;
    for (const double value : values) {
      if (value > 0.0) low = std::min(low, value);
    }
  }
  low = std::max(low, high * std::pow(10.0, -most_decades));
  return low < high ? Interval{low, high} : Interval{high / 10.0, high};
}

void set_range(Family& family, const ColourChoice& choice) {
  Interval range = chosen_range(family, choice);
  const bool diverging = kind_of(family.scales.front()->palette) == PaletteKind::diverging;
  const bool logarithmic =
      choice.spacing == ColourScale::Spacing::logarithmic && !diverging && range.high > 0.0;
  const bool untouched = !choice.range && choice.first_key == FirstKey::counts;
  if (diverging && !untouched) {
    const double reach = std::max(std::abs(range.low), std::abs(range.high));
    range = {-reach, reach};
  }
  if (logarithmic) range = in_decades(range, family.values);
  for (ColourScale* scale : family.scales) {
    scale->low = range.low;
    scale->high = range.high;
    scale->spacing = logarithmic ? ColourScale::Spacing::logarithmic : ColourScale::Spacing::linear;
  }
}

// --- What the reader must be told

std::string brief(double number) { return fmt::format("{:.3g}", number); }

/// Values beyond the ends, of all the families; said in the caption, because the picture cannot show it.
Text about_values_beyond(const std::vector<Family>& families) {
  std::size_t beyond = 0;
  std::size_t all = 0;
  double largest = 0.0;
  for (const Family& family : families) {
    const ColourScale& scale = *family.scales.front();
    const double slack = (scale.high - scale.low) * 1e-9;
    for (const double value : family.values) {
      const bool below = scale.spacing == ColourScale::Spacing::linear && value < scale.low - slack;
      if (below || value > scale.high + slack) {
        ++beyond;
        if (std::abs(value) > std::abs(largest)) largest = value;
      }
    }
    all += family.values.size();
  }
  if (beyond == 0) return Text::same("");
  return {fmt::format("色の範囲の外の値は {} 個中 {} 個（端の色。最大 {}）。", all, beyond, brief(largest)),
          fmt::format("Beyond the colours: {} of {} values, in the end's colour (up to {}).", beyond, all,
                      brief(largest))};
}

void report_choice(const ColourChoice& choice, const std::vector<Family>& families, Figure& figure) {
  const bool logarithmic = std::any_of(families.begin(), families.end(), [](const Family& family) {
    return family.scales.front()->spacing == ColourScale::Spacing::logarithmic;
  });
  if (logarithmic) add_to_caption(figure, {"色は対数目盛。", "Logarithmic colours."});
  if (choice.first_key == FirstKey::left_out && !families.empty()) {
    add_to_caption(figure, {"色の範囲は先頭のキーを除いて決めた。",
                            "The first key is left out of the range of the colours."});
  }
}

/// The share of the colours that all values but the outermost hundredths use.
double used_share(const Family& family) {
  std::vector<double> places;
  for (const double value : family.values) places.push_back(fraction_of(*family.scales.front(), value));
  std::sort(places.begin(), places.end());
  const std::size_t outermost = places.size() / 100;
  return places[places.size() - 1 - outermost] - places[outermost];
}

/// A figure that keeps its own range may say just that: its values lie close together on the whole range.
void warn_of_one_colour(const std::vector<Family>& families, const ColourChoice& choice,
                        std::vector<Text>& warnings) {
  for (const Family& family : families) {
    const auto [low, high] = std::minmax_element(family.values.begin(), family.values.end());
    if (family.values.size() < least_values || *low == *high) continue;
    const double share = used_share(family);
    if (share >= few_colours) continue;
    const ColourScale& scale = *family.scales.front();
    const bool data_fill_it = *high - *low >= few_colours * (scale.high - scale.low);
    if (!data_fill_it && !choice.range) continue;
    const std::string remedy = data_fill_it ? "--range log" : "--range data";
    warnings.emplace_back(
        fmt::format(
            "図はほとんど 1 色です：値の 98% が色の範囲 {}～{} の {:.2g}% に収まっています。{} で差が見えます。",
            brief(scale.low), brief(scale.high), 100.0 * share, remedy),
        fmt::format(
            "the figure is almost one colour: 98% of its values use {:.2g}% of the colour range {} to {}; {} shows their differences",
            100.0 * share, brief(scale.low), brief(scale.high), remedy));
    return;
  }
}

}  // namespace

Recoloured recolour(Figure figure, const ColourChoice& choice, Theme theme) {
  std::vector<Family> families = families_in(figure, choice, theme);
  for (Family& family : families) set_range(family, choice);
  std::vector<Text> warnings;
  warn_of_one_colour(families, choice, warnings);
  report_choice(choice, families, figure);
  add_to_caption(figure, about_values_beyond(families));
  return {std::move(figure), std::move(warnings)};
}

}  // namespace attnlab
