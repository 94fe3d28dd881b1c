// Three vectors of the plane: their lengths, angles, products and projections.
#include "experiments/dot_product/dot_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/matmul.hpp"
#include "core/constants.hpp"
#include "core/error.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

constexpr double largest_coordinate = 20.0;
constexpr double shortest = 0.01;  // a shorter vector cannot be seen, and the zero vector has no direction

Parameter vector_parameter(const char* name, const char* value, const Text& help) {
  return {name, NumbersKind{{2, 2}, {-largest_coordinate, largest_coordinate}}, value, help};
}

Tensor<double> read_vectors(const Arguments& arguments) {
  Tensor<double> vectors = Tensor<double>::from_shape({vector_names.size(), 2});
  for (std::size_t i = 0; i < vector_names.size(); ++i) {
    const std::vector<double> xy = arguments.numbers(vector_names.at(i));
    if (std::hypot(xy[0], xy[1]) < shortest) {
      throw Error(ErrorKind::usage,
                  text("--{} {} は短すぎて、向きが決まりません", "--{} {} is too short to have a direction",
                       vector_names.at(i), arguments.text(vector_names.at(i))),
                  text("長さが {:g} 以上のベクトルを指定してください", "give a vector of length {:g} or more",
                       shortest));
    }
    vectors(i, 0) = xy[0];
    vectors(i, 1) = xy[1];
  }
  return vectors;
}

/// Between 0 and 180 degrees. atan2 stays accurate where the arc cosine does not: near 0 and 180.
double angle_between(const Tensor<double>& vectors, std::size_t i, std::size_t j) {
  const double cross = vectors(i, 0) * vectors(j, 1) - vectors(i, 1) * vectors(j, 0);
  const double dot = vectors(i, 0) * vectors(j, 0) + vectors(i, 1) * vectors(j, 1);
  return std::atan2(std::abs(cross), dot) * 180.0 / pi;
}

// --- What must hold ---------------------------------------------------------------------------------------

std::vector<Invariant> invariants(const DotProductRun& run) {
  const double longest = largest(run.lengths);
  // A product of coordinates, a sum, a length or a cosine: each is rounded once.
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * longest * longest;
  double asymmetry = 0.0;
  double cosine_error = 0.0;
  double excess = 0.0;
  double slant = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double product = run.products(i, j);
      const double lengths = run.lengths(i) * run.lengths(j);
      const double share = run.projections(i, j) / run.lengths(i);  // the foot is share · vector i
      const double foot_x = run.vectors(j, 0) - share * run.vectors(i, 0);
      const double foot_y = run.vectors(j, 1) - share * run.vectors(i, 1);
      asymmetry = worst(asymmetry, std::abs(product - run.products(j, i)));
      cosine_error =
          worst(cosine_error, std::abs(product - lengths * std::cos(run.angles(i, j) * pi / 180.0)));
      excess = worst(excess, std::abs(product) - lengths);
      slant = worst(slant, std::abs(foot_x * run.vectors(i, 0) + foot_y * run.vectors(i, 1)));
    }
  }
  return {
      invariant("products_symmetric", asymmetry, rounding, "x·y = y·x", "x·y = y·x"),
      invariant("product_is_lengths_times_cosine", cosine_error, rounding, "x·y = |x||y| cos θ",
                "x·y = |x||y| cos θ"),
      invariant("product_within_lengths", excess, rounding, "|x·y| は |x||y| を超えない",
                "|x·y| never exceeds |x||y|"),
      invariant("projection_is_perpendicular", slant, rounding, "射影の足から下ろした線は垂直",
                "what the projection leaves is perpendicular"),
  };
}

Report run_dot_product(const Arguments& arguments, const Context&) {
  const DotProductRun run = measure_vectors(read_vectors(arguments));
  Report report;
  report.body = dot_product_body(run);
  report.stages = dot_product_stages(run);
  report.scalars = {{"product_ab", run.products(0, 1)},      {"product_ac", run.products(0, 2)},
                    {"product_bc", run.products(1, 2)},      {"angle_ab", run.angles(0, 1)},
                    {"angle_ac", run.angles(0, 2)},          {"projection_ab", run.projections(0, 1)},
                    {"projection_ac", run.projections(0, 2)}};
  report.invariants = invariants(run);
  report.figures = {plane_figure(run), length_figure(run), keys_figure(run)};
  return report;
}

}  // namespace

DotProductRun measure_vectors(const Tensor<double>& vectors) {
  DotProductRun run;
  run.vectors = vectors;
  run.products = matmul(vectors, attnlab::transpose(vectors));
  run.lengths = Tensor<double>::from_shape({3});
  run.angles = Tensor<double>::from_shape({3, 3});
  run.projections = Tensor<double>::from_shape({3, 3});
  for (std::size_t i = 0; i < 3; ++i) {
    run.lengths(i) = std::hypot(vectors(i, 0), vectors(i, 1));
    for (std::size_t j = 0; j < 3; ++j) {
      run.angles(i, j) = angle_between(vectors, i, j);
      run.projections(i, j) = run.products(i, j) / run.lengths(i);
    }
  }
  return run;
}

Nearness nearness(const DotProductRun& run) {
  Nearness result;
  if (run.angles(0, 2) < run.angles(0, 1)) std::swap(result.near, result.far);
  result.same_angle = short_number(run.angles(0, result.near)) == short_number(run.angles(0, result.far));
  result.product_agrees = !result.same_angle && run.products(0, result.near) > run.products(0, result.far);
  constexpr double similar = 1.1;
  const auto [shorter, longer] = std::minmax(run.lengths(1), run.lengths(2));
  result.similar_lengths = longer <= similar * shorter;
  return result;
}

Experiment dot_product_experiment() {
  return {
      "dot-product",
      {"平面のベクトルの内積：向きが近く、長いほど大きい",
       "dot products in the plane: large for near directions and for long vectors"},
      {"教科書 図 2.2.4, 2.2.5", "textbook fig. 2.2.4, 2.2.5"},
      {vector_parameter("a", "1.2,0.9", {"ベクトル a（クエリ）の x,y 座標", "x,y of vector a, the query"}),
       vector_parameter("b", "1.4,0.5", {"ベクトル b の x,y 座標", "x,y of vector b"}),
       vector_parameter("c", "-0.6,1.3", {"ベクトル c の x,y 座標", "x,y of vector c"})},
      run_dot_product};
}

}  // namespace attnlab
