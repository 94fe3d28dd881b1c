// Pictures on a lecture's page, each once for a wide window and once for a telephone.
#include "page/rasters.hpp"
#include "products/frame_layouts.hpp"
#include "products/lecture/block_building.hpp"
#include "products/render.hpp"
#include "products/telephone.hpp"

namespace attnlab {
namespace {

ThemedPicture themed_picture(const Figure& figure, Look look, double width, ThemeBy chooser) {
  look.has_title = false;
  look.has_caption = false;
  std::vector<Text> of_size;
  look = with_readable_letters({figure}, with_space_for({figure}, look, of_size), width);
  const auto drawn = [&] { return with_rasters(render_page(figure, "", look).page.list); };
  ThemedPicture picture;
  if (chooser == ThemeBy::reader) look.theme = Theme::light;
  picture.light = drawn();
  if (chooser == ThemeBy::reader) look.theme = Theme::dark;
  picture.dark = drawn();
  return picture;
}

}  // namespace

ThemedPicture desk_picture(const Figure& figure, const Look& look, ThemeBy chooser) {
  return themed_picture(figure, look, desk_width, chooser);
}

ThemedPicture telephone_picture(Figure figure, const Look& look, ThemeBy chooser) {
  Look small = on_telephone(look);
  figure = arranged_on_telephone(std::move(figure), look);
  small.preset->page = figure.page;
  return themed_picture(figure, small, telephone_width, chooser);
}

}  // namespace attnlab
