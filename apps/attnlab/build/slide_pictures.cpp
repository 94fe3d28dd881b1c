#include "attnlab/build/slide_pictures.hpp"

#include "attnlab/output/render.hpp"

namespace attnlab {

Look slide_look(Look look) {
  constexpr double share_of_width = 0.925;
  constexpr double share_of_height = 0.8;
  look.title.reset();
  look.has_title = false;
  look.has_caption = false;
  if (look.preset) {
    look.preset->page.width *= share_of_width;
    look.preset->page.height *= share_of_height;
  }
  return look;
}

void draw_slide_picture(const Figure& figure, const Lecture& lecture, const Look& look,
                        const std::string& command, BuiltFigure& drawn, std::vector<BuiltFile>& files) {
  const bool for_beamer = writes(lecture, LectureOutput::beamer);
  const bool for_markdown = writes(lecture, LectureOutput::markdown);
  const bool for_pptx = writes(lecture, LectureOutput::pptx);
  const bool for_notebook = writes(lecture, LectureOutput::notebook);
  if (!for_beamer && !for_markdown && !for_pptx && !for_notebook) return;
  const Look bare = slide_look(look);
  const Page page = render_page(figure, command, bare).page;
  SlidePicture& picture = drawn.slide;
  picture.width = page.list.width;
  picture.height = page.list.height;
  picture.theme = look.theme;
  if (for_markdown || for_pptx) picture.svg = paint_svg(page, look.lettering);
  if (for_pptx || for_notebook) {
    check_pixels(page_of(bare, figure.page), look.dpi);
    picture.png = paint_png(page, look.dpi);
  }
  if (for_beamer) files.push_back({slide_file(look.language, drawn, ".pdf"), paint_pdf(page)});
  if (for_markdown) files.push_back({slide_file(look.language, drawn, ".svg"), picture.svg});
}

}  // namespace attnlab
