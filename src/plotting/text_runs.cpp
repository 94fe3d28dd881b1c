#include "plotting/text_runs.hpp"

#include <cmath>

#include "core/constants.hpp"
#include "plotting/layout_runs.hpp"
#include "plotting/typesetting.hpp"

namespace attnlab {
namespace {

/// The attribute of that type that the item's text was given, or nullptr.
PangoAttribute* attribute_of(const PangoItem& item, PangoAttrType type) {
  for (const GSList* at = item.analysis.extra_attrs; at != nullptr; at = at->next) {
    auto* attribute = static_cast<PangoAttribute*>(at->data);
    if (attribute->klass->type == type) return attribute;
  }
  return nullptr;
}

int rise_of(const PangoItem& item) {
  PangoAttribute* rise = attribute_of(item, PANGO_ATTR_RISE);
  return rise == nullptr ? 0 : pango_attribute_as_int(rise)->value;
}

/// Where Pango's renderer draws it: at the font's ascent, as thick as its underline.
PangoRectangle bar_over(const LayoutRun& at) {
  const PangoAnalysis& analysis = at.run->item->analysis;
  PangoFontMetrics* metrics = pango_font_get_metrics(analysis.font, analysis.language);
  const PangoRectangle bar{at.logical.x, at.baseline - pango_font_metrics_get_ascent(metrics),
                           at.logical.width, pango_font_metrics_get_underline_thickness(metrics)};
  pango_font_metrics_unref(metrics);
  return bar;
}

}  // namespace

RunsOfLabel runs_of(const Label& label) {
  const GObjectPtr<PangoLayout> layout = typeset(label.markup, label.size, label.weight);
  const double scale = scale_to(label.size);
  const auto points = [scale](int units) { return pango_units_to_double(units) * scale; };
  PangoRectangle whole;
  pango_layout_get_extents(layout.get(), nullptr, &whole);
  const int baseline = pango_layout_get_baseline(layout.get());
  RunsOfLabel result{points(whole.width), points(baseline), {}};
  for_each_run(layout.get(), [&](const LayoutRun& at) {
    const PangoItem& item = *at.run->item;
    const char* text = pango_layout_get_text(layout.get()) + item.offset;
    TextRun run{std::string(text, static_cast<std::size_t>(item.length)),
                size_of(item.analysis.font) * scale,
                points(at.logical.x),
                points(at.baseline),
                points(at.logical.width),
                points(rise_of(item)),
                {}};
    if (attribute_of(item, PANGO_ATTR_OVERLINE) != nullptr) {
      const PangoRectangle bar = bar_over(at);
      run.bar = Box{points(bar.x), points(bar.y), points(bar.width), points(bar.height)};
    }
    result.runs.push_back(run);
  });
  return result;
}

Position on_baseline(const Label& label, const RunsOfLabel& runs, double share) {
  const double turn = label.angle * pi / 180.0;
  const double along = share * runs.width;
  return {label.position.x + along * std::cos(turn) - runs.baseline * std::sin(turn),
          label.position.y + along * std::sin(turn) + runs.baseline * std::cos(turn)};
}

}  // namespace attnlab
