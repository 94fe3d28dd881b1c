#include "terminal_figure/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
double along(double fraction, std::size_t dots) {
  return fraction * static_cast<double>(dots - 1);
}

std::size_t character_at(double fraction, std::size_t characters, std::size_t dots_each) {
  const double dot = std::round(along(std::clamp(fraction, 0.0, 1.0), characters * dots_each));
  return static_cast<std::size_t>(dot) / dots_each;
}

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

}  // namespace attnlab::terminal_figure
