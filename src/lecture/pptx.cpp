// The parts of a presentation: fixed ones (theme, master, layouts) lie in pptx/, the others are written here.
#include "lecture/pptx.hpp"

#include "core/embedded_file.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

constexpr const char* xml_declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
constexpr const char* slide_name_spaces =
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" "
    "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
const std::string of_documents = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
const std::string of_packages = "http://schemas.openxmlformats.org/package/2006/relationships/";
const std::string main_types = "application/vnd.openxmlformats-officedocument.presentationml.";

/// In English metric units, 914400 an inch: the slide, and on it the place of the picture.
constexpr long slide_width = 12192000;
constexpr long slide_height = 6858000;
constexpr long picture_left = 457200;
constexpr long picture_top = 960120;
constexpr long picture_width = 11277600;
constexpr long picture_height = 5074920;

std::string fixed_part(std::string_view name) {
  for (const EmbeddedFile& file : pptx_files()) {
    if (file.path == name) return std::string(file.text);
  }
  throw std::out_of_range(std::string(name));
}

// --- Relationships: what a part refers to, by rId1, rId2, ... in their order

struct Relationship {
  std::string type;    // "slide"
  std::string target;  // from the part's own folder
};

std::string package_relationships(const std::vector<Relationship>& all) {
  std::string xml =
      std::string(xml_declaration) +
      "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_of_package = all[i].type.rfind("metadata/", 0) == 0;
    xml += fmt::format("<Relationship Id=\"rId{}\" Type=\"{}{}\" Target=\"{}\"/>\n", i + 1,
                       is_of_package ? of_packages : of_documents, all[i].type, all[i].target);
  }
  return xml + "</Relationships>\n";
}

// --- Text

std::string slide_run(const std::string& text, const char* attributes, Language language,
                      const std::string& colour) {
  return fmt::format("<a:r><a:rPr lang=\"{}\"{} dirty=\"0\">{}</a:rPr><a:t>{}</a:t></a:r>",
                     language == Language::ja ? "ja-JP" : "en-US", attributes,
                     colour.empty() ? "" : "<a:solidFill><a:schemeClr val=\"" + colour + "\"/></a:solidFill>",
                     escape(text));
}

/// "W_O" is a W with a subscript, as in the pictures.
std::string slide_paragraph(const std::string& text, Language language, const std::string& colour) {
  constexpr const char* lowered = " baseline=\"-25000\"";
  std::string runs;
  for (const SentencePart& part : sentence_parts(text)) {
    runs += slide_run(part.text, "", language, colour);
    if (!part.subscript.empty()) runs += slide_run(part.subscript, lowered, language, colour);
  }
  return "<a:p>" + runs + "</a:p>";
}

/// Text in a place that the layout has.
std::string slide_placeholder(int id, const std::string& name, const std::string& kind,
                              const std::string& paragraphs) {
  return fmt::format(
      "<p:sp><p:nvSpPr><p:cNvPr id=\"{}\" name=\"{}\"/><p:cNvSpPr><a:spLocks "
      "noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph {}/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>"
      "<a:lstStyle/>{}</p:txBody></p:sp>\n",
      id, name, kind, paragraphs);
}

std::string slide_shapes(const std::string& all) {
  return "<p:spTree>\n<p:nvGrpSpPr><p:cNvPr id=\"1\" "
         "name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>\n" +
         all + "</p:spTree>";
}

// --- Slides

/// As large as its place allows, in the middle of it.
std::string picture_place(const SlidePicture& picture) {
  const double scale = std::min(static_cast<double>(picture_width) / picture.width,
                                static_cast<double>(picture_height) / picture.height);
  const long width = std::lround(scale * picture.width);
  const long height = std::lround(scale * picture.height);
  return fmt::format("<a:off x=\"{}\" y=\"{}\"/><a:ext cx=\"{}\" cy=\"{}\"/>",
                     picture_left + (picture_width - width) / 2, picture_top + (picture_height - height) / 2,
                     width, height);
}

/// The PNG is what every program shows; those that know Microsoft's extension show the SVG in its place.
std::string picture_of(const BuiltFigure& figure) {
  return fmt::format(
      "<p:pic><p:nvPicPr><p:cNvPr id=\"3\" name=\"{}\" descr=\"{}\"/><p:cNvPicPr><a:picLocks "
      "noChangeAspect=\"1\"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip "
      "r:embed=\"rId2\"><a:extLst>"
      "<a:ext uri=\"{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}\"><asvg:svgBlip "
      "xmlns:asvg=\"http://schemas.microsoft.com/office/drawing/2016/SVG/main\" r:embed=\"rId3\"/></a:ext>"
      "</a:extLst></a:blip><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>{}</a:xfrm>"
      "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr></p:pic>\n",
      escape(figure.name), escape(figure.description), picture_place(figure.slide));
}

/// The colour of text, as the theme names it; "" for the master's own.
std::string ink(Theme theme) {
  return theme == Theme::dark ? "bg2" : "";
}

std::string slide_xml(const std::string& content, Theme theme) {
  const char* dark_paper =
      "<p:bg><p:bgPr><a:solidFill><a:schemeClr val=\"tx2\"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>";
  return fmt::format(
      "{}<p:sld {}><p:cSld>{}{}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>\n",
      xml_declaration, slide_name_spaces, theme == Theme::dark ? dark_paper : "", slide_shapes(content));
}

std::string notes_xml(const std::vector<std::string>& sentences, Language language) {
  std::string paragraphs;
  for (const std::string& sentence : sentences) paragraphs += slide_paragraph(sentence, language, "");
  const std::string image =
      "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Slide\"/><p:cNvSpPr><a:spLocks noGrp=\"1\" noRot=\"1\" "
      "noChangeAspect=\"1\"/></p:cNvSpPr><p:nvPr><p:ph "
      "type=\"sldImg\"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>\n";
  return fmt::format(
      "{}<p:notes {}><p:cSld>{}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>\n",
      xml_declaration, slide_name_spaces,
      slide_shapes(image + slide_placeholder(3, "Notes", "type=\"body\" idx=\"1\"", paragraphs)));
}

// --- The package

/// Collects parts and the content types that the first of them declares.
class Package {
 public:
  void add(const std::string& path, const std::string& type, const std::string& bytes,
           const std::vector<Relationship>& refers_to) {
    overrides_ += fmt::format("<Override PartName=\"/{}\" ContentType=\"{}\"/>\n", path, type);
    add_bytes(path, bytes);
    if (refers_to.empty()) return;
    const std::size_t name = path.rfind('/') + 1;
    add_bytes(path.substr(0, name) + "_rels/" + path.substr(name) + ".rels",
              package_relationships(refers_to));
  }
  void add_bytes(const std::string& path, const std::string& bytes) { parts_.push_back({path, bytes}); }

  std::vector<PackagePart> parts() && {
    const std::string types =
        std::string(xml_declaration) +
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n"
        "<Default Extension=\"rels\" "
        "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\n"
        "<Default Extension=\"xml\" ContentType=\"application/xml\"/>\n"
        "<Default Extension=\"png\" ContentType=\"image/png\"/>\n"
        "<Default Extension=\"svg\" ContentType=\"image/svg+xml\"/>\n" +
        overrides_ + "</Types>\n";
    parts_.insert(parts_.begin(), {"[Content_Types].xml", types});
    return std::move(parts_);
  }

 private:
  std::string overrides_;
  std::vector<PackagePart> parts_;
};

/// Slides in their order, each numbered from 1.
class Slides {
 public:
  Slides(Package& package, Language language) : package_(package), language_(language) {}

  void add_title(const std::string& title, Theme theme) {
    add(slide_xml(
            slide_placeholder(2, "Title", "type=\"title\"", slide_paragraph(title, language_, ink(theme))),
            theme),
        {{"slideLayout", "../slideLayouts/slideLayout1.xml"}});
  }

  void add_figure(const BuiltFigure& figure) {
    const std::string stem = fmt::format("image{}", count_ + 1);
    package_.add_bytes("ppt/media/" + stem + ".png", figure.slide.png);
    package_.add_bytes("ppt/media/" + stem + ".svg", figure.slide.svg);
    std::vector<Relationship> refers_to{{"slideLayout", "../slideLayouts/slideLayout2.xml"},
                                        {"image", "../media/" + stem + ".png"},
                                        {"image", "../media/" + stem + ".svg"}};
    if (!figure.say.empty()) refers_to.push_back({"notesSlide", "../notesSlides/" + add_notes(figure.say)});
    const Theme theme = figure.slide.theme;
    const std::string title = slide_paragraph(figure.title, language_, ink(theme));
    const std::string caption =
        figure.caption.empty() ? ""
                               : slide_placeholder(4, "Caption", "type=\"body\" idx=\"1\"",
                                                   slide_paragraph(figure.caption, language_, ink(theme)));
    add(slide_xml(slide_placeholder(2, "Title", "type=\"title\"", title) + picture_of(figure) + caption,
                  theme),
        refers_to);
  }

  std::size_t count() const { return count_; }

 private:
  /// The name of the file, which belongs to the slide that comes next.
  std::string add_notes(const std::vector<std::string>& sentences) {
    std::string file = fmt::format("notesSlide{}.xml", count_ + 1);
    package_.add("ppt/notesSlides/" + file, main_types + "notesSlide+xml", notes_xml(sentences, language_),
                 {{"notesMaster", "../notesMasters/notesMaster1.xml"},
                  {"slide", fmt::format("../slides/slide{}.xml", count_ + 1)}});
    return file;
  }

  void add(const std::string& xml, const std::vector<Relationship>& refers_to) {
    ++count_;
    package_.add(fmt::format("ppt/slides/slide{}.xml", count_), main_types + "slide+xml", xml, refers_to);
  }

  Package& package_;
  Language language_;
  std::size_t count_ = 0;
};

/// A title is as light or dark as the figure that follows it.
Theme first_theme(const BuiltSection& section) {
  return section.figures.empty() ? Theme::light : section.figures.front().slide.theme;
}

/// What every presentation has: theme, master, layouts.
void add_design(Package& package) {
  const std::string theme_type = "application/vnd.openxmlformats-officedocument.theme+xml";
  const Relationship master{"slideMaster", "../slideMasters/slideMaster1.xml"};
  package.add("ppt/slideMasters/slideMaster1.xml", main_types + "slideMaster+xml",
              fixed_part("slide_master.xml"),
              {{"slideLayout", "../slideLayouts/slideLayout1.xml"},
               {"slideLayout", "../slideLayouts/slideLayout2.xml"},
               {"theme", "../theme/theme1.xml"}});
  package.add("ppt/slideLayouts/slideLayout1.xml", main_types + "slideLayout+xml",
              fixed_part("title_layout.xml"), {master});
  package.add("ppt/slideLayouts/slideLayout2.xml", main_types + "slideLayout+xml",
              fixed_part("figure_layout.xml"), {master});
  package.add("ppt/notesMasters/notesMaster1.xml", main_types + "notesMaster+xml",
              fixed_part("notes_master.xml"), {{"theme", "../theme/theme2.xml"}});
  for (const char* theme : {"ppt/theme/theme1.xml", "ppt/theme/theme2.xml"})
    package.add(theme, theme_type, fixed_part("theme.xml"), {});
}

void add_presentation(Package& package, std::size_t slides) {
  std::vector<Relationship> refers_to{{"slideMaster", "slideMasters/slideMaster1.xml"},
                                      {"notesMaster", "notesMasters/notesMaster1.xml"},
                                      {"theme", "theme/theme1.xml"}};
  std::string ids;
  for (std::size_t i = 1; i <= slides; ++i) {
    refers_to.push_back({"slide", fmt::format("slides/slide{}.xml", i)});
    ids += fmt::format("<p:sldId id=\"{}\" r:id=\"rId{}\"/>", 255 + i, refers_to.size());
  }
  package.add("ppt/presentation.xml", main_types + "presentation.main+xml",
              fmt::format("{}<p:presentation {}>\n<p:sldMasterIdLst><p:sldMasterId id=\"2147483648\" "
                          "r:id=\"rId1\"/></p:sldMasterIdLst><p:notesMasterIdLst><p:notesMasterId "
                          "r:id=\"rId2\"/></p:notesMasterIdLst><p:sldIdLst>{}</p:sldIdLst><p:sldSz cx=\"{}\" "
                          "cy=\"{}\"/><p:notesSz cx=\"6858000\" cy=\"9144000\"/>\n</p:presentation>\n",
                          xml_declaration, slide_name_spaces, ids, slide_width, slide_height),
              refers_to);
}

std::string package_properties(const BuiltLecture& lecture) {
  return fmt::format(
      "{}<cp:coreProperties "
      "xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" "
      "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>{}</dc:title><dc:creator>attnlab</dc:creator>"
      "<dc:language>{}</dc:language></cp:coreProperties>\n",
      xml_declaration, escape(lecture.title), code_of(lecture.language));
}

}  // namespace

std::vector<PackagePart> lecture_pptx(const BuiltLecture& lecture) {
  Package package;
  package.add_bytes("_rels/.rels",
                    package_relationships({{"officeDocument", "ppt/presentation.xml"},
                                           {"metadata/core-properties", "docProps/core.xml"}}));
  package.add("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml",
              package_properties(lecture), {});
  add_design(package);
  Slides slides(package, lecture.language);
  slides.add_title(lecture.title,
                   lecture.sections.empty() ? Theme::light : first_theme(lecture.sections.front()));
  walk(
      lecture, [&](const BuiltSection& section) { slides.add_title(section.title, first_theme(section)); },
      [&](const BuiltFigure& figure) { slides.add_figure(figure); });
  add_presentation(package, slides.count());
  return std::move(package).parts();
}

}  // namespace attnlab
