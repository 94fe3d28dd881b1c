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
                             Captions::left_to_text};
  return preset;
}

}  // namespace

Look on_telephone(Look look) {
  look.preset = telephone();
  look.page.reset();
  return look;
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

}  // namespace attnlab
