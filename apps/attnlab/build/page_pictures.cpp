#include "attnlab/build/block_building.hpp"
#include "attnlab/output/render.hpp"

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
  constexpr double chart_height = 3.2;  // inches, and a little for what all have together
  const auto is_chart = [](const Panel& panel) { return std::holds_alternative<Chart>(panel.content); };
  Look small = on_telephone(look);
  const std::size_t panels = figure.panels.size();
  if (panels > 1 && std::all_of(figure.panels.begin(), figure.panels.end(), is_chart)) {
    figure.columns = 1;
    small.page = PageSize{small.preset->page.width, 1.0 + chart_height * static_cast<double>(panels)};
  }
  return themed_picture(figure, small, chooser);
}

}  // namespace attnlab
