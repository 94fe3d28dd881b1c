// What is measured on the vectors of `dot-product`: lengths, angles, products, projections.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "attention/matmul.hpp"
#include "core/constants.hpp"
#include "experiments/dot_product/dot_product.hpp"

namespace attnlab {
namespace {

/// Between 0 and 180 degrees. atan2 stays accurate where the arc cosine does not: near 0 and 180.
double angle_between(const Tensor<double>& vectors, std::size_t i, std::size_t j) {
  const double cross = vectors(i, 0) * vectors(j, 1) - vectors(i, 1) * vectors(j, 0);
  const double dot = vectors(i, 0) * vectors(j, 0) + vectors(i, 1) * vectors(j, 1);
  return std::atan2(std::abs(cross), dot) * 180.0 / pi;
}

}  // namespace

DotProductRun measure_vectors(const Tensor<double>& vectors) {
  DotProductRun run;
  run.vectors = vectors;
  run.products = matmul(run.vectors, attnlab::transpose(run.vectors));
  run.lengths = Tensor<double>::from_shape({3});
  run.angles = Tensor<double>::from_shape({3, 3});
  run.projections = Tensor<double>::from_shape({3, 3});
  for (std::size_t i = 0; i < 3; ++i) {
    run.lengths(i) = std::hypot(run.vectors(i, 0), run.vectors(i, 1));
    for (std::size_t j = 0; j < 3; ++j) {
      run.angles(i, j) = angle_between(run.vectors, i, j);
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

}  // namespace attnlab
