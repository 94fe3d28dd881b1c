// A page that a reader plays with: a picture with sliders, its marks that answer, in one file that asks for
// no other.
#pragma once

#include "page/answers.hpp"
#include "page/picture.hpp"

namespace attnlab {

struct PageSlider {
  std::string name;  // "query-angle"
  Text help;         // what it is
  std::vector<std::string> values;
};

/// What is said of the picture in one frame.
struct FrameWords {
  Text title;
  Text description;
};

struct ExplorablePage {
  Language language = Language::en;  // shown first
  Text title = Text::none();         // of the experiment
  Text source = Text::none();
  std::string command;  // that makes the page
  std::vector<PageSlider> sliders;
  std::vector<FrameWords> words;  // by frame, the values of the first slider changing fastest
  PageInk ink;
  PagePicture ja;
  PagePicture en;
  std::vector<AnsweringFrame> answering;  // by frame
};

struct WrittenPage {
  std::string html;
  std::vector<Text> warnings;
};

/// The page: without scripts it shows its first frame, in the language and the colours that the reader
/// chooses.
WrittenPage page_html(const ExplorablePage& page);

/// The same in its language alone, to stand in a larger page: an element with a shadow tree, so that several
/// do not meet. page_script(), once behind the last of them, moves them all.
WrittenPage page_fragment(const ExplorablePage& page);
std::string page_script();

}  // namespace attnlab
