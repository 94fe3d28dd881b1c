// What holds for attention whatever the numbers: sums, symmetry, causality, the hull, and batches as
// repetition.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include <xtensor/xview.hpp>

#include "agreement.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/shape.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::AttentionOptions;
using attnlab::disagreement;
using attnlab::largest_magnitude;
using attnlab::NumpyRandom;
using attnlab::rounding_of;
using attnlab::scaled_dot_product_attention;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

const std::vector<std::size_t> order = {3, 0, 5, 1, 4, 2};

/// Tokens of width 5, at most 7 keys; no score here is above 8.
template <class T>
double rounding(double more_score = 0.0) {
  return attnlab::rounding_in_attention<T>(5, 7, 8.0 + more_score);
}

/// Row i of the result is row order[i] of x.
template <class T>
Tensor<T> permuted_rows(const Tensor<T>& x) {
  Tensor<T> result = Tensor<T>::from_shape(x.shape());
  for (std::size_t i = 0; i < order.size(); ++i) {
    xt::view(result, i, xt::all()) = xt::view(x, order[i], xt::all());
  }
  return result;
}

template <class T>
Tensor<T> causal_mask(std::size_t length) {
  Tensor<T> mask({length, length}, T(0));
  for (std::size_t query = 0; query < length; ++query) {
    for (std::size_t key = query + 1; key < length; ++key) {
      mask(query, key) = -std::numeric_limits<T>::infinity();
    }
  }
  return mask;
}

}  // namespace

TEST_CASE_TEMPLATE("every row of weights sums to 1 and no weight is negative", T, float, double) {
  NumpyRandom random(0);
  for (const Shape& batch : {Shape{}, Shape{2, 3}, Shape{2, 3, 3}}) {
    const auto shaped = [&batch](std::size_t length, std::size_t width) {
      Shape shape = batch;
      shape.insert(shape.end(), {length, width});
      return shape;
    };
    const Tensor<T> query = random.randn(shaped(4, 5));
    const Tensor<T> key = random.randn(shaped(7, 5));
    const Tensor<T> value = random.randn(shaped(7, 3));
    const auto stages = scaled_dot_product_attention(query, key, value);
    CHECK(shape_of(stages.weights) == shaped(4, 7));
    CHECK(shape_of(stages.output) == shaped(4, 3));
    for (std::size_t start = 0; start < stages.weights.size(); start += 7) {
      double sum = 0.0;
      for (std::size_t j = 0; j < 7; ++j) {
        CHECK(stages.weights.flat(start + j) >= 0);
        sum += static_cast<double>(stages.weights.flat(start + j));
      }
      CHECK(std::abs(sum - 1.0) <= rounding_of<T>(7));
    }
  }
}

TEST_CASE_TEMPLATE("permuting the tokens permutes the outputs the same way", T, float, double) {
  const Tensor<T> x = NumpyRandom(0).randn({6, 5});
  const Tensor<T> moved = permuted_rows(x);
  const Tensor<T> expected = permuted_rows(scaled_dot_product_attention(x, x, x).output);
  CHECK(disagreement(values_of(scaled_dot_product_attention(moved, moved, moved).output), values_of(expected),
                     rounding<T>()) == "");
}

TEST_CASE_TEMPLATE("permuting keys and values together changes no output", T, float, double) {
  NumpyRandom random(0);
  const Tensor<T> query = random.randn({2, 5});
  const Tensor<T> key = random.randn({6, 5});
  const Tensor<T> value = random.randn({6, 4});
  const Tensor<T> expected = scaled_dot_product_attention(query, key, value).output;
  CHECK(disagreement(
            values_of(scaled_dot_product_attention(query, permuted_rows(key), permuted_rows(value)).output),
            values_of(expected), rounding<T>()) == "");
}

TEST_CASE_TEMPLATE("adding one constant to all scores of a query changes no output", T, float, double) {
  NumpyRandom random(0);
  const Tensor<T> x = random.randn({6, 5});
  AttentionOptions<T> shifted;
  shifted.mask = Tensor<T>(random.randn({6, 1}) * 10.0);
  CHECK(disagreement(values_of(scaled_dot_product_attention(x, x, x, shifted).output),
                     values_of(scaled_dot_product_attention(x, x, x).output),
                     rounding<T>(largest_magnitude(values_of(*shifted.mask)))) == "");
}

TEST_CASE_TEMPLATE("under a causal mask no weight leaks to a later key", T, float, double) {
  const Tensor<T> x = NumpyRandom(0).randn({7, 5});
  AttentionOptions<T> causal;
  causal.mask = causal_mask<T>(7);
  const auto stages = scaled_dot_product_attention(x, x, x, causal);
  for (std::size_t query = 0; query < 7; ++query) {
    for (std::size_t key = 0; key < 7; ++key) CHECK((stages.weights(query, key) == 0) == (key > query));
  }
}

TEST_CASE_TEMPLATE("under a causal mask a later token cannot change an earlier output", T, float, double) {
  const Tensor<T> x = NumpyRandom(0).randn({7, 5});
  Tensor<T> changed = x;
  xt::view(changed, 4, xt::all()) = T(3);
  AttentionOptions<T> causal;
  causal.mask = causal_mask<T>(7);
  const Tensor<T> before = scaled_dot_product_attention(x, x, x, causal).output;
  const Tensor<T> after = scaled_dot_product_attention(changed, changed, changed, causal).output;
  for (std::size_t token = 0; token < 7; ++token) {
    bool equal = true;
    for (std::size_t i = 0; i < 5; ++i) equal = equal && before(token, i) == after(token, i);
    CHECK(equal == (token < 4));
  }
}

// A point lies in the convex hull exactly when no direction puts it beyond all the values.
TEST_CASE_TEMPLATE("every output lies inside the hull of the values", T, float, double) {
  NumpyRandom random(0);
  const Tensor<T> query = random.randn({9, 4}) * 3.0;
  const Tensor<T> key = random.randn({6, 4});
  const Tensor<T> value = random.randn({6, 2});
  const Tensor<T> output = scaled_dot_product_attention(query, key, value).output;
  const double allowed = rounding_of<T>(7 + 7) * largest_magnitude(values_of(value));  // of weights and mean
  for (int degree = 0; degree < 360; ++degree) {
    const double angle = degree * std::acos(-1.0) / 180.0;
    const auto along = [angle](const Tensor<T>& points, std::size_t i) {
      return static_cast<double>(points(i, 0)) * std::cos(angle) +
             static_cast<double>(points(i, 1)) * std::sin(angle);
    };
    double farthest = -infinity;
    for (std::size_t j = 0; j < 6; ++j) farthest = std::max(farthest, along(value, j));
    for (std::size_t i = 0; i < 9; ++i) CHECK(along(output, i) <= farthest + allowed);
  }
}

TEST_CASE_TEMPLATE("scale 0 gives every query the mean of the values", T, float, double) {
  NumpyRandom random(0);
  const Tensor<T> query = random.randn({3, 4});
  const Tensor<T> key = random.randn({5, 4});
  const Tensor<T> value = {{1, 10}, {2, 20}, {3, 30}, {4, 40}, {5, 50}};
  AttentionOptions<T> flat;
  flat.scale = T(0);
  const std::vector<double> means = {3, 30, 3, 30, 3, 30};
  CHECK(disagreement(values_of(scaled_dot_product_attention(query, key, value, flat).output), means,
                     rounding<T>()) == "");
}

TEST_CASE_TEMPLATE("a batch is the same attention repeated", T, float, double) {
  NumpyRandom random(0);
  const Tensor<T> query = random.randn({2, 3, 4, 5});
  const Tensor<T> key = random.randn({3, 6, 5});       // shared by the first batch dimension
  const Tensor<T> value = random.randn({2, 1, 6, 2});  // shared by the second
  const Tensor<T> mask = random.randn({3, 4, 6});
  AttentionOptions<T> options;
  options.mask = mask;
  const Tensor<T> output = scaled_dot_product_attention(query, key, value, options).output;
  CHECK(shape_of(output) == Shape{2, 3, 4, 2});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Tensor<T> one_query = xt::view(query, i, j);
      const Tensor<T> one_key = xt::view(key, j);
      const Tensor<T> one_value = xt::view(value, i, 0);
      AttentionOptions<T> one;
      one.mask = Tensor<T>(xt::view(mask, j));
      const Tensor<T> part = xt::view(output, i, j);
      CHECK(disagreement(values_of(part),
                         values_of(scaled_dot_product_attention(one_query, one_key, one_value, one).output),
                         rounding<T>()) == "");
    }
  }
}

TEST_CASE_TEMPLATE("a fully masked query is NaN and leaves the others alone", T, float, double) {
  const Tensor<T> x = NumpyRandom(0).randn({4, 3});
  AttentionOptions<T> options;
  options.mask = Tensor<T>({4, 4}, T(0));
  for (std::size_t key = 0; key < 4; ++key) (*options.mask)(2, key) = -std::numeric_limits<T>::infinity();
  const Tensor<T> output = scaled_dot_product_attention(x, x, x, options).output;
  for (std::size_t query = 0; query < 4; ++query) {
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::isnan(output(query, i)) == (query == 2));
  }
}
