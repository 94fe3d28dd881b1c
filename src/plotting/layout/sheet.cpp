#include "plotting/layout/sheet.hpp"
#include "core/constants.hpp"

namespace attnlab {
namespace {

constexpr double breathing_space = 0.14;  // between one text's ink and the next, of its size
constexpr double word_space = 0.25;       // and beside it, so that two names do not read as one

double share_down(AlignY align) { return align == AlignY::top ? 0.0 : align == AlignY::middle ? 0.5 : 1.0; }

Corners with_breathing_space(const Label& label) {
  Label grown = label;
  grown.ink = label.ink.grown(breathing_space * label.size);
  return ink_corners(grown);
}

Corners with_word_space(const Label& label) {
  Label grown = label;
  grown.ink = label.ink.grown(breathing_space * label.size);
  grown.ink.x = label.ink.x - word_space * label.size;
  grown.ink.width = label.ink.width + 2.0 * word_space * label.size;
  return ink_corners(grown);
}

bool contains(const Box& area, const Box& box) {
  return box.x >= area.x && box.y >= area.y && box.right() <= area.right() && box.bottom() <= area.bottom();
}

bool meets_any(const Corners& corners, const std::vector<Corners>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&corners](const Corners& other) { return overlap(corners, other) > 0.0; });
}

/// The words at the first placement inside the area that is free.
template <class IsFree>
std::optional<Label> first_place(const Words& words, const std::vector<Placement>& placements,
                                 const Box& area, const IsFree& is_free) {
  const TextExtent extent = measure(words);
  for (const Placement& placement : placements) {
    const Label label = Sheet::place(words, extent, placement);
    if (contains(area, bounds_of(with_breathing_space(label))) && is_free(label)) return label;
  }
  return std::nullopt;
}

}  // namespace

Sheet::Sheet(const PageSize& page, Style style, Language language)
    : style_(std::move(style)),
      language_(language),
      number_widths_(std::make_shared<std::map<const Matrix*, NumberWidths>>()) {
  list_.width = page.width * points_per_inch;
  list_.height = page.height * points_per_inch;
  list_.background = style_.paper;
}

Sheet Sheet::trial() const {
  Sheet sheet({width() / points_per_inch, height() / points_per_inch}, style_, language_);
  sheet.number_widths_ = number_widths_;
  return sheet;
}

Words Sheet::words(const std::string& plain, double size, Weight weight) {
  const std::string unknown = missing_characters(plain);
  if (missing_.find(unknown) == std::string::npos) missing_ += unknown;
  return {escape(plain), size, style_.ink, style_.paper, weight, {}};
}

Words Sheet::words(const Text& text, double size, Weight weight) {
  return words(text.in(language_), size, weight);
}

Words Sheet::sentence(const std::string& plain, double size, Weight weight) {
  Words line = words(plain, size, weight);
  line.markup = sentence_markup(plain, size);
  return line;
}

Words Sheet::set_markup(const std::string& markup, double size) const {
  return {markup, size, style_.ink, style_.paper, Weight::regular, {}};
}

Label Sheet::place(const Words& words, const TextExtent& extent, const Placement& placement) {
  const double right = share(placement.x) * extent.width;
  const double down = share_down(placement.y) * extent.height;
  const double turn = placement.angle * pi / 180.0;
  const Position corner{placement.at.x - right * std::cos(turn) + down * std::sin(turn),
                        placement.at.y - right * std::sin(turn) - down * std::cos(turn)};
  return {words, corner, placement.angle, extent.ink, placement.x};
}

void Sheet::add(const std::string& id, PageShape shape) {
  if (const auto* label = std::get_if<Label>(&shape)) inked_.push_back(ink_corners(*label));
  list_.items.push_back({id, std::move(shape)});
}

void Sheet::add_words(const std::string& id, const Words& words, const Placement& placement) {
  if (!words.markup.empty()) add(id, place(words, placement));
}

std::optional<Label> Sheet::free_place(const Words& words, const std::vector<Placement>& placements,
                                       const Box& area,
                                       const std::function<bool(const Label&)>& is_allowed) const {
  return first_place(words, placements, area, [&](const Label& label) {
    return !meets_any(with_word_space(label), inked_) && !meets_any(with_breathing_space(label), marks_) &&
           is_allowed(label);
  });
}

bool Sheet::meets_words(const Corners& shape) const { return meets_any(shape, inked_); }

bool Sheet::add_where_free(const std::string& id, const Words& words,
                           const std::vector<Placement>& placements, const Box& area) {
  std::optional<Label> label = free_place(words, placements, area);
  if (!label) {
    label = first_place(words, placements, area, [this](const Label& tried) {
      return !meets_any(with_breathing_space(tried), inked_);
    });
  }
  if (label) add(id, *label);
  return label.has_value();
}

void Sheet::warn(const Text& warning) { add_once(warnings_, warning); }

void Sheet::warn_of_labels_left_out() {
  warn({"重なるラベルを省きました。--size でページを大きくしてください",
        "labels that would overlap are left out; give the page a larger --size"});
}

std::vector<Text> Sheet::take_warnings() {
  if (!missing_.empty()) {
    warn({"文字「" + missing_ + "」を描けるフォントがありません。その文字を含むフォントを入れてください",
          "no installed font has the characters '" + missing_ + "'; install a font that covers them"});
  }
  return std::move(warnings_);
}

}  // namespace attnlab
