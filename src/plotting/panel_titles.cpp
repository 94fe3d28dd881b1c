#include "plotting/layout/headings.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "plotting/layout/style.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

std::vector<std::string> title_lines(const Panel& panel, Sheet& sheet, double size, double width) {
  const std::string& title = panel.title.in(sheet.language());
  if (title.empty()) return {};
  return wrap(title, size, Weight::bold, width);
}

/// Japanese breaks anywhere; a word of Latin letters only at its ends.
double widest_word(const std::string& title, double size) {
  double widest = 0.0;
  for (std::size_t begin = 0; begin < title.size();) {
    const std::size_t end = std::min(title.find(' ', begin), title.size());
    const std::string word = title.substr(begin, end - begin);
    const bool is_latin =
        std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (is_latin) widest = std::max(widest, measure(escape(word), size, Weight::bold).width);
    begin = end + 1;
  }
  return widest;
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

double panel_title_size(const Figure& figure, Sheet& sheet, double width) {
  const Style& style = sheet.style();
  double widest = 0.0;
  for (const Panel& panel : figure.panels) {
    widest = std::max(widest, widest_word(panel.title.in(sheet.language()), style.panel_title));
  }
  if (widest <= width) return style.panel_title;
  return std::max(style.panel_title * width / widest, style.tick);
}

double panel_title_height(const Panel& panel, Sheet& sheet, double size, double width) {
  const auto lines = static_cast<double>(title_lines(panel, sheet, size, width).size());
  return lines == 0.0 ? 0.0 : lines * size * line_spacing + sheet.style().gap;
}

double draw_panel_title(const Panel& panel, Sheet& sheet, const Box& data, double size, double width,
                        const std::string& id) {
  const std::vector<std::string> lines = title_lines(panel, sheet, size, width);
  const Position middle{data.x + data.width / 2.0, data.y - sheet.style().gap};
  double right = 0.0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double above = static_cast<double>(lines.size() - 1 - i) * size * line_spacing;
    sheet.add_words(id + ".title[" + std::to_string(i) + "]", sheet.sentence(lines[i], size, Weight::bold),
                    {{middle.x, middle.y - above}, AlignX::centre, AlignY::bottom});
    right = std::max(right, middle.x + measure(escape(lines[i]), size, Weight::bold).width / 2.0);
  }
  return right;
}

void draw_title_beside(const Panel& panel, Sheet& sheet, const Box& data, const std::string& id) {
  const Style& style = sheet.style();
  const std::vector<std::string> lines =
      title_lines(panel, sheet, style.panel_title, width_for_title_beside(sheet) - style.body);
  const double step = style.panel_title * line_spacing;
  const double first = data.y + data.height / 2.0 - step * (static_cast<double>(lines.size()) - 1.0) / 2.0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    sheet.add_words(id + ".title[" + std::to_string(i) + "]",
                    sheet.sentence(lines[i], style.panel_title, Weight::bold),
                    {{style.margin, first + step * static_cast<double>(i)}, AlignX::left, AlignY::middle});
}

}  // namespace attnlab
