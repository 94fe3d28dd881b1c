// A page that a reader plays with: a picture with sliders, its marks that answer, in one file that asks for
// no other.
#pragma once

#include "page/answers.hpp"
#include "page/picture.hpp"
#include "page/views.hpp"

namespace attnlab {

struct PageSlider {
  std::string name;  // "query-angle"
  Text help;         // what it is
  std::vector<std::string> values;
  std::size_t place = 0;  // of the value with which it opens
};

/// What is said of the picture in one frame.
struct FrameWords {
  Text title;
  Text description;
};

/// The pictures of a page as they are laid out for one width of its window.
struct PageLayout {
  PagePicture ja;
  PagePicture en;
  std::vector<std::vector<PanelView>> panels = {};  // by frame

  PagePicture& in(Language language) { return language == Language::ja ? ja : en; }
  const PagePicture& in(Language language) const { return language == Language::ja ? ja : en; }
};

struct ExplorablePage {
  Language language = Language::en;  // shown first
  Text title = Text::none();         // of the experiment
  Text source = Text::none();
  std::string command;              // that makes the page
  std::vector<PageSlider> sliders;  // none of a live page
  std::vector<Text> notes;          // of what the sliders do not reach
  std::vector<FrameWords> words;    // by frame, the values of the first slider changing fastest
  PageInk ink;
  PageLayout wide;                        // both of the same figures
  PageLayout narrow;                      // is shown where the letters of the wide one would be too small
  std::vector<AnsweringFrame> answering;  // by frame
  bool has_space_for_stages = true;       // false: they were left out of `answering`

  /// Where the sliders open.
  std::size_t first_frame() const;
};

struct WrittenPage {
  std::string html;
  std::vector<Text> warnings;
};

/// The page: without scripts it shows its first frame, in the language and the colours that the reader
/// chooses.
WrittenPage page_html(const ExplorablePage& page);

// --- A live page: of one frame, which a program replaces whenever a control changes

/// What the reader changes, one for a parameter.
struct PageControl {
  /// A number of the steps of a slider.
  struct Track {
    double low;
    double high;
    double step;
  };
  enum class Kind { typed, chosen, switched };

  std::string name;
  Text help = Text::none();
  Kind kind = Kind::typed;
  std::string value;               // at first
  std::string default_text;        // "" for none
  std::string form;                // what may be typed: "1..512"
  std::vector<std::string> words;  // those to choose from, or some that may be typed
  std::optional<Track> track;      // of a number: where its slider runs
  double step = 0.0;               // by which arrow keys change a number; 0: no number
  bool is_seldom = false;          // stands under "more"
};

struct LiveControls {
  std::vector<PageControl> controls;
  std::vector<std::string> figures;  // to choose from
  std::string figure;                // the shown one
  std::string nonce;                 // under which the page's script may run
};

/// Its script sends {"figure": NAME, "language": "ja" or "en", "width": PIXELS, "parameters": {NAME: TEXT}}
/// to `frame`, and shows what comes back; it asks for `page` in the same way to save one, and holds `alive`
/// open as long as it is shown. Of its picture there is one at a time: all would take four times as long.
std::string live_page_html(const ExplorablePage& page, const LiveControls& live);

/// What comes back in the place of the picture.
std::string live_frame_html(const ExplorablePage& page);

/// The same in its own language alone, to stand in a larger page: an element with a shadow tree, so that
/// several do not meet, as wide as its picture needs (`--least`). page_script(), once behind the last of
/// them, moves them all.
WrittenPage page_fragment(const ExplorablePage& page);
std::string page_script();

}  // namespace attnlab
