// A lecture whose figures are drawn: what its pages are written from.
#pragma once

#include "lecture/built_block.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// Where a reader finds the caption: a page does not repeat the one in the picture.
enum class CaptionPlace { beside_picture, in_picture };

/// The figure without its title and caption, which the slide has as text. Empty where no output shows it.
struct SlidePicture {
  double width = 0.0;  // in points
  double height = 0.0;
  Theme theme = Theme::light;
  std::string svg;
  std::string png;
};

/// A picture for readers of light and of dark pages: the lists differ in their colours alone.
struct ThemedPicture {
  DisplayList light;
  DisplayList dark;
};

/// One figure in one language.
struct BuiltFigure {
  std::string name;  // of its files: "scaling-scatter"
  std::string title;
  std::string description;  // alternative text
  std::string caption;
  CaptionPlace caption_place = CaptionPlace::beside_picture;
  std::string command;                        // that draws it: "attnlab scaling --high-dim 100"
  ThemedPicture wide;                         // for the page
  ThemedPicture narrow;                       // for a page as narrow as a telephone
  std::map<std::string, std::string> hovers;  // what its marks say, by their ids
  std::vector<std::string> files;             // "ja/scaling-scatter.svg", from the lecture's folder
  std::vector<std::string> data;              // "data/scaling-scatter.npz"
  SlidePicture slide = {};
  std::vector<std::string> say = {};  // the sentences of the run's report that a lecturer would say
  std::string program = {};  // of --code numpy, with the first figure of a run; "" where none can be written
};

struct BuiltSection {
  std::string title;
  std::vector<BuiltFigure> figures;
  std::vector<BuiltBlock> blocks = {};
};

/// A lecture in one language.
struct BuiltLecture {
  Language language = Language::en;
  std::string title;
  std::vector<BuiltSection> sections;
  std::string other_page;  // the name of the page in the other language, or ""
};

/// Calls on_section(section) of each section that has figures, and behind it its on_figure(figure), in the
/// lecture's order.
template <class OnSection, class OnFigure>
void walk(const BuiltLecture& lecture, const OnSection& on_section, const OnFigure& on_figure) {
  for (const BuiltSection& section : lecture.sections) {
    if (!section.figures.empty()) on_section(section);
    for (const BuiltFigure& figure : section.figures) on_figure(figure);
  }
}

/// Where the picture of a slide lies, from the lecture's folder: "slides/en/scaling-scatter.pdf".
std::string slide_file(Language language, const BuiltFigure& figure, const std::string& extension);

/// A page that needs nothing beside itself: no network, no other file to be read, and no script unless it has
/// sliders. In the reader's colours, light or dark; a figure fills the window when it is clicked, its marks
/// say their values under the pointer. In print answers stand at the end. Throws Error (usage) as
/// markdown_html.
std::string lecture_html(const BuiltLecture& lecture);

/// One Beamer frame per figure, to be read in with \input: its title, its picture as a PDF file, its caption.
std::string lecture_beamer(const BuiltLecture& lecture);

/// One heading per figure with its picture as an SVG file and its caption, as Marp, reveal-md and pandoc
/// understand: headings of one level, since pandoc puts an empty slide between two levels, and a space behind
/// a picture, since pandoc prints the alternative text below one that stands alone.
std::string lecture_markdown(const BuiltLecture& lecture);

/// Titles and captions alone, to be pasted.
std::string lecture_captions(const BuiltLecture& lecture);

/// What a figure says when the pointer rests on one of its marks, by the id of the display list's item:
/// "weights[2,5]" -> "Query 2, Key 5: 0.2346".
std::map<std::string, std::string> hover_texts(const Figure& figure, Language language);

}  // namespace attnlab
