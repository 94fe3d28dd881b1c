// A lecture whose figures are drawn: what its pages are written from.
#pragma once

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Where a reader finds the caption: a page does not repeat the one in the picture.
enum class CaptionPlace { beside_picture, in_picture };

/// One figure in one language.
struct BuiltFigure {
  std::string name;  // of its files: "scaling-scatter"
  std::string title;
  std::string description;  // alternative text
  std::string caption;
  CaptionPlace caption_place = CaptionPlace::beside_picture;
  std::string command;                        // that draws it: "attnlab scaling --high-dim 100"
  std::string svg;                            // for the page
  std::map<std::string, std::string> hovers;  // what its marks say, by their ids
  std::vector<std::string> files;             // "ja/scaling-scatter.svg", from the lecture's folder
  std::vector<std::string> data;              // "data/scaling-scatter.npz"
};

struct BuiltSection {
  std::string title;
  std::vector<BuiltFigure> figures;
};

/// A lecture in one language.
struct BuiltLecture {
  Language language = Language::en;
  std::string title;
  std::vector<BuiltSection> sections;
  std::string other_page;  // the name of the page in the other language, or ""
};

/// A page that needs nothing beside itself: no network, no script, no other file to be read. A figure fills
/// the window when it is clicked, its marks say their values under the pointer.
std::string lecture_html(const BuiltLecture& lecture);

/// One Beamer frame per figure, to be read in with \input; figures are PDF files.
std::string lecture_beamer(const BuiltLecture& lecture);

/// One heading per figure with the picture and its caption (unless the picture has it), as Marp, reveal-md
/// and pandoc understand.
std::string lecture_markdown(const BuiltLecture& lecture);

/// Titles and captions alone, to be pasted.
std::string lecture_captions(const BuiltLecture& lecture);

/// SVG to stand inside a page among others: ids begin with `prefix`, marks carry their hovers.
std::string inline_svg(const std::string& svg, const std::string& prefix,
                       const std::map<std::string, std::string>& hovers);

/// The SHA-256 digest in hexadecimal digits.
std::string sha256(const std::string& bytes);

/// What a figure says when the pointer rests on one of its marks, by the id of the display list's item:
/// "weights[2,5]" -> "Query 2, Key 5: 0.2346".
std::map<std::string, std::string> hover_texts(const Figure& figure, Language language);

}  // namespace attnlab
