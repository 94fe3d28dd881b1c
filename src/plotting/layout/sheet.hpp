// The page while it is being laid out: collects items, knows what text stands where.
#pragma once

#include "plotting/layout/style.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {

enum class AlignY { top, middle, bottom };

/// Which point of the text lands on the given position; `angle` in degrees, clockwise positive.
struct Placement {
  Position at;
  AlignX x = AlignX::centre;
  AlignY y = AlignY::middle;
  double angle = 0.0;
};

/// How wide the widest number is in the body size: as it is, without leading zeros, with a single digit after
/// the point; 0 where the numbers cannot do without what is left out.
struct NumberWidths {
  double written = 0.0;
  double left_out = 0.0;
  double one_digit = 0.0;
};

class Sheet {
 public:
  Sheet(const PageSize& page, Style style, Language language);

  /// An empty sheet like this one, to try something out.
  Sheet trial() const;

  const Style& style() const { return style_; }
  Language language() const { return language_; }
  double width() const { return list_.width; }
  double height() const { return list_.height; }

  /// Plain text in the page's language or as given, in the style's colours; notes characters no font has.
  Words words(const std::string& plain, double size, Weight weight = Weight::regular);
  Words words(const Text& text, double size, Weight weight = Weight::regular);
  /// A line of a title or a caption, with subscripts.
  Words sentence(const std::string& plain, double size, Weight weight = Weight::regular);
  /// Text that is markup already (a formula, a power of ten).
  Words set_markup(const std::string& markup, double size) const;

  /// Where the words would stand. The vertical alignment takes the line's height, not the ink.
  static Label place(const Words& words, const TextExtent& extent, const Placement& placement);
  static Label place(const Words& words, const Placement& placement) {
    return place(words, measure(words), placement);
  }

  void add(const std::string& id, PageShape shape);
  void add_words(const std::string& id, const Words& words, const Placement& placement);

  /// Marks that words should not cross when there is a choice.
  void avoid(const Corners& mark) { marks_.push_back(mark); }

  /// Keeps other words off this place altogether.
  void occupy(const Corners& place) { inked_.push_back(place); }

  /// The words at the first placement inside `area` where they meet no other text and no mark, and which is
  /// allowed.
  std::optional<Label> free_place(
      const Words& words, const std::vector<Placement>& placements, const Box& area,
      const std::function<bool(const Label&)>& is_allowed = [](const Label&) { return true; }) const;

  /// Whether a shape would run through words that stand there.
  bool meets_words(const Corners& shape) const;

  /// Adds the words at the first placement inside `area` where they meet no other text and no mark; failing
  /// that, no other text. Says whether there was one.
  bool add_where_free(const std::string& id, const Words& words, const std::vector<Placement>& placements,
                      const Box& area);

  /// Of the figure's matrices, by their addresses: measured once for this sheet and its trials.
  std::map<const Matrix*, NumberWidths>& number_widths() const { return *number_widths_; }

  /// Said once, however often it happens.
  void warn(const Text& warning);

  void warn_of_labels_left_out();

  void leave_numbers_out() { misses_numbers_ = true; }
  bool misses_numbers() const { return misses_numbers_; }

  DisplayList take_list() { return std::move(list_); }
  std::vector<Text> take_warnings();

 private:
  Style style_;
  Language language_;
  DisplayList list_;
  std::vector<Corners> inked_;
  std::vector<Corners> marks_;
  std::vector<Text> warnings_;
  std::string missing_;
  bool misses_numbers_ = false;
  std::shared_ptr<std::map<const Matrix*, NumberWidths>> number_widths_;
};

}  // namespace attnlab
