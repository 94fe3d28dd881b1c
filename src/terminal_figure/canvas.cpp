#include "terminal_figure/canvas.hpp"

#include "core/constants.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr std::size_t dots_across = 2;
constexpr std::size_t dots_down = 4;
constexpr char32_t first_braille = 0x2800;

// The bits of the Unicode block "Braille Patterns", by line and column of the dot.
constexpr std::array<std::array<std::uint8_t, dots_across>, dots_down> bits{
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

// A place between the middles of the outermost dots.
double along(double fraction, std::size_t dots) { return fraction * static_cast<double>(dots - 1); }

std::size_t character_at(double fraction, std::size_t characters, std::size_t dots_each) {
  const double dot = std::round(along(std::clamp(fraction, 0.0, 1.0), characters * dots_each));
  return static_cast<std::size_t>(dot) / dots_each;
}

constexpr long reach_lines = 4;
constexpr long reach_columns = 7;
constexpr double cost_of_dot = 0.6;        // a line that words cover or touch, in lines of distance
constexpr double cost_of_direction = 1.2;  // standing on the opposite side costs twice that
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
    double least = infinity;
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
    if (covers_mark(place)) return false;
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

DotCanvas::DotCanvas(std::size_t width, std::size_t height)
    : width_(width), height_(height), dots_(width * height, 0), looks_(width * height) {}

void DotCanvas::set(long x, long y, const Look& look) {
  const auto across = static_cast<long>(width_ * dots_across);
  const auto down = static_cast<long>(height_ * dots_down);
  if (x < 0 || y < 0 || x >= across || y >= down) return;
  const auto column = static_cast<std::size_t>(x);
  const auto line = static_cast<std::size_t>(y);
  const std::size_t at = index({column / dots_across, line / dots_down});
  dots_[at] = static_cast<std::uint8_t>(dots_[at] | bits.at(line % dots_down).at(column % dots_across));
  looks_[at] = look;
}

void DotCanvas::draw_dot(const Fraction& point, const Look& look) {
  set(std::lround(along(point.x, width_ * dots_across)),
      std::lround(along(1.0 - point.y, height_ * dots_down)), look);
}

void DotCanvas::draw_line(const std::vector<Fraction>& points, const Dashes& dashes, const Look& look) {
  std::size_t drawn = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Fraction& from = points[i - 1];
    const Fraction& to = points[i];
    const double length = std::max(std::abs(along(to.x - from.x, width_ * dots_across)),
                                   std::abs(along(to.y - from.y, height_ * dots_down)));
    constexpr double longest = 1e5;  // a segment that leaves the canvas far behind
    const auto steps = static_cast<std::size_t>(std::min(std::ceil(length), longest));
    for (std::size_t step = 0; step <= steps; ++step) {
      const double part = steps == 0 ? 0.0 : static_cast<double>(step) / static_cast<double>(steps);
      if (drawn % (dashes.on + dashes.off) < dashes.on) {
        draw_dot({from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part}, look);
      }
      ++drawn;
    }
  }
}

Spot DotCanvas::spot_of(const Fraction& point) const {
  return {character_at(point.x, width_, dots_across), character_at(1.0 - point.y, height_, dots_down)};
}

void DotCanvas::lay_under(Picture& picture, const Spot& corner) const {
  for (std::size_t line = 0; line < height_; ++line) {
    for (std::size_t column = 0; column < width_; ++column) {
      const Spot spot{corner.column + column, corner.line + line};
      if (dots_[index({column, line})] == 0 || picture.is_written(spot)) continue;
      picture.write(spot, encode_utf8(first_braille + dots_[index({column, line})]),
                    looks_[index({column, line})]);
    }
  }
}

Placed place_words(const std::string& words, const Wish& wish, const Look& look, const DotCanvas& dots,
                   Picture& picture) {
  const std::optional<Spot> place = Search(display_width(words), wish, dots, picture).best();
  if (!place) return Placed::no;
  picture.write(*place, words, look);
  return Placed::yes;
}

}  // namespace attnlab::terminal_figure
