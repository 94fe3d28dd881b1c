// A picture that changes from frame to frame: elements that stay, and attributes that do not.
#pragma once

#include <unordered_map>

#include "page/series.hpp"
#include "plotting/backends/svg/svg_elements.hpp"

namespace attnlab {

/// Texts, each once, known by their number.
class NumberedTexts {
 public:
  std::size_t number_of(const std::string& text);
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> known_;
  std::vector<std::string> all_;
};

/// What the pictures of a page share: outlines, letters, and colours in pairs for light and dark.
struct PageInk {
  SvgDefinitions definitions;
  std::shared_ptr<GlyphOutlines> outlines = no_outlines_yet();
  NumberedTexts letters;  // of one label, as markup
  NumberedTexts colours;  // "#ffffff #16181c"
};

/// "var(--c3)"
std::string css_colour(std::size_t number);

/// The custom properties --c0, --c1, ... for a style sheet.
std::string colour_rules(const NumberedTexts& colours);

/// Of a picture on a page, in CSS pixels: in a narrower one letters are too small to be read.
double least_width(const DisplayList& list);

/// Behind the id of an image that is shown at night alone.
constexpr const char* night_end = ".night";

/// An element in all frames, with a number of the picture's values for each. Values of `fill` and `stroke`
/// are numbers of colours or "none", those of `letters` numbers of letters; all others are as they stand in
/// an SVG.
struct PictureElement {
  std::string id;    // of the display list's item
  std::string name;  // "path"
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> attributes;
};

/// Frames are added one after the other. Elements are matched by their ids, in the order in which they are
/// painted: one that a frame does not have is not displayed there.
class PagePicture {
 public:
  /// The two lists are one figure in both themes: they differ in their colours alone.
  void add(const DisplayList& light, const DisplayList& dark, PageInk& ink);

  std::size_t frames() const { return frames_; }
  double width() const { return width_; }
  double height() const { return height_; }
  /// Of all frames.
  double least_width() const { return least_width_; }
  const std::string& paper() const { return paper_; }  // "var(--c0)"
  /// With a value for every frame.
  const std::vector<PictureElement>& elements() const { return elements_; }
  const Json& value(std::uint32_t number) const { return values_[number]; }

 private:
  std::uint32_t number_of(const Json& value);
  PictureElement& place_of(const std::string& id, const std::string& name, std::size_t& at);

  std::vector<PictureElement> elements_;
  std::vector<Json> values_;  // each once: most recur in many elements and frames
  std::unordered_map<Json, std::uint32_t> numbers_;
  std::set<std::pair<std::string, std::string>> known_;  // ids and names
  std::size_t frames_ = 0;
  double width_ = 0.0;
  double height_ = 0.0;
  double least_width_ = 0.0;
  std::string paper_;
};

/// The elements as one frame has them (first_frame.cpp). `marks` says by their ids where those that
/// answer stand: "grid row column".
std::string standing_frame(const PagePicture& picture, std::size_t frame, const PageInk& ink,
                           const std::map<std::string, std::string>& marks);

/// The same without answers; marks say under the pointer what `hovers` has for their ids, and elements have
/// the `attributes` of theirs.
std::string still_frame(const PagePicture& picture, const PageInk& ink,
                        const std::map<std::string, std::string>& hovers,
                        const std::map<std::string, std::string>& attributes = {});

/// [element, attribute, series] for everything that changes.
Json changes_of(const PagePicture& picture, SeriesTable& table);

}  // namespace attnlab
