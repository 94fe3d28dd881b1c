#include "plotting/panel_titles.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "plotting/style.hpp"
#include "plotting/text_measure.hpp"

namespace attnlab {
namespace {

std::vector<std::string> title_lines(const Panel& panel, Sheet& sheet, double width) {
  const std::string& title = panel.title.in(sheet.language());
  if (title.empty()) return {};
  return wrap(title, sheet.style().panel_title, Weight::bold, width);
}

}  // namespace

bool titles_beside(const Figure& figure) {
  return figure.columns == 1 && figure.panels.size() > 1 &&
         std::all_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
           return std::holds_alternative<MatrixEquation>(panel.content);
         });
}

double width_for_title_beside(const Sheet& sheet) {
  return sheet.width() * 0.17;
}

double panel_title_height(const Panel& panel, Sheet& sheet, double width) {
  const auto lines = static_cast<double>(title_lines(panel, sheet, width).size());
  return lines == 0.0 ? 0.0 : lines * sheet.style().panel_title * line_spacing + sheet.style().gap;
}

void draw_panel_title(const Panel& panel, Sheet& sheet, const Box& data, double width,
                      const std::string& id) {
  const Style& style = sheet.style();
  const std::vector<std::string> lines = title_lines(panel, sheet, width);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto above = static_cast<double>(lines.size() - 1 - i);
    sheet.add_words(
        id + ".title[" + std::to_string(i) + "]", sheet.sentence(lines[i], style.panel_title, Weight::bold),
        {{data.x + data.width / 2.0, data.y - style.gap - above * style.panel_title * line_spacing},
         AlignX::centre,
         AlignY::bottom});
  }
}

void draw_title_beside(const Panel& panel, Sheet& sheet, const Box& data, const std::string& id) {
  const Style& style = sheet.style();
  const std::vector<std::string> lines =
      title_lines(panel, sheet, width_for_title_beside(sheet) - style.body);
  const double step = style.panel_title * line_spacing;
  const double first = data.y + data.height / 2.0 - step * (static_cast<double>(lines.size()) - 1.0) / 2.0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    sheet.add_words(id + ".title[" + std::to_string(i) + "]",
                    sheet.sentence(lines[i], style.panel_title, Weight::bold),
                    {{style.margin, first + step * static_cast<double>(i)}, AlignX::left, AlignY::middle});
}

}  // namespace attnlab
