// Matrix products against three plain loops, over every way in which batches and thin matrices can meet.
#include "attention/matmul.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <utility>
#include <vector>
#include <xtensor/xmath.hpp>

#include "agreement.hpp"
#include "attention/shape.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "core/error.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::batch_of;
using attnlab::element_count;
using attnlab::matmul;
using attnlab::NumpyRandom;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::transpose;
using attnlab::values_of;

namespace {

/// Where the element `index` (of an array of shape `shape`) lies in an array that broadcasts to it.
std::size_t source_of(std::size_t index, const Shape& shape, const Shape& own) {
  std::size_t offset = 0;
  std::size_t stride = 1;
  for (std::size_t back = 0; back < shape.size(); ++back) {
    const std::size_t size = shape[shape.size() - 1 - back];
    if (back < own.size()) {
      const std::size_t operand_size = own[own.size() - 1 - back];
      offset += (operand_size == 1 ? 0 : index % size) * stride;
      stride *= operand_size;
    }
    index /= size;
  }
  return offset;
}

/// The definition: c_ij = sum over l of a_il b_lj, for each pair of matrices.
Tensor<double> product_by_definition(const Tensor<double>& a, const Tensor<double>& b) {
  const Shape a_shape = shape_of(a);
  const Shape b_shape = shape_of(b);
  const Shape batch = attnlab::broadcast(batch_of(a_shape), batch_of(b_shape)).value();
  const std::size_t m = a_shape[a_shape.size() - 2];
  const std::size_t k = a_shape.back();
  const std::size_t n = b_shape.back();
  Shape shape = batch;
  shape.insert(shape.end(), {m, n});
  Tensor<double> c = Tensor<double>::from_shape(shape);
  for (std::size_t matrix = 0; matrix < element_count(batch); ++matrix) {
    const double* left = a.data() + source_of(matrix, batch, batch_of(a_shape)) * m * k;
    const double* right = b.data() + source_of(matrix, batch, batch_of(b_shape)) * k * n;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0.0;
        for (std::size_t l = 0; l < k; ++l) sum += left[i * k + l] * right[l * n + j];
        c.flat((matrix * m + i) * n + j) = sum;
      }
    }
  }
  return c;
}

/// Relative to the largest entry: n·eps·Σ|terms|, and one eps for each operand that is rounded to T.
template <class T>
double rounding_of_product(const Tensor<T>& a, const Tensor<T>& b) {
  const Tensor<double> terms = product_by_definition(xt::abs(a), xt::abs(b));
  const double largest = attnlab::largest_magnitude(values_of(product_by_definition(a, b)));
  return attnlab::rounding_of<T>(a.shape().back() + 2) * attnlab::largest_magnitude(values_of(terms)) /
         largest;
}

const std::vector<std::pair<Shape, Shape>> operand_shapes = {
    {{2, 3}, {3, 4}},
    {{1, 3}, {3, 1}},
    {{3, 1}, {1, 4}},
    {{1, 1}, {1, 1}},
    {{4, 1}, {1, 1}},
    {{1, 1}, {1, 5}},
    {{5, 7}, {7, 1}},
    {{33, 17}, {17, 29}},
    {{2, 3, 4}, {4, 5}},
    {{3, 4}, {2, 4, 5}},
    {{2, 3, 4}, {2, 4, 5}},
    {{2, 3, 2, 4}, {2, 3, 4, 1}},
    {{2, 1, 2, 3}, {4, 3, 2}},
    {{2, 1, 2, 3}, {1, 4, 3, 2}},
    {{3, 1, 1, 2}, {1, 2, 2, 1}},
    {{1, 1, 2, 2}, {2, 2}},
    {{2, 3, 3, 2, 2}, {3, 1, 2, 3}},
};

}  // namespace

TEST_CASE("a product worked by hand") {
  const Tensor<double> a = {{1, 2, 3}, {4, 5, 6}};
  const Tensor<double> b = {{1, 0}, {0, 1}, {10, 100}};
  const Tensor<double> expected = {{31, 302}, {64, 605}};
  CHECK(matmul(a, b) == expected);
}

TEST_CASE("products of doubles agree with the definition for every pair of shapes") {
  NumpyRandom random(0);
  for (const auto& operands : operand_shapes) {
    CAPTURE(attnlab::printed(operands.first));
    CAPTURE(attnlab::printed(operands.second));
    const Tensor<double> a = random.randn(operands.first);
    const Tensor<double> b = random.randn(operands.second);
    const Tensor<double> expected = product_by_definition(a, b);
    const Tensor<double> product = matmul(a, b);
    CHECK(shape_of(product) == shape_of(expected));
    CHECK(attnlab::disagreement(values_of(product), values_of(expected), rounding_of_product(a, b)) == "");
  }
}

TEST_CASE("products of floats agree with the definition in double for every pair of shapes") {
  NumpyRandom random(0);
  for (const auto& operands : operand_shapes) {
    CAPTURE(attnlab::printed(operands.first));
    CAPTURE(attnlab::printed(operands.second));
    const Tensor<float> a = random.randn(operands.first);
    const Tensor<float> b = random.randn(operands.second);
    const Tensor<double> expected = product_by_definition(a, b);
    const Tensor<float> product = matmul(a, b);
    CHECK(shape_of(product) == shape_of(expected));
    CHECK(attnlab::disagreement(values_of(product), values_of(expected), rounding_of_product(a, b)) == "");
  }
}

TEST_CASE("sizes of zero give an empty product and a sum of no terms is zero") {
  const auto empty = [](const Shape& shape) { return Tensor<double>::from_shape(shape); };
  CHECK(shape_of(matmul(empty({0, 3}), empty({3, 4}))) == Shape{0, 4});
  CHECK(shape_of(matmul(empty({2, 3}), empty({3, 0}))) == Shape{2, 0});
  CHECK(shape_of(matmul(empty({0, 2, 3}), empty({3, 4}))) == Shape{0, 2, 4});
  CHECK(shape_of(matmul(empty({0, 2, 3}), empty({1, 3, 4}))) == Shape{0, 2, 4});
  const Tensor<double> zeros = {{0, 0, 0}, {0, 0, 0}};
  CHECK(matmul(empty({2, 0}), empty({0, 3})) == zeros);
  CHECK(shape_of(transpose(empty({2, 0, 3}))) == Shape{2, 3, 0});
}

TEST_CASE("NaN in one row of the left operand stays in that row") {
  Tensor<double> a = NumpyRandom(0).randn({9, 5});
  a(4, 2) = not_a_number;
  const Tensor<double> product = matmul(a, NumpyRandom(1).randn({5, 7}));
  for (std::size_t row = 0; row < 9; ++row) {
    for (std::size_t column = 0; column < 7; ++column) CHECK(std::isnan(product(row, column)) == (row == 4));
  }
}

TEST_CASE("transposing swaps the last two axes and undoes itself") {
  const Tensor<double> x = NumpyRandom(0).randn({2, 3, 4});
  const Tensor<double> turned = transpose(x);
  CHECK(shape_of(turned) == Shape{2, 4, 3});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) CHECK(turned(i, k, j) == x(i, j, k));
    }
  }
  CHECK(transpose(turned) == x);
}

// Argument-dependent lookup also finds xt::transpose, which would turn (2, 3, 4) into (4, 3, 2).
TEST_CASE("transposing swaps only the last two axes of an array that is not const") {
  Tensor<double> x = NumpyRandom(0).randn({2, 3, 4});
  const Tensor<double> constant = x;
  const Tensor<double> of_variable = transpose(x);
  const Tensor<double> of_temporary = transpose(NumpyRandom(0).randn({2, 3, 4}));
  CHECK(shape_of(of_variable) == Shape{2, 4, 3});
  CHECK(of_variable == transpose(constant));
  CHECK(of_temporary == transpose(constant));
}

TEST_CASE("operands that do not fit are a usage error that names their shapes") {
  const auto message_for = [](const Shape& left, const Shape& right) -> std::string {
    try {
      matmul(Tensor<double>::from_shape(left), Tensor<double>::from_shape(right));
    } catch (const attnlab::Error& error) {
      CHECK(error.kind() == attnlab::ErrorKind::usage);
      CHECK(error.message(attnlab::Language::ja).find(attnlab::printed(left)) != std::string::npos);
      return error.message(attnlab::Language::en);
    }
    return "no error";
  };
  CHECK(
      message_for({6, 16}, {64, 16}) ==
      "(6, 16) @ (64, 16) cannot be multiplied: 16 columns meet 64 rows; make the last axis of the left equal to the last but one of the right");
  CHECK(
      message_for({2, 3, 4}, {5, 4, 2}) ==
      "the batch dimensions of (2, 3, 4) @ (5, 4, 2) do not broadcast; make each batch dimension equal, or 1");
  CHECK(message_for({3}, {3, 4}) ==
        "a matrix product needs two or more dimensions, got (3,); make a vector a matrix of shape (1, n)");
}

// OpenBLAS built without threads hands one scratch buffer to two callers, about once in a hundred of these.
TEST_CASE("two threads that multiply at once do not disturb each other") {
  NumpyRandom random(1);
  const Tensor<float> left = random.randn({12, 18});
  const Tensor<float> right = random.randn({18, 6});
  const auto wrong_products = [&right](const Tensor<float>& mine) {
    const Tensor<float> expected = matmul(mine, right);
    int wrong = 0;
    for (int i = 0; i < 20'000; ++i) wrong += matmul(mine, right) == expected ? 0 : 1;
    return wrong;
  };
  const Tensor<float> opposite = -left;
  int elsewhere = -1;
  std::thread other([&] { elsewhere = wrong_products(opposite); });
  const int here = wrong_products(left);
  other.join();
  CHECK(here == 0);
  CHECK(elsewhere == 0);
}
