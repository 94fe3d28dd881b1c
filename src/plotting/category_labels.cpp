#include "plotting/category_labels.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr double slanted = -45.0;
constexpr double upright = -90.0;
const double diagonal = std::sqrt(0.5);

}  // namespace

double widest(const std::vector<std::string>& names, const Style& style, double longest) {
  double width = 0.0;
  for (const std::string& name : names) {
    width = std::max(width, measure(escape(name), style.tick, Weight::regular).width);
  }
  return std::min(width, longest);
}

LabelPlan plan_labels(const std::vector<std::string>& names, const Style& style, double spacing,
                      double longest) {
  LabelPlan plan;
  plan.longest = longest;
  if (names.empty()) return plan;
  const double width = widest(names, style, longest);
  const double first = std::min(longest, measure(escape(names.front()), style.tick, Weight::regular).width);
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

void draw_labels(const std::vector<std::string>& names, const LabelPlan& plan, Sheet& sheet,
                 const Position& first, double spacing, const std::string& prefix) {
  const Style& style = sheet.style();
  for (std::size_t i = 0; i < names.size(); i += plan.step) {
    const std::string name = elide(names[i], style.tick, Weight::regular, plan.longest);
    const Position at{first.x + spacing * static_cast<double>(i), first.y};
    const bool level = plan.angle == 0.0;
    sheet.add_words(
        prefix + "[" + std::to_string(i) + "]", sheet.words(name, style.tick),
        {at, level ? AlignX::centre : AlignX::right, level ? AlignY::top : AlignY::middle, plan.angle});
  }
}

}  // namespace attnlab
