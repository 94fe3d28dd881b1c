#include "experiments/framework/plane.hpp"

namespace attnlab {

Curve line_through(std::string id, const std::vector<PlanePoint>& points, Ink ink) {
  Curve curve{std::move(id), {}, {}, ink};
  for (const PlanePoint& point : points) {
    curve.x.push_back(point.real());
    curve.y.push_back(point.imag());
  }
  return curve;
}

Axis axis_around(Text label, const Interval& interval, double length) {
  const double middle = (interval.low + interval.high) / 2.0;
  return Axis{std::move(label)}.within(middle - length / 2.0, middle + length / 2.0);
}

}  // namespace attnlab
