#include "plotting/text/text_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "core/constants.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

/// The bar over a run that stands under a root, from the tip of the sign where it is the first.
std::optional<Box> bar_over(const PangoItem& item, const TextRun& run, const Typeset& text, double scale) {
  for (const RootBar& bar : text.bars) {
    if (item.offset < bar.begin || item.offset >= bar.end) continue;
    const double left = item.offset == bar.begin ? bar.box.x * scale : run.x;
    return Box{left, bar.box.y * scale, run.x + run.width - left, bar.box.height * scale};
  }
  return std::nullopt;
}

/// Spaces at the ends of a run become runs of their own: a font may have others than the run's letters are
/// set in.
void add_without_spaces(const TextRun& run, const std::vector<double>& advances, std::vector<TextRun>& runs) {
  const std::size_t first = std::min(run.text.find_first_not_of(' '), run.text.size());
  const std::size_t after = run.text.size() - std::min(run.text.find_last_not_of(' ') + 1, run.text.size());
  const auto add = [&](const std::string& text, std::size_t begin, std::size_t end) {
    if (text.empty()) return;
    TextRun part = run;
    part.text = text;
    const auto at = [&advances](std::size_t i) { return advances.begin() + static_cast<std::ptrdiff_t>(i); };
    part.x += std::accumulate(at(0), at(begin), 0.0);
    part.width = std::accumulate(at(begin), at(end), 0.0);
    if (part.bar) {
      const double left = begin == 0 ? run.bar->x : part.x;
      part.bar = Box{left, run.bar->y, part.x + part.width - left, run.bar->height};
    }
    runs.push_back(part);
  };
  const std::size_t count = advances.size();
  add(run.text.substr(0, first), 0, first);
  if (first == run.text.size()) return;
  add(run.text.substr(first, run.text.size() - after - first), first, count - after);
  add(run.text.substr(run.text.size() - after), count - after, count);
}

/// The advance of each character.
std::vector<double> advances_of(const LayoutRun& at, PangoLayout* layout, double scale) {
  std::vector<int> widths(static_cast<std::size_t>(at.run->item->num_chars));
  pango_glyph_item_get_logical_widths(at.run, pango_layout_get_text(layout), widths.data());
  std::vector<double> advances;
  advances.reserve(widths.size());
  for (const int width : widths) advances.push_back(pango_units_to_double(width) * scale);
  return advances;
}

}  // namespace

RunsOfLabel runs_of(const Label& label) {
  const Typeset typeset_label = typeset(label.markup, label.size, label.weight);
  const std::shared_ptr<PangoLayout>& layout = typeset_label.layout;
  const double scale = scale_to(label.size);
  const auto points = [scale](int units) { return pango_units_to_double(units) * scale; };
  PangoRectangle whole;
  pango_layout_get_extents(layout.get(), nullptr, &whole);
  const double lift = typeset_label.lift * scale;
  RunsOfLabel result{points(whole.width), points(pango_layout_get_baseline(layout.get())) - lift, {}};
  for_each_run(layout.get(), [&](const LayoutRun& at) {
    const PangoItem& item = *at.run->item;
    const char* text = pango_layout_get_text(layout.get()) + item.offset;
    TextRun run{std::string(text, static_cast<std::size_t>(item.length)),
                size_of(item.analysis.font) * scale,
                points(at.logical.x),
                points(at.baseline) - lift,
                points(at.logical.width),
                points(rise_of(item)),
                {}};
    run.bar = bar_over(item, run, typeset_label, scale);
    add_without_spaces(run, advances_of(at, layout.get(), scale), result.runs);
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
