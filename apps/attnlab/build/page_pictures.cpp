#include "attnlab/build/block_building.hpp"
#include "attnlab/output/render.hpp"
#include "page/picture.hpp"

namespace attnlab {
namespace {

/// 360 pixels wide, and no letters of less than 12.
const Preset& telephone() {
  static const Preset preset{"telephone",
                             {"携帯電話の画面の幅", "the width of a telephone"},
                             {5.0, 4.8},
                             {17.0, 14.5, 13.5, 12.5, 12.0, 12.0, 5.0, 1.3},
                             Wording::left_to_text};
  return preset;
}

bool is_map_without_numbers(const Panel& panel) {
  const auto* map = std::get_if<HeatMap>(&panel.content);
  return map != nullptr && map->decimals == no_numbers;
}

/// Charts and maps stand below each other, many maps without numbers in pairs; nothing where there is a
/// single panel, or one of another kind.
std::optional<std::size_t> columns_on_telephone(const Figure& figure) {
  constexpr std::size_t many = 4;
  const auto all = [&figure](auto is_such) {
    return std::all_of(figure.panels.begin(), figure.panels.end(), is_such);
  };
  const bool can_stand_alone = all([](const Panel& panel) {
    return std::holds_alternative<Chart>(panel.content) || std::holds_alternative<HeatMap>(panel.content);
  });
  if (figure.panels.size() < 2 || !can_stand_alone) return std::nullopt;
  return figure.panels.size() >= many && all(is_map_without_numbers) ? 2 : 1;
}

/// What a panel needs of the page's height, in inches.
double height_on_telephone(const Panel& panel, std::size_t columns) {
  constexpr double chart_height = 3.2;
  constexpr double maps_width = 3.6;  // what names and colour bar leave
  constexpr double least_row = 0.36;
  constexpr double title = 0.5;
  constexpr double names = 0.5;
  const auto* map = std::get_if<HeatMap>(&panel.content);
  if (map == nullptr) return chart_height;
  const double width = maps_width / static_cast<double>(columns);
  const double row = std::max(least_row, width / static_cast<double>(map->values.columns));
  return title + std::min(width, row * static_cast<double>(map->values.rows)) +
         (map->column_labels.empty() ? 0.0 : names);
}

double height_on_telephone(const Figure& figure) {
  double height = 1.0;  // for what all panels have together
  for (std::size_t first = 0; first < figure.panels.size(); first += figure.columns) {
    height += height_on_telephone(figure.panels[first], figure.columns);
  }
  return height;
}

}  // namespace

Look on_telephone(Look look) {
  look.preset = telephone();
  look.page.reset();
  return look;
}

ThemeBy theme_chooser(const Lecture& lecture, const LectureFigure& entry) {
  return look_texts(lecture, entry).count("theme") == 0 ? ThemeBy::reader : ThemeBy::look;
}

ThemedPicture themed_picture(const Figure& figure, Look look, ThemeBy chooser) {
  look.has_title = false;
  look.has_caption = false;
  if (chooser == ThemeBy::look) {
    const DisplayList list = render_page(figure, "", look).page.list;
    return {list, list};
  }
  ThemedPicture picture;
  look.theme = Theme::light;
  picture.light = render_page(figure, "", look).page.list;
  look.theme = Theme::dark;
  picture.dark = render_page(figure, "", look).page.list;
  return picture;
}

ThemedPicture telephone_picture(Figure figure, const Look& look, ThemeBy chooser) {
  Look small = on_telephone(look);
  PageSize& page = small.preset->page;
  if (const std::optional<std::size_t> columns = columns_on_telephone(figure)) {
    figure.columns = *columns;
    page.height = height_on_telephone(figure);
  }
  ThemedPicture picture = themed_picture(figure, small, chooser);
  const double width = picture.light.width;
  const double needed = least_width(picture.light);
  if (needed <= width) return picture;
  // Its subscripts have to be shown larger: on a page that is narrower by as much it fits the screen.
  page.width *= width / needed;
  ThemedPicture narrower = themed_picture(figure, small, chooser);
  return least_width(narrower.light) <= std::ceil(width) ? narrower : picture;
}

}  // namespace attnlab
