// The bias of ALiBi all at once, and tile by tile: one must be the other.
#include "attention/streaming/score_tiles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "agreement.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/streaming/streaming_attention.hpp"
#include "core/agreement.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::alibi_bias;
using attnlab::alibi_slopes;
using attnlab::CausalAlignment;
using attnlab::disagreement;
using attnlab::NumpyRandom;
using attnlab::ScoreOptions;
using attnlab::Shape;
using attnlab::streaming_attention;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

struct Lengths {
  std::size_t queries;
  std::size_t keys;
};

// Within, at and beyond a tile; more queries than keys, and fewer.
const std::vector<Lengths>& lengths() {
  static const std::vector<Lengths> all{{1, 1}, {4, 7}, {7, 4}, {257, 513}, {300, 40}, {40, 1100}};
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("the bias is minus slope times distance, with places counted from the end", T, float,
                   double) {
  const std::vector<T> slopes{T(0.5), T(0.25)};
  const Tensor<T> of_two_queries{{{-1, T(-0.5), 0, T(-0.5)}, {T(-1.5), -1, T(-0.5), 0}},
                                 {{T(-0.5), T(-0.25), 0, T(-0.25)}, {T(-0.75), T(-0.5), T(-0.25), 0}}};
  CHECK(alibi_bias(slopes, 2, 4) == of_two_queries);
  const Tensor<T> of_two_keys{{{T(-0.5), -1}, {0, T(-0.5)}, {T(-0.5), 0}}};  // the first stands before key 0
  CHECK(alibi_bias(std::vector<T>{T(0.5)}, 3, 2) == of_two_keys);
  const Tensor<T> from_the_first{{{0, T(-0.5), -1, T(-1.5)}, {T(-0.5), 0, T(-0.5), -1}}};
  CHECK(alibi_bias(std::vector<T>{T(0.5)}, 2, 4, CausalAlignment::top_left) == from_the_first);
}

TEST_CASE_TEMPLATE("slopes and the same bias as a mask give the same attention", T, float, double) {
  NumpyRandom random(8);
  for (const std::size_t heads : {1U, 3U, 4U}) {
    for (const Lengths& length : lengths()) {
      CAPTURE(heads);
      CAPTURE(length.queries);
      CAPTURE(length.keys);
      Tensor<T> query = random.randn({2, heads, length.queries, 6});
      Tensor<T> key = random.randn({2, heads, length.keys, 6});
      Tensor<T> value = random.randn({2, heads, length.keys, 3});
      ScoreOptions<T> by_slopes;
      by_slopes.slopes = alibi_slopes<T>(heads);
      ScoreOptions<T> by_mask;
      by_slopes.readable.alignment = heads == 3 ? CausalAlignment::top_left : CausalAlignment::bottom_right;
      by_mask.mask = alibi_bias(by_slopes.slopes, length.queries, length.keys, by_slopes.readable.alignment);
      const double largest = 8.0 + attnlab::largest_magnitude(values_of(*by_mask.mask));
      const double allowed = attnlab::rounding_in_attention<T>(6, length.keys, largest);
      const std::vector<double> got = values_of(streaming_attention(query, key, value, by_slopes).output);
      const auto textbook =
          attnlab::scaled_dot_product_attention(query, key, value, {std::nullopt, by_mask.mask});
      CHECK(disagreement(got, values_of(streaming_attention(query, key, value, by_mask).output), allowed) ==
            "");
      CHECK(disagreement(got, values_of(textbook.output), allowed) == "");
    }
  }
}
