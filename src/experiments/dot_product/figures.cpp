// The figures of `dot-product`: projections in the plane, and one query against several keys.
#include "experiments/dot_product/dot_product.hpp"
#include "experiments/framework/plane.hpp"

namespace attnlab {
namespace {

constexpr std::size_t arc_steps = 24;

PlanePoint vector_at(const DotProductRun& run, std::size_t index) {
  return {run.vectors(index, 0), run.vectors(index, 1)};
}

/// Where the perpendicular from the tip of vector j meets the line of a.
PlanePoint foot_of(const DotProductRun& run, std::size_t j) {
  return run.projections(0, j) / run.lengths(0) * vector_at(run, 0);
}

/// What holds the origin and these points, and the longer side of it.
struct Plane {
  Interval x;
  Interval y;
  double span = 1.0;
};

Plane plane_around(const std::vector<PlanePoint>& points) {
  Interval x{0.0, 0.0};
  Interval y{0.0, 0.0};
  for (const PlanePoint& point : points) {
    x = {std::min(x.low, point.real()), std::max(x.high, point.real())};
    y = {std::min(y.low, point.imag()), std::max(y.high, point.imag())};
  }
  return {x, y, std::max(x.high - x.low, y.high - y.low)};
}

/// From the direction of a to that of vector j, the shorter way round.
Curve angle_arc(const DotProductRun& run, std::size_t j, const std::string& id) {
  const double start = std::arg(vector_at(run, 0));
  const double turn = std::remainder(std::arg(vector_at(run, j)) - start, 2.0 * pi);
  const double radius = 0.3 * std::min(run.lengths(0), run.lengths(j));
  std::vector<PlanePoint> points;
  for (std::size_t i = 0; i <= arc_steps; ++i) {
    points.push_back(
        std::polar(radius, start + turn * static_cast<double>(i) / static_cast<double>(arc_steps)));
  }
  return line_through(id, points, muted_ink);
}

/// The projection as a measured distance: beside a, on the side away from vector j, with a tick at each end.
Curve projection_measure(const DotProductRun& run, const Plane& plane, std::size_t j, const std::string& id) {
  const PlanePoint a = vector_at(run, 0);
  const PlanePoint foot = foot_of(run, j);
  const double side = (std::conj(a) * vector_at(run, j)).imag() > 0.0 ? -1.0 : 1.0;  // the sign of a × j
  const PlanePoint outward = side * plane.span / run.lengths(0) * PlanePoint{-a.imag(), a.real()};
  constexpr double near = 0.02;
  constexpr double far = 0.07;
  constexpr double middle = 0.045;
  return line_through(id,
                      {near * outward, far * outward, middle * outward, foot + middle * outward,
                       foot + near * outward, foot + far * outward},
                      series_ink(2));
}

/// a and vector j, which the panel calls `name`.
Panel plane_panel(const DotProductRun& run, const Plane& plane, std::size_t j, const std::string& name) {
  const std::string id = "pair_a" + name;
  const PlanePoint a = vector_at(run, 0);
  const PlanePoint other = vector_at(run, j);
  const Curve arc = angle_arc(run, j, id + ".angle");
  const Curve measure = projection_measure(run, plane, j, id + ".projection");
  const std::string projection = short_number(run.projections(0, j));
  Curve foot = line_through(id + ".foot", {other, foot_of(run, j)}, foreground_ink);
  foot.dashed = true;
  constexpr double space = 1.24;  // for labels at the tips
  Chart chart{axis_around(Text::same("x"), plane.x, space * plane.span),
              axis_around(Text::same("y"), plane.y, space * plane.span),
              {arc, std::move(foot), measure,
               Arrows{id,
                      {{a.real(), a.imag(), Text::same("a"), {}, series_ink(1)},
                       {other.real(), other.imag(), Text::same(name), {}, series_ink(0)}}},
               Callout{id + ".projection.text", measure.x[3], measure.y[3],
                       text("射影 {}", "projection {}", projection)},
               Callout{id + ".angle.text", arc.x[arc_steps / 2], arc.y[arc_steps / 2],
                       Text::same(short_number(run.angles(0, j)) + "°")}}};
  chart.equal_units = true;
  return {Text::same(fmt::format("a·{} = {} × {} = {}", name, short_number(run.lengths(0)),
                                 run.projections(0, j) < 0.0 ? "(" + projection + ")" : projection,
                                 short_number(run.products(0, j)))),
          std::move(chart)};
}

Text plane_title(const DotProductRun& run) {
  const Nearness pair = nearness(run);
  const auto product = [&run](std::size_t j) {
    return product_name(0, j) + " = " + short_number(run.products(0, j));
  };
  const std::string numbers = product(pair.near);
  const std::string others = product(pair.far);
  if (!pair.same_angle && !pair.product_agrees) {
    return text("内積には長さも効く：{}、{}", "Length counts too: {}, {}", numbers, others);
  }
  if (pair.same_angle || !pair.similar_lengths) {
    return text("内積には向きと長さの両方が効く：{}、{}", "Direction and length both count: {}, {}", numbers,
                others);
  }
  return text("長さがほぼ同じなら、向きが近いほど内積は大きい：{}、{}",
              "At similar lengths the closer direction has the larger product: {}, {}", numbers, others);
}

/// One of the matrices of q Kᵀ, its colours as far from zero as `largest`.
MatrixTerm term(const std::string& id, const Tensor<double>& matrix, const char* name, double largest) {
  return matrix_term(id, formula::read(name), matrix, {Palette::rdbu, -largest, largest, {"値", "Value"}}, 2);
}

Figure plane_figure(const DotProductRun& run) {
  const Plane plane = plane_around(
      {vector_at(run, 0), vector_at(run, 1), vector_at(run, 2), foot_of(run, 1), foot_of(run, 2)});
  const auto one = [&run](std::size_t j) {
    return text("{} との角は {}°、射影は {}、内積は {}", "{}: angle {}°, projection {}, product {}",
                vector_names.at(j), short_number(run.angles(0, j)), short_number(run.projections(0, j)),
                short_number(run.products(0, j)));
  };
  return Figure{"plane", plane_title(run)}
      .described(text(
          "平面のベクトルの図が 2 枚。どちらにもベクトル a があり、左は b、右は c への角と、a への射影を示す。{}。{}。",
          "Two pictures of the plane, each with vector a; left with b, right with c, the angle between them and the projection on a. {}; {}.",
          one(1), one(2)))
      .captioned(
          text("内積 = a の長さ {} × a への射影（a と逆向きなら負）。",
               "Dot product = length of a, {}, times the projection on a (negative when it points away).",
               short_number(run.lengths(0))))
      .panel(plane_panel(run, plane, 1, vector_names.at(1)))
      .panel(plane_panel(run, plane, 2, vector_names.at(2)))
      .on_page(12.0, 6.75);
}

Figure length_figure(const DotProductRun& run) {
  Tensor<double> vectors = run.vectors;
  for (std::size_t i = 0; i < 2; ++i) vectors(1, i) *= 2.0;
  const DotProductRun twice = measure_vectors(vectors);
  const Plane plane = plane_around({vector_at(twice, 0), vector_at(twice, 1), foot_of(twice, 1)});
  const std::string once = short_number(run.products(0, 1));
  const std::string doubled = short_number(twice.products(0, 1));
  const std::string angle = short_number(twice.angles(0, 1));
  return Figure{"length", text("2 倍に伸ばすと内積も 2 倍：a·b = {}、a·2b = {}",
                               "Twice as long, twice the product: a·b = {}, a·2b = {}", once, doubled)}
      .described(text(
          "平面のベクトルの図が 2 枚。左は a と b、右は a と 2 倍の長さの 2b。角はどちらも {}° で、a への射影と内積は 2 倍になる（{} から {}）。",
          "Two pictures of the plane: left a with b, right a with 2b, twice as long. The angle is {}° in both, while the projection on a and the product double, from {} to {}.",
          angle, once, doubled))
      .captioned(text("角は {}° のまま。向きだけを比べるのは cos θ = {}。",
                      "The angle stays {}°. It is cos θ = {} that compares directions alone.", angle,
                      short_number(std::cos(twice.angles(0, 1) * pi / 180.0))))
      .panel(plane_panel(run, plane, 1, "b"))
      .panel(plane_panel(twice, plane, 1, "2b"))
      .on_page(12.0, 6.75);
}

Figure keys_figure(const DotProductRun& run) {
  const Tensor<double> of_a = xt::view(run.vectors, 0, xt::all());
  const Tensor<double> products = xt::view(run.products, 0, xt::all());
  const double coordinate = largest_magnitude(run.vectors);
  const double product = largest_magnitude(products);
  const std::string numbers = fmt::format("({}, {}, {})", short_number(products(0)),
                                          short_number(products(1)), short_number(products(2)));
  MatrixTerm query = term("query", of_a, "q", coordinate);
  MatrixTerm keys = term("keys", attnlab::transpose(run.vectors), "K^T", coordinate);
  MatrixTerm scores = term("scores", products, "q K^T", product);
  keys.map.column_labels = {vector_names.begin(), vector_names.end()};
  scores.map.column_labels = keys.map.column_labels;
  query.map.shows = {"vectors"};
  scores.map.shows = {"products"};
  return Figure{"keys", text("1 つの積 qKᵀ ですべてのキーとの内積：{}",
                             "One product qKᵀ gives all the dot products: {}", numbers)}
      .described(text(
          "クエリ a の行ベクトル (1, 2) と、キー a, b, c を列に並べた行列 (2, 3) の積が、内積の行ベクトル {} になる図。",
          "The row of the query a (1, 2) times the matrix with the keys a, b, c as columns (2, 3) gives the row of dot products {}.",
          numbers))
      .captioned(text("q = a。色の範囲：座標 ±{}、内積 ±{}。",
                      "q = a. Colours: coordinates ±{}, products ±{}.", short_number(coordinate),
                      short_number(product)))
      .panel(MatrixEquation{{query, between("×"), keys, between("="), scores}})
      .on_page(12.0, 4.5);
}

}  // namespace

std::vector<Figure> figures(const DotProductRun& run) {
  return {plane_figure(run), length_figure(run), keys_figure(run)};
}

}  // namespace attnlab
