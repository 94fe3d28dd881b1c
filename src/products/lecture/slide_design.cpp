#include "products/lecture/slide_design.hpp"

#include "io/zip_archive.hpp"

namespace attnlab {
namespace {

struct Replacement {
  const char* file;
  std::string from;
  std::string to;
};

constexpr double caption_height = 0.55;  // what pandoc keeps below a picture

/// Where a shape stands, in inches.
std::string place(double x, double y, double width, double height) {
  constexpr double units = 914400.0;  // English Metric Units of an inch
  return fmt::format(R"(<a:off x="{:.0f}" y="{:.0f}"/><a:ext cx="{:.0f}" cy="{:.0f}"/>)", x * units,
                     y * units, width * units, height * units);
}

const std::vector<Replacement>& replacements() {
  const char* master = "ppt/slideMasters/slideMaster1.xml";
  const char* section = "ppt/slideLayouts/slideLayout3.xml";
  const char* theme = "ppt/theme/theme1.xml";
  static const std::vector<Replacement> all{
      {master, R"(<a:off x="457200" y="205979"/><a:ext cx="8229600" cy="857250"/>)",
       place(0.35, 0.125, slide_picture_width, 0.675)},
      {master, R"(<a:off x="457200" y="1200151"/><a:ext cx="8229600" cy="3394472"/>)",
       place(0.35, 0.85, slide_picture_width, slide_picture_height + caption_height)},
      {master, R"(<p:titleStyle><a:lvl1pPr algn="ctr")", R"(<p:titleStyle><a:lvl1pPr algn="l")"},
      {master, R"(<a:defRPr sz="3300")", R"(<a:defRPr sz="2200" b="1")"},
      {master, "<p:txStyles>",
       R"(<p:hf hdr="0" ftr="0" dt="0"/><p:txStyles>)"},  // numbered, but for the first
      {"ppt/presentation.xml", "<p:presentation ", R"(<p:presentation showSpecialPlsOnTitleSld="0" )"},
      {section, R"(<a:off x="722313" y="3305176"/>)", R"(<a:off x="722313" y="2060575"/>)"},
      {section, R"(cap="all")", R"(cap="none")"},
      {theme, "ＭＳ Ｐゴシック", "游ゴシック"}};
  return all;
}

}  // namespace

std::string slide_design(const std::string& reference) {
  return edited_archive(reference, [](ArchiveEntry& entry) {
    for (const Replacement& one : replacements()) {
      if (entry.path != one.file) continue;
      for (std::size_t at = entry.bytes.find(one.from); at != std::string::npos;
           at = entry.bytes.find(one.from, at + one.to.size()))
        entry.bytes.replace(at, one.from.size(), one.to);
    }
  });
}

}  // namespace attnlab
