// A lecture whose blocks are built: what its pages are written from.
#pragma once

#include "lecture/built_block.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

struct BuiltSection {
  std::string title;
  std::vector<BuiltBlock> blocks;
  std::string name = {};  // to which links in the document lead, or ""
};

/// A lecture in one language.
struct BuiltLecture {
  Language language = Language::en;
  std::string title;
  std::string author;  // or ""
  std::vector<BuiltSection> sections;
  std::string other_page;  // the name of the page in the other language, or ""
  std::string trail = {};  // HTML above the title: ways to the other pages of a site
  std::string shared =
      {};  // the folder of shared_files, "../", or "" for a page that needs nothing beside it
};

/// A page that needs nothing beside itself: no network, no other file to be read, and no script unless it has
/// sliders. In the reader's colours, light or dark; a figure fills the window when it is clicked, its marks
/// say their values under the pointer. In print answers stand at the end. Throws Error (usage) as
/// markdown_html.
std::string lecture_html(const BuiltLecture& lecture);

/// pages.css and pages.js, which the pages of a site share.
std::map<std::string, std::string> shared_files();

/// The document for pandoc, 2.17 or newer: its own lines with what the commands in it gave in their places,
/// figures as pictures/LANGUAGE/NAME with `extension` (".png") or none, for who
/// shows them. The sections are those of `lecture` in their order. With a `mark` that nobody guesses what the
/// program wrote tells itself from the document's own by made=MARK, and the front matter is left out.
std::string lecture_markdown(const Lecture& lecture, const std::vector<BuiltSection>& sections,
                             const std::string& extension, const std::string& mark = "");

/// Where the picture of a document lies, from the lecture's folder, without its extension:
/// "pictures/en/scaling-scatter".
std::string picture_of(Language language, const std::string& name);

/// What a figure says when the pointer rests on one of its marks, by the id of the display list's item:
/// "weights[2,5]" -> "Query 2, Key 5: 0.2346".
std::map<std::string, std::string> hover_texts(const Figure& figure, Language language);

// --- Questions (cover.cpp)

/// The ids of covers are "cover[0]", "cover[1]", ...
constexpr const char* cover_id = "cover";

/// Covers marks of a row, which may be cells or bars, as high as the row is. False where the picture
/// does not show the row's marks side by side.
bool cover(DisplayList& list, const std::vector<std::string>& marks, const std::vector<std::string>& row);

}  // namespace attnlab
