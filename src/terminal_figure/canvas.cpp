#include "terminal_figure/label_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/terminal_width.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr long reach_lines = 4;
constexpr long reach_columns = 7;
constexpr double cost_of_dot = 0.6;        // a line that words cover or touch, in lines of distance
constexpr double cost_of_direction = 1.2;  // standing on the opposite side costs twice that
constexpr double cost_of_shift = 2.0;      // words upon a mark are missed where they move away from it
constexpr double lines_per_column = 0.5;   // a character is twice as high as wide

struct Candidate {
  long column = 0;
  long line = 0;
};

Spot spot_at(long column, long line) {
  return {static_cast<std::size_t>(column), static_cast<std::size_t>(line)};
}

class Search {
 public:
  Search(std::size_t width, const Wish& wish, const DotCanvas& dots, const Picture& picture)
      : width_(static_cast<long>(width)),
        mark_{static_cast<long>(wish.mark.column), static_cast<long>(wish.mark.line)},
        wish_(wish),
        dots_(dots),
        picture_(picture) {}

  std::optional<Spot> best() const {
    std::optional<Spot> found;
    double least = std::numeric_limits<double>::infinity();
    for (long line = mark_.line - reach_lines; line <= mark_.line + reach_lines; ++line) {
      const long last = mark_.column + reach_columns;
      for (long column = mark_.column - width_ - reach_columns; column <= last; ++column) {
        const Candidate place{column, line};
        if (!is_free(place) || cost_of(place) >= least) continue;
        least = cost_of(place);
        found = spot_at(column, line);
      }
    }
    return found;
  }

 private:
  bool covers_mark(const Candidate& place) const {
    return place.line == mark_.line && place.column <= mark_.column && mark_.column < place.column + width_;
  }

  /// Within the picture, without a letter under the words or right beside them.
  bool is_free(const Candidate& place) const {
    const auto columns = static_cast<long>(picture_.width());
    if (place.line < 0 || place.line >= static_cast<long>(picture_.height())) return false;
    if (place.column < 0 || place.column + width_ > columns) return false;
    if (wish_.standing == Standing::beside && covers_mark(place)) return false;
    for (long column = place.column - 1; column <= place.column + width_; ++column) {
      if (column < 0 || column >= columns) continue;
      const bool is_mark = place.line == mark_.line && column == mark_.column;
      if (!is_mark && picture_.is_written(spot_at(column, place.line))) return false;
    }
    return true;
  }

  double cost_of(const Candidate& place) const {
    const long end = place.column + width_ - 1;
    const long beside = std::max({0L, place.column - mark_.column, mark_.column - end});
    const double middle = static_cast<double>(place.column + end) / 2.0;
    const double right = (middle - static_cast<double>(mark_.column)) * lines_per_column;
    const auto up = static_cast<double>(mark_.line - place.line);
    const double length = std::max(1e-9, std::hypot(right, up));
    const double agreement = (right * wish_.preferred.right + up * wish_.preferred.up) / length;
    const double cost =
        cost_of_direction * (1.0 - agreement) + cost_of_dot * static_cast<double>(dots_under(place));
    if (wish_.standing == Standing::upon) return cost + cost_of_shift * length;
    return cost + std::hypot(static_cast<double>(beside) * lines_per_column, up);
  }

  long dots_under(const Candidate& place) const {
    long count = 0;
    const auto last = static_cast<long>(picture_.width()) - 1;
    for (long column = std::max(0L, place.column - 1); column <= std::min(last, place.column + width_);
         ++column) {
      if (dots_.has_dots(spot_at(column, place.line))) ++count;
    }
    return count;
  }

  long width_;
  Candidate mark_;
  const Wish& wish_;
  const DotCanvas& dots_;
  const Picture& picture_;
};

}  // namespace

Placed place_words(const std::string& words, const Wish& wish, const Look& look, const DotCanvas& dots,
                   Picture& picture) {
  const std::optional<Spot> place = Search(display_width(words), wish, dots, picture).best();
  if (!place) return Placed::no;
  picture.write(*place, words, look);
  return Placed::yes;
}

}  // namespace attnlab::terminal_figure
