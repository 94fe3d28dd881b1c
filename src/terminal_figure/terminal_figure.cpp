#include "terminal_figure/terminal_figure.hpp"

#include "terminal_figure/panels.hpp"

namespace attnlab {
namespace {

using namespace terminal_figure;

constexpr std::size_t widest_figure = 120;  // lines longer than that tire the eye
constexpr std::size_t gap = 3;              // columns between panels

/// Boxes, arrows and equations take more room than characters leave them: the description tells them.
bool is_told(const Panel& panel) {
  return std::holds_alternative<Diagram>(panel.content) ||
         std::holds_alternative<MatrixEquation>(panel.content);
}

/// `shown(content)` for what the panel draws.
template <class Shown>
auto with_drawn(const Panel& panel, const Shown& shown) {
  const auto* map = std::get_if<HeatMap>(&panel.content);
  return map != nullptr ? shown(*map) : shown(std::get<Chart>(panel.content));
}

std::size_t width_of_each(std::size_t columns, std::size_t width) {
  return (width - gap * (columns - 1)) / columns;
}

/// How many panels stand side by side: a divisor of the figure's own columns, so that what belongs together
/// stays together; else as many as make rows of equal length.
std::size_t columns_for(const Figure& figure, std::size_t width, const Setting& setting) {
  const std::size_t count = figure.panels.size();
  std::size_t needed = 0;
  for (const Panel& panel : figure.panels) {
    needed = std::max(needed, with_drawn(panel, [&](const auto& content) {
                        return comfortable_width(content, width, setting);
                      }));
  }
  std::size_t most = 1;
  while (most < count && width_of_each(most + 1, width) >= needed) ++most;
  const std::size_t rows = (count + most - 1) / most;
  const std::size_t balanced = (count + rows - 1) / rows;
  if (figure.columns == 0) return balanced;
  std::size_t columns = std::min(most, figure.columns);
  while (figure.columns % columns != 0) --columns;
  return columns == 1 && figure.columns > 1 ? balanced : columns;
}

/// One row of panels: titles above, as high as the highest, so that the pictures begin on one line.
Picture draw_row(const std::vector<const Panel*>& panels, std::size_t width, ColourBar bar,
                 const Setting& setting) {
  std::vector<Picture> titles;
  std::size_t height = 0;
  for (const Panel* panel : panels) {
    titles.push_back(paragraph(setting.words(panel->title), width, bold));
    height = std::max(height, titles.back().height());
  }
  std::vector<Picture> columns;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Picture title(titles[i].width(), height);
    title.lay({0, height - titles[i].height()}, titles[i]);
    const Picture content =
        with_drawn(*panels[i], [&](const auto& shown) { return draw(shown, width, bar, setting); });
    columns.push_back(stacked({title, content}));
  }
  return beside(columns, gap);
}

/// The range that all panels share.
Picture shared_colours(const Figure& figure, std::size_t width_of_panel, std::size_t width,
                       const Setting& setting) {
  if (!figure.shared_scale) return {0, 0};
  const auto* map = std::get_if<HeatMap>(&figure.panels.front().content);
  if (map != nullptr && map->fill == CellFill::outline) return {0, 0};
  const bool chart = std::holds_alternative<Chart>(figure.panels.front().content);
  const Coloured what = chart ? Coloured::marks : Coloured::cells;
  const WithoutColour without = map != nullptr ? told_by(*map, width_of_panel, setting)
                                : chart        ? WithoutColour::numbers
                                               : told_by(CellSize{}, *figure.shared_scale);
  return colour_line(*figure.shared_scale, what, without, width, setting);
}

Picture draw_panels(const Figure& figure, std::size_t width, const Setting& setting) {
  const ColourBar bar = figure.shared_scale ? ColourBar::elsewhere : ColourBar::here;
  const std::size_t columns = columns_for(figure, width, setting);
  const std::size_t each = width_of_each(columns, width);
  std::vector<Picture> rows;
  for (std::size_t i = 0; i < figure.panels.size(); i += columns) {
    std::vector<const Panel*> row;
    for (std::size_t k = i; k < std::min(i + columns, figure.panels.size()); ++k) {
      row.push_back(&figure.panels[k]);
    }
    rows.push_back(draw_row(row, each, bar, setting));
  }
  rows.push_back(shared_colours(figure, each, width, setting));
  return stacked(rows, 1);
}

std::size_t highest_map(const Figure& figure) {
  std::size_t rows = 0;
  for (const Panel& panel : figure.panels) {
    if (const auto* map = std::get_if<HeatMap>(&panel.content)) rows = std::max(rows, map->values.rows);
  }
  return rows;
}

}  // namespace

std::string to_terminal(const Figure& figure, const TerminalPage& page) {
  const std::size_t width = std::clamp(page.width, narrowest_terminal, widest_figure);
  Figure drawn = figure;
  drawn.panels.erase(std::remove_if(drawn.panels.begin(), drawn.panels.end(), is_told), drawn.panels.end());
  const Setting setting{page.language, page.colours,
                        style_for(page.theme, measures_of(figure.page), page.series), drawn.panels.size(),
                        highest_map(drawn)};
  std::vector<Picture> parts{paragraph(setting.words(figure.title), width, bold)};
  if (!drawn.panels.empty()) parts.push_back(draw_panels(drawn, width, setting));
  if (drawn.panels.size() < figure.panels.size())
    parts.push_back(paragraph(setting.words(figure.description), width));
  parts.push_back(paragraph(setting.words(figure.caption), width, faint));
  return stacked(parts, 1).text(page.colours);
}

}  // namespace attnlab
