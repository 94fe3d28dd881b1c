#include "products/lecture/slide_design.hpp"

#include "core/utf8.hpp"
#include "io/zip_archive.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {
namespace {

struct Replacement {
  const char* file;
  std::string from;
  std::string to;
};

// In points, in whole ones: pandoc rounds.
constexpr int left = 25;
constexpr int top = 62;      // below the title
constexpr int line = 43;     // above a picture: a formula
constexpr int column = 206;  // beside a picture

/// Where a shape stands, in points.
std::string place(int x, int y, int width, int height) {
  constexpr int units = 12700;  // English Metric Units of a point
  return fmt::format(R"(<a:off x="{}" y="{}"/><a:ext cx="{}" cy="{}"/>)", x * units, y * units, width * units,
                     height * units);
}

const std::vector<Replacement>& replacements() {
  const char* master = "ppt/slideMasters/slideMaster1.xml";
  const char* section = "ppt/slideLayouts/slideLayout3.xml";
  const char* columns = "ppt/slideLayouts/slideLayout4.xml";
  const char* caption = "ppt/slideLayouts/slideLayout8.xml";
  const char* theme = "ppt/theme/theme1.xml";
  static const std::vector<Replacement> all{
      {master, R"(<a:off x="457200" y="205979"/><a:ext cx="8229600" cy="857250"/>)",
       place(left, 7, slide_picture_width, top - 8)},
      {master, R"(<a:off x="457200" y="1200151"/><a:ext cx="8229600" cy="3394472"/>)",
       place(left, top, slide_picture_width, slide_picture_height)},
      {master, R"(<a:off x="6553200" y="4767263"/><a:ext cx="2133600" cy="273844"/>)",
       place(left + slide_picture_width - 72, top + slide_picture_height, 72, 20)},
      {master, R"(<p:titleStyle><a:lvl1pPr algn="ctr")", R"(<p:titleStyle><a:lvl1pPr algn="l")"},
      {master, R"(<a:defRPr sz="3300")", R"(<a:defRPr sz="2000" b="1")"},
      {master, "<p:txStyles>",
       R"(<p:hf hdr="0" ftr="0" dt="0"/><p:txStyles>)"},  // numbered, but for the first
      {"ppt/presentation.xml", "<p:presentation ", R"(<p:presentation showSpecialPlsOnTitleSld="0" )"},
      {columns, R"(<a:off x="457200" y="1200151"/><a:ext cx="4038600" cy="3394472"/>)",
       place(left, top, column, slide_picture_height)},
      {columns, R"(<a:off x="4648200" y="1200151"/><a:ext cx="4038600" cy="3394472"/>)",
       place(left + slide_picture_width - slide_picture_beside, top, slide_picture_beside,
             slide_picture_height)},
      {columns, R"(sz="2100")", R"(sz="1800")"},
      {caption, R"(<a:off x="457201" y="204787"/><a:ext cx="3008313" cy="871538"/>)",
       place(left, 7, slide_picture_width, top - 8)},
      {caption, R"(<a:bodyPr anchor="b"/>)", R"(<a:bodyPr/>)"},
      {caption, R"(sz="1500" b="1")", R"(sz="2000" b="1")"},
      {caption, R"(<a:off x="3575050" y="204788"/><a:ext cx="5111750" cy="4389835"/>)",
       place(left, top + line, slide_picture_width, slide_picture_height - line)},
      {caption, R"(<a:off x="457201" y="1076326"/><a:ext cx="3008313" cy="3518297"/>)",
       place(left, top, slide_picture_width, line)},
      {caption, R"(sz="1050")", R"(sz="1800")"},
      {section, R"(<a:off x="722313" y="3305176"/>)", R"(<a:off x="722313" y="2060575"/>)"},
      {section, R"(cap="all")", R"(cap="none")"},
      {theme, "ＭＳ Ｐゴシック", "游ゴシック"}};
  return all;
}

std::string quoted_behind(const std::string& name, const std::string& xml) {
  const std::size_t begin = xml.find(name + "=\"") + name.size() + 2;
  return xml.substr(begin, xml.find('"', begin) - begin);
}

/// The slide's picture media/NAME.png, if it has that, becomes media/NAME.svg as well.
void add_vector(const std::string& name, std::string& slide, std::string& relations) {
  const std::size_t target = relations.find("/media/" + name + ".png\"");
  if (target == std::string::npos) return;
  const std::size_t begin = relations.rfind("<Relationship ", target);
  std::string relation = relations.substr(begin, relations.find('>', target) + 1 - begin);
  const std::string id = quoted_behind("Id", relation);
  relation.replace(relation.find(".png\""), 4, ".svg");
  relation.insert(relation.find("Id=\"") + 4, "svg");
  relations.insert(begin, relation);
  const std::string blip = "<a:blip r:embed=\"" + id + "\"";
  for (std::size_t at = slide.find(blip); at != std::string::npos; at = slide.find(blip, at + 1)) {
    const std::size_t end = slide.find("/>", at);
    slide.replace(end, 2,
                  "><a:extLst><a:ext uri=\"{96DAC541-7B7A-43D3-8B79-37D633B846F1}\"><asvg:svgBlip "
                  "xmlns:asvg=\"http://schemas.microsoft.com/office/drawing/2016/SVG/main\" r:embed=\"svg" +
                      id + "\"/></a:ext></a:extLst></a:blip>");
  }
}

}  // namespace

std::string slide_design(const std::string& reference, Theme theme) {
  std::vector<Replacement> all = replacements();
  if (theme == Theme::dark) {
    all.push_back({"ppt/slideMasters/slideMaster1.xml", R"(bg1="lt1" tx1="dk1")", R"(bg1="dk1" tx1="lt1")"});
    all.push_back({"ppt/theme/theme1.xml", R"(<a:sysClr val="windowText" lastClr="000000"/>)",
                   fmt::format(R"(<a:srgbClr val="{:06X}"/>)", to_hex(style_for(theme, {}).paper))});
  }
  return edited_archive(reference, [&](ArchiveEntry& entry) {
    for (const Replacement& one : all) {
      if (entry.path == one.file) entry.bytes = replaced(std::move(entry.bytes), one.from, one.to);
    }
  });
}

std::string with_narrow_code(const std::string& slides) {
  return edited_archive(slides, [](ArchiveEntry& entry) {
    if (entry.path.rfind("ppt/slides/slide", 0) == 0)
      entry.bytes = replaced(std::move(entry.bytes), R"(<a:rPr><a:latin typeface="Courier" />)",
                             R"(<a:rPr sz="1800"><a:latin typeface="Courier" />)");
  });
}

std::string with_vectors(const std::string& slides, const std::map<std::string, std::string>& pictures) {
  std::map<std::string, std::string> parts;
  std::vector<ArchiveEntry> added;
  edited_archive(slides, [&](ArchiveEntry& entry) {
    parts[entry.path] = entry.bytes;
    const auto vector = pictures.find(entry.bytes);
    if (vector != pictures.end())
      added.push_back({std::filesystem::path(entry.path).replace_extension(".svg").string(), vector->second});
  });
  if (added.empty()) return slides;
  for (auto& [path, bytes] : parts) {
    if (path.rfind("ppt/slides/slide", 0) != 0) continue;
    for (const ArchiveEntry& vector : added)
      add_vector(std::filesystem::path(vector.path).stem().string(), bytes,
                 parts.at("ppt/slides/_rels/" + path.substr(path.rfind('/') + 1) + ".rels"));
  }
  std::string& types = parts.at("[Content_Types].xml");
  types.insert(types.find("<Default "), R"(<Default Extension="svg" ContentType="image/svg+xml" />)");
  return edited_archive(
      slides, [&](ArchiveEntry& entry) { entry.bytes = parts.at(entry.path); }, added);
}

}  // namespace attnlab
