#include "plotting/category_labels.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr double slanted = -45.0;
constexpr double upright = -90.0;
const double diagonal = std::sqrt(0.5);

double width_of(const ShortText& name, const Sheet& sheet) {
  return measure(escape(name.in(sheet.language())), sheet.style().tick, Weight::regular).width;
}

}  // namespace

double widest(const std::vector<ShortText>& names, const Sheet& sheet, double longest) {
  double width = 0.0;
  for (const ShortText& name : names) width = std::max(width, width_of(name, sheet));
  return std::min(width, longest);
}

LabelPlan plan_labels(const std::vector<ShortText>& names, const Sheet& sheet, double spacing,
                      double longest) {
  const Style& style = sheet.style();
  LabelPlan plan;
  plan.longest = longest;
  if (names.empty()) return plan;
  const double width = widest(names, sheet, longest);
  const double first = std::min(longest, width_of(names.front(), sheet));
  const double height = measure("Ag", style.tick, Weight::regular).height;
  if (width + style.gap * 0.6 <= spacing) {
    plan.depth = height;
    plan.overhang = first / 2.0;
  } else if (height * 1.1 <= spacing * diagonal) {
    plan.angle = slanted;
    plan.depth = (width + height) * diagonal;
    plan.overhang = first * diagonal;
  } else {
    plan.angle = upright;
    plan.step = static_cast<std::size_t>(std::ceil(height * 1.1 / spacing));
    plan.depth = width;
    plan.overhang = height / 2.0;
  }
  return plan;
}

void draw_labels(const std::vector<ShortText>& names, const LabelPlan& plan, Sheet& sheet,
                 const Position& first, double spacing, const std::string& prefix) {
  const Style& style = sheet.style();
  for (std::size_t i = 0; i < names.size(); i += plan.step) {
    const std::string name = elide(names[i].in(sheet.language()), style.tick, Weight::regular, plan.longest);
    const Position at{first.x + spacing * static_cast<double>(i), first.y};
    const bool level = plan.angle == 0.0;
    sheet.add_words(
        prefix + "[" + std::to_string(i) + "]", sheet.words(name, style.tick),
        {at, level ? AlignX::centre : AlignX::right, level ? AlignY::top : AlignY::middle, plan.angle});
  }
}

}  // namespace attnlab
