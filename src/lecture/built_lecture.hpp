// A lecture whose figures are drawn: what its pages are written from.
#pragma once

#include "lecture/built_block.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// Where a reader finds the caption: a page does not repeat the one in the picture.
enum class CaptionPlace { beside_picture, in_picture };

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
};

struct BuiltSection {
  std::string title;
  std::vector<BuiltFigure> figures;
  std::vector<BuiltBlock> blocks;
};

/// A lecture in one language.
struct BuiltLecture {
  Language language = Language::en;
  std::string title;
  std::vector<BuiltSection> sections;
  std::string other_page;  // the name of the page in the other language, or ""
};

/// A page that needs nothing beside itself: no network, no other file to be read, and no script unless it has
/// sliders. In the reader's colours, light or dark; a figure fills the window when it is clicked, its marks
/// say their values under the pointer. In print answers stand at the end. Throws Error (usage) as
/// markdown_html.
std::string lecture_html(const BuiltLecture& lecture);

/// One Beamer frame per figure, to be read in with \input; figures are PDF files.
std::string lecture_beamer(const BuiltLecture& lecture);

/// One heading per figure with the picture and its caption (unless the picture has it), as Marp, reveal-md
/// and pandoc understand.
std::string lecture_markdown(const BuiltLecture& lecture);

/// Titles and captions alone, to be pasted.
std::string lecture_captions(const BuiltLecture& lecture);

/// The SHA-256 digest in hexadecimal digits.
std::string sha256(const std::string& bytes);

/// What a figure says when the pointer rests on one of its marks, by the id of the display list's item:
/// "weights[2,5]" -> "Query 2, Key 5: 0.2346".
std::map<std::string, std::string> hover_texts(const Figure& figure, Language language);

}  // namespace attnlab
