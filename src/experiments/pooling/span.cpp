// Where outputs can lie: inside the convex hull of the values, on a line when these lie on one; what leaves
// it.
#include "experiments/pooling/pooling.hpp"

namespace attnlab {
namespace {

/// Twice the area of the triangle, positive when c lies left of the way from a to b; rows of (n, 2).
double turn(const Tensor<double>& plane, std::size_t a, std::size_t b, std::size_t c) {
  return (plane(b, 0) - plane(a, 0)) * (plane(c, 1) - plane(a, 1)) -
         (plane(b, 1) - plane(a, 1)) * (plane(c, 0) - plane(a, 0));
}

/// Half of a hull, through points sorted from left to right or from right to left.
std::vector<std::size_t> half_hull(const Tensor<double>& plane, const std::vector<std::size_t>& sorted) {
  std::vector<std::size_t> hull;
  for (const std::size_t point : sorted) {
    const bool again =
        !hull.empty() && plane(point, 0) == plane(hull.back(), 0) && plane(point, 1) == plane(hull.back(), 1);
    if (again) continue;
    while (hull.size() > 1 && turn(plane, hull[hull.size() - 2], hull.back(), point) <= 0.0) hull.pop_back();
    hull.push_back(point);
  }
  return hull;
}

/// The furthest of the points along a direction.
double support(const Tensor<double>& plane, double x, double y) {
  double furthest = -infinity;
  for (std::size_t i = 0; i < plane.shape()[0]; ++i) {
    furthest = std::max(furthest, plane(i, 0) * x + plane(i, 1) * y);
  }
  return furthest;
}

/// Unit vectors: square to each side of the hull and along it, and of the axes.
std::vector<std::array<double, 2>> directions_around(const Tensor<double>& plane) {
  std::vector<std::array<double, 2>> directions{{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}};
  const std::vector<std::size_t> hull = convex_hull(plane);
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const std::size_t next = hull[(i + 1) % hull.size()];
    const double x = plane(next, 0) - plane(hull[i], 0);
    const double y = plane(next, 1) - plane(hull[i], 1);
    const double length = std::hypot(x, y);
    if (length == 0.0) continue;
    directions.push_back({y / length, -x / length});
    directions.push_back({x / length, y / length});
  }
  return directions;
}

}  // namespace

Tensor<double> in_plane(const Tensor<double>& vectors) {
  Tensor<double> plane({vectors.shape()[0], 2}, 0.0);
  const std::size_t known = std::min<std::size_t>(2, vectors.shape()[1]);
  xt::view(plane, xt::all(), xt::range(0, known)) = xt::view(vectors, xt::all(), xt::range(0, known));
  return plane;
}

/// Andrew 1979: the lower half from the left, the upper half back.
std::vector<std::size_t> convex_hull(const Tensor<double>& plane) {
  std::vector<std::size_t> sorted(plane.shape()[0]);
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return std::pair{plane(a, 0), plane(a, 1)} < std::pair{plane(b, 0), plane(b, 1)};
  });
  std::vector<std::size_t> hull = half_hull(plane, sorted);
  const std::vector<std::size_t> upper = half_hull(plane, {sorted.rbegin(), sorted.rend()});
  hull.pop_back();
  hull.insert(hull.end(), upper.begin(), upper.end() - 1);
  if (hull.empty()) hull.push_back(sorted.front());
  return hull;
}

std::vector<double> distances_beyond_hull(const Tensor<double>& output, const Tensor<double>& value) {
  const Tensor<double> points = in_plane(output);
  const Tensor<double> corners = in_plane(value);
  std::vector<double> beyond(points.shape()[0], -infinity);
  for (const auto& [x, y] : directions_around(corners)) {
    const double limit = support(corners, x, y);
    for (std::size_t i = 0; i < beyond.size(); ++i) {
      beyond[i] = std::max(beyond[i], points(i, 0) * x + points(i, 1) * y - limit);
    }
  }
  return beyond;
}

double furthest_from_line(const Tensor<double>& vectors, const Tensor<double>& direction) {
  const double square = sum_of(xt::square(direction));
  double furthest = 0.0;
  for (std::size_t i = 0; i < vectors.shape()[0]; ++i) {
    const Tensor<double> vector = xt::view(vectors, i, xt::all());
    const double along = square > 0.0 ? sum_of(vector * direction) / square : 0.0;
    furthest = std::max(furthest, std::sqrt(sum_of(xt::square(vector - along * direction))));
  }
  return furthest;
}

ValueSpan span_of_values(Tape& tape, const PoolingRun& run) {
  constexpr std::size_t probes = 100;
  constexpr double size = 0.3;  // of a component: longer tokens read a single key
  const std::size_t width = run.x.shape()[1];
  const Axes token{"probes", "width"};
  const Axes weight{"width_in", "width_out"};
  ValueSpan span;
  tape.normal("probe", {probes, width}, token, times(size));
  span.w_mixing = tape.normal("w_mixing", {width, width}, weight);
  tape.product("probe_query", "T W_q", "probe", "w_query", token);
  tape.product_with_transpose("probe_scores", "T W_q K^T", "probe_query", "key", {"probes", "keys"});
  tape.softmax("probe_weights", "softmax(T W_q K^T)", "probe_scores");
  span.output = tape.product("probe_output", "softmax(T W_q K^T) V", "probe_weights", "value", token);
  Tensor<double> line = run.w_value;
  xt::view(line, xt::range(1, width), xt::all()) = 0.0;
  span.w_line = tape.step("w_line", Formula{}, line, weight,
                          derived::input(fmt::format("np.eye({})[:, :1] @ w_value[:1]", width)));
  span.line_value = tape.product("line_value", "X W_line", "x", "w_line", {"tokens", "width"});
  span.line_output =
      tape.product("line_output", "softmax(T W_q K^T) X W_line", "probe_weights", "line_value", token);
  span.line_projected =
      tape.product("line_projected", "softmax(T W_q K^T) X W_line W_O", "line_output", "w_mixing", token);
  span.line_residual = tape.sum("line_residual", "softmax(T W_q K^T) X W_line + T", "line_output", "probe");
  return span;
}

// --- The figure

namespace {

constexpr double hull_rounding = 1e-12;  // relative to the largest value

Points dots(const std::string& id, const Tensor<double>& vectors, Ink ink, Text name = Text::none()) {
  const Tensor<double> components = attnlab::transpose(in_plane(vectors));
  return {id, values_of(components, 0), values_of(components, 1), ink, std::move(name)};
}

/// The outline of the values, closed.
Curve outline(const std::string& id, const Tensor<double>& value) {
  const Tensor<double> plane = in_plane(value);
  Curve curve{id, {}, {}, muted_ink};
  std::vector<std::size_t> hull = convex_hull(plane);
  hull.push_back(hull.front());
  for (const std::size_t corner : hull) {
    curve.x.push_back(plane(corner, 0));
    curve.y.push_back(plane(corner, 1));
  }
  curve.filled = true;
  return curve;
}

}  // namespace

std::size_t outputs_inside(const PoolingRun& run) {
  const double allowed = hull_rounding * std::max(1.0, largest_magnitude(run.qkv.value));
  const std::vector<double> beyond = distances_beyond_hull(run.span.output, run.qkv.value);
  return static_cast<std::size_t>(std::count_if(beyond.begin(), beyond.end(),
                                                [allowed](double distance) { return distance <= allowed; }));
}

Figure span_figure(const PoolingRun& run) {
  const Tensor<double>& value = run.qkv.value;
  const std::size_t inside = outputs_inside(run);
  const std::size_t probes = run.span.output.shape()[0];
  const Tensor<double> mean = xt::view(Tensor<double>(xt::mean(value, {0})), xt::newaxis(), xt::all());
  return Figure{"span", text("出力はバリューの凸包から出ない：{} 個中 {} 個が中",
                             "{1} of {0} outputs lie in the convex hull of the values", probes, inside)}
      .described(text(
          "平面の図。{0} 個のバリューと、その凸包（塗った部分）。{1} 個の乱数のトークンの出力のうち {2} 個が凸包の中にあり、真ん中がバリューの平均。",
          "A picture of a plane: {0} values and their convex hull, shaded; of the outputs for {1} random tokens {2} lie inside; in the middle the mean of the values.",
          value.shape()[0], probes, inside))
      .captioned(text("乱数のトークン {} 個が {} 個のキーを参照する（{}）。D = {} 次元の最初の 2 成分。",
                      "{} random tokens attend to {} keys ({}). The first 2 of D = {} components.", probes,
                      value.shape()[0], beginning_of(run), value.shape()[1]))
      .panel(Chart{
          Axis{{"成分 0", "Component 0"}},
          Axis{{"成分 1", "Component 1"}},
          {outline("hull", value), dots("probe_output", run.span.output, series_ink(0), {"出力", "outputs"}),
           dots("value", value, foreground_ink, {"バリュー", "values"}),
           dots("mean", mean, series_ink(1), {"平均", "mean"})}});
}

}  // namespace attnlab
