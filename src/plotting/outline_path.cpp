#include "plotting/outline_path.hpp"

namespace attnlab {
namespace {

/// The control point of the quadratic curve that a cubic one with these ends and controls may be, seen from
/// one end: c = p + 2/3 (q - p).
Position quadratic_control(Position end, Position control) {
  return {(3.0 * control.x - end.x) / 2.0, (3.0 * control.y - end.y) / 2.0};
}

bool same(Position one, Position other) {
  constexpr double below_rounding = 0.3;
  return std::abs(one.x - other.x) < below_rounding && std::abs(one.y - other.y) < below_rounding;
}

}  // namespace

void OutlinePath::move_to(Position to) {
  start_ = rounded(to);
  exact_ = to;
  begun_ = false;  // nothing may follow: Cairo ends every contour with a move
}

void OutlinePath::line_to(Position to) {
  begin();
  exact_ = to;
  const Point end = rounded(to);
  const long x = end.x - at_.x;
  const long y = end.y - at_.y;
  at_ = end;
  if (x == 0 && y == 0) return;
  if (y == 0) {
    write('h', {x});
  } else if (x == 0) {
    write('v', {y});
  } else {
    write('l', {x, y});
  }
}

void OutlinePath::curve_to(Position first, Position second, Position to) {
  begin();
  const Position quadratic = quadratic_control(exact_, first);
  const Point end = rounded(to);
  if (same(quadratic, quadratic_control(to, second))) {
    const Point control = rounded(quadratic);
    write('q', {control.x - at_.x, control.y - at_.y, end.x - at_.x, end.y - at_.y});
  } else {
    const Point one = rounded(first);
    const Point two = rounded(second);
    write('c', {one.x - at_.x, one.y - at_.y, two.x - at_.x, two.y - at_.y, end.x - at_.x, end.y - at_.y});
  }
  at_ = end;
  exact_ = to;
}

void OutlinePath::close() {
  if (!begun_) return;
  data_ += 'z';
  last_ = 'z';
  at_ = start_;
}

void OutlinePath::begin() {
  if (begun_) return;
  begun_ = true;
  write('m', {start_.x - at_.x, start_.y - at_.y});
  at_ = start_;
}

void OutlinePath::write(char command, const std::vector<long>& numbers) {
  if (command != last_) data_ += command;
  bool separated = command != last_;
  for (const long number : numbers) {
    if (!separated && number >= 0) data_ += ' ';
    data_ += std::to_string(number);
    separated = false;
  }
  last_ = command;
}

}  // namespace attnlab
