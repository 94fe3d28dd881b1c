#include "attnlab/lecture/slide_pictures.hpp"

#include "attnlab/output/render.hpp"

namespace attnlab {

namespace {

/// "12.33x6in"
std::string size_of(const Page& page) {
  return fmt::format("{}x{}in", page.list.width / points_per_inch, page.list.height / points_per_inch);
}

}  // namespace

Look slide_look(Look look) {
  constexpr double share_of_width = 0.925;
  constexpr double share_of_height = 0.8;
  look.title.reset();
  look.has_title = false;
  look.has_caption = false;
  const auto is_of_words = [](const TypedFlag& flag) {
    return flag.name == "title" || flag.name == "no-title" || flag.name == "no-caption";
  };
  look.typed.erase(std::remove_if(look.typed.begin(), look.typed.end(), is_of_words), look.typed.end());
  for (const char* name : {"no-title", "no-caption"}) look.typed.push_back({name, std::nullopt});
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
  Look bare = slide_look(look);
  Page page = render_page(figure, "", bare).page;
  if (bare.preset && !bare.page) bare.typed.push_back({"size", size_of(page)});
  page.metadata.command = drawing_command(command, figure.name, bare);
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
