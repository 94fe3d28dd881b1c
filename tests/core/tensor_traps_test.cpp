// What xtensor 0.24 gets wrong under C++20 is right in this build: padding, strided views and tiles of any
// rank.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xstrided_view.hpp>

#include "core/tensor.hpp"

using attnlab::Tensor;

namespace {

template <class T>
std::vector<std::size_t> shape_of(const Tensor<T>& tensor) {
  return {tensor.shape().begin(), tensor.shape().end()};
}

/// 1, 2, 3, ... in an array of that shape.
Tensor<double> counted(const std::vector<std::size_t>& shape) {
  Tensor<double> tensor = Tensor<double>::from_shape(shape);
  double next = 1.0;
  for (double& value : tensor) value = next++;
  return tensor;
}

}  // namespace

TEST_CASE("padding keeps the values of an array of dynamic rank") {
  const Tensor<double> padded =
      xt::pad(counted({2, 3}), std::vector<std::vector<std::size_t>>{{1, 0}, {1, 2}});
  const Tensor<double> expected = {{0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 0, 0}, {0, 4, 5, 6, 0, 0}};
  CHECK(padded == expected);

  const Tensor<double> cube = xt::pad(counted({2, 2, 2}), 1UL);
  CHECK(shape_of(cube) == std::vector<std::size_t>{4, 4, 4});
  double sum = 0.0;
  for (const double value : cube) sum += value;
  CHECK(sum == 36.0);
  CHECK(cube(1, 1, 1) == 1.0);
  CHECK(cube(2, 2, 2) == 8.0);
  CHECK(cube(0, 1, 1) == 0.0);
}

TEST_CASE("assigning to a strided view of dynamic rank changes the array") {
  Tensor<double> matrix({3, 4}, 0.0);
  const Tensor<double> column = {7, 8, 9};
  xt::strided_view(matrix, {xt::all(), 2}) = column;
  const Tensor<double> expected = {{0, 0, 7, 0}, {0, 0, 8, 0}, {0, 0, 9, 0}};
  CHECK(matrix == expected);

  Tensor<double> cube({2, 3, 2}, 0.0);
  xt::strided_view(cube, {xt::ellipsis(), 1}) = counted({2, 3});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(cube(i, j, 0) == 0.0);
      CHECK(cube(i, j, 1) == static_cast<double>(3 * i + j + 1));
    }
  }
}

TEST_CASE("a tile repeats an array of dynamic rank") {
  const Tensor<double> tile = xt::tile(counted({2, 2}), {2, 3});
  const Tensor<double> expected = {
      {1, 2, 1, 2, 1, 2}, {3, 4, 3, 4, 3, 4}, {1, 2, 1, 2, 1, 2}, {3, 4, 3, 4, 3, 4}};
  CHECK(tile == expected);
}

TEST_CASE("reductions and transposes of five axes keep their rank") {
  const Tensor<double> x = counted({2, 1, 3, 2, 2});
  const Tensor<double> turned = xt::transpose(x);
  CHECK(shape_of(turned) == std::vector<std::size_t>{2, 2, 3, 1, 2});
  CHECK(turned(1, 0, 2, 0, 1) == x(1, 0, 2, 0, 1));
  CHECK(turned(0, 1, 2, 0, 1) == x(1, 0, 2, 1, 0));
  const Tensor<double> sums = xt::sum(x, {4});
  CHECK(shape_of(sums) == std::vector<std::size_t>{2, 1, 3, 2});
  CHECK(sums(1, 0, 2, 1) == 23.0 + 24.0);
}

TEST_CASE("broadcasting an addition repeats the axes of size 1") {
  const Tensor<double> x = counted({2, 3, 5});
  const Tensor<double> row = counted({5});
  const Tensor<double> column = counted({2, 1, 1});
  const Tensor<double> sum = x + row + column;
  CHECK(shape_of(sum) == std::vector<std::size_t>{2, 3, 5});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 5; ++k) CHECK(sum(i, j, k) == x(i, j, k) + row(k) + column(i, 0, 0));
    }
  }
}

namespace {

// Kept from being computed at compile time: the table must come out of the code itself.
__attribute__((noinline)) std::vector<double> three_thirds_and_zero() {
  return {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0};
}

}  // namespace

TEST_CASE("a table of constants that ends in zero keeps its zero") {
  const std::vector<double> table = three_thirds_and_zero();
  CHECK(table[2] == 1.0 / 3.0);
  CHECK(table[3] == 0.0);
}
