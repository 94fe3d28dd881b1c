// Masks entry by entry, as numbers added to scores, and what leaks through a number that is not -inf.
#include "attention/masks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/shape.hpp"
#include "attention/softmax.hpp"
#include "attention/usage_message.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

namespace attnlab {
namespace {

template <class T>
constexpr T infinity_of = std::numeric_limits<T>::infinity();

/// One row per line: '#' may read, '.' hidden.
using Picture = std::vector<std::string>;

Picture picture(const BooleanMask& mask) {
  Picture rows(mask.shape()[0], std::string(mask.shape()[1], '.'));
  for (std::size_t query = 0; query < rows.size(); ++query) {
    for (std::size_t key = 0; key < rows[query].size(); ++key) {
      if (mask(query, key)) rows[query][key] = '#';
    }
  }
  return rows;
}

template <class T>
Tensor<T> filled(const Shape& shape, T value) {
  Tensor<T> tensor = Tensor<T>::from_shape(shape);
  tensor.fill(value);
  return tensor;
}

template <class T>
Tensor<T> random_scores(const Shape& shape) {
  NumpyRandom random(0);
  return xt::cast<T>(random.randn(shape));
}

template <class T>
Tensor<T> masked_softmax(const Tensor<T>& scores, const BooleanMask& mask, T hidden) {
  const Tensor<T> masked = scores + additive_mask<T>(mask, hidden);
  return softmax(masked);
}

}  // namespace

// --- The patterns

TEST_CASE("without a mask every query may read every key") {
  CHECK(picture(no_mask(2, 3)) == Picture{"###", "###"});
}

TEST_CASE("a causal mask of a square hides the future in either alignment") {
  const Picture triangle{"#...", "##..", "###.", "####"};
  CHECK(picture(causal_mask(4, 4)) == triangle);
  CHECK(picture(causal_mask(4, 4, CausalAlignment::top_left)) == triangle);
}

TEST_CASE("with more keys than queries the two alignments differ by the keys already read") {
  CHECK(picture(causal_mask(2, 5)) == Picture{"####.", "#####"});
  CHECK(picture(causal_mask(2, 5, CausalAlignment::top_left)) == Picture{"#....", "##..."});
}

TEST_CASE("with more queries than keys the bottom right alignment leaves early queries without a key") {
  CHECK(picture(causal_mask(5, 2)) == Picture{"..", "..", "..", "#.", "##"});
  CHECK(picture(causal_mask(5, 2, CausalAlignment::top_left)) == Picture{"#.", "##", "##", "##", "##"});
}

TEST_CASE("padding hides the last keys from every query") {
  CHECK(picture(padding_mask(2, 4, 0)) == Picture{"####", "####"});
  CHECK(picture(padding_mask(2, 4, 3)) == Picture{"#...", "#..."});
  CHECK(picture(padding_mask(2, 4, 4)) == Picture{"....", "...."});
  CHECK(message_of([] { padding_mask(2, 4, 5); }) == "cannot hide 5 of 4 keys; hide 4 keys at most");
}

TEST_CASE("a window reaches the same number of keys to either side") {
  CHECK(picture(window_mask(4, 4, 0)) == Picture{"#...", ".#..", "..#.", "...#"});
  CHECK(picture(window_mask(5, 5, 1)) == Picture{"##...", "###..", ".###.", "..###", "...##"});
}

TEST_CASE("with unequal lengths a window is counted from the end") {
  CHECK(picture(window_mask(2, 5, 1)) == Picture{"..###", "...##"});
  CHECK(picture(window_mask(5, 2, 1)) == Picture{"..", "..", "#.", "##", "##"});
}

TEST_CASE("a window may be counted from the first query and the first key") {
  constexpr CausalAlignment first = CausalAlignment::top_left;
  CHECK(picture(window_mask(2, 5, 1, first)) == Picture{"##...", "###.."});
  CHECK(picture(window_mask(5, 2, 1, first)) == Picture{"##", "##", ".#", "..", ".."});
  CHECK(picture(readable_mask({true, 1, 0, first}, 3, 6)) == Picture{"#.....", "##....", ".##..."});
  CHECK(readable_by({true, 1, 0, first}, 4, 5, 2).end == 0);  // behind the last key it reaches
}

TEST_CASE("a window wider than everything hides nothing") {
  CHECK(window_mask(3, 7, 10) == no_mask(3, 7));
  CHECK(window_mask(7, 3, std::numeric_limits<std::size_t>::max()) == no_mask(7, 3));
}

TEST_CASE("masks without queries or without keys are empty") {
  CHECK(shape_of(causal_mask(0, 3)) == Shape{0, 3});
  CHECK(shape_of(window_mask(3, 0, 1)) == Shape{3, 0});
  CHECK(shape_of(padding_mask(3, 0, 0)) == Shape{3, 0});
}

TEST_CASE("a causal window is the causal mask and the window together") {
  CHECK(picture(both(causal_mask(4, 4), window_mask(4, 4, 1))) == Picture{"#...", "##..", ".##.", "..##"});
  CHECK(both(no_mask(3, 5), causal_mask(3, 5)) == causal_mask(3, 5));
}

TEST_CASE("masks of single rows and columns broadcast over each other") {
  BooleanMask row = no_mask(1, 3);
  row(0, 1) = false;
  BooleanMask column = no_mask(2, 1);
  column(1, 0) = false;
  CHECK(picture(both(row, column)) == Picture{"#.#", "..."});
  BooleanMask batch = filled({2, 1, 3}, true);
  batch(1, 0, 0) = false;
  const BooleanMask together = both(batch, causal_mask(3, 3));
  CHECK(shape_of(together) == Shape{2, 3, 3});
  CHECK(together(0, 2, 0));
  CHECK_FALSE(together(1, 2, 0));
  CHECK(together(1, 2, 1));
  CHECK_FALSE(together(1, 1, 2));
  CHECK(message_of([] { both(no_mask(2, 3), no_mask(2, 4)); }) ==
        "masks of shapes (2, 3) and (2, 4) do not broadcast; make each axis equal, or 1");
}

// --- As numbers added to the scores

TEST_CASE_TEMPLATE("an additive mask is 0 where the query may read", T, float, double) {
  for (const T hidden : {-infinity_of<T>, T(-1e9), T(-1e5), T(-65504)}) {
    const Tensor<T> numbers = additive_mask<T>(causal_mask(2, 3), hidden);
    CHECK(numbers == Tensor<T>{{T(0), T(0), hidden}, {T(0), T(0), T(0)}});
  }
}

TEST_CASE_TEMPLATE("with -inf the hidden weights are exactly 0 and the others are softmax of the rest", T,
                   float, double) {
  const Tensor<T> scores = random_scores<T>({4, 6});
  for (const BooleanMask& mask :
       {causal_mask(4, 6), padding_mask(4, 6, 2), window_mask(4, 6, 1), no_mask(4, 6)}) {
    const Tensor<T> weights = masked_softmax(scores, mask, -infinity_of<T>);
    for (std::size_t query = 0; query < 4; ++query) {
      std::vector<T> readable;
      for (std::size_t key = 0; key < 6; ++key) {
        if (mask(query, key)) readable.push_back(scores(query, key));
        if (!mask(query, key)) CHECK(weights(query, key) == 0);
      }
      Tensor<T> rest = Tensor<T>::from_shape({readable.size()});
      std::copy(readable.begin(), readable.end(), rest.begin());
      const Tensor<T> expected = softmax(rest);
      std::size_t next = 0;
      for (std::size_t key = 0; key < 6; ++key) {
        if (!mask(query, key)) continue;
        CHECK(weights(query, key) == doctest::Approx(expected(next++)).epsilon(1e-6));
      }
    }
    for (const T leak : leaked_mass(weights, mask)) CHECK(leak == 0);
  }
}

// exp(-65504) is 0 in float and double: while the scores stay small every finite mask is as good as -inf.
TEST_CASE_TEMPLATE("large negative numbers give the weights of -inf while the scores are small", T, float,
                   double) {
  const Tensor<T> scores = random_scores<T>({5, 5});
  const Tensor<T> expected = masked_softmax(scores, causal_mask(5, 5), -infinity_of<T>);
  for (const T hidden : {T(-1e9), T(-1e5), T(-65504)}) {
    CHECK(masked_softmax(scores, causal_mask(5, 5), hidden) == expected);
  }
}

// A hidden key whose score is 1e5 above the readable ones ties with them after -1e5 is added.
TEST_CASE_TEMPLATE("a finite mask leaks once a hidden score is as large as the mask", T, float, double) {
  const BooleanMask mask = padding_mask(1, 2, 1);
  const auto leak = [&](T score, T hidden) {
    return leaked_mass(masked_softmax(Tensor<T>{{T(0), score}}, mask, hidden), mask)(0);
  };
  CHECK(leak(T(1e5), T(-1e5)) == T(0.5));
  CHECK(leak(T(65504), T(-65504)) == T(0.5));
  CHECK(leak(T(1e5), T(-65504)) == T(1));
  CHECK(leak(T(1e5), T(-1e9)) == T(0));
  CHECK(leak(T(1e9), T(-1e9)) == T(0.5));
  CHECK(leak(T(1e9), -infinity_of<T>) == T(0));
  // near the edge: exp(-3) / (1 + exp(-3))
  CHECK(leak(T(1e5 - 3), T(-1e5)) == doctest::Approx(0.04742587317756678).epsilon(1e-6));
}

// softmax does not change when a constant is added to a row: a finite number everywhere hides nothing.
TEST_CASE("a row hidden by a finite number throughout keeps its weights as though unmasked") {
  const Tensor<double> scores = random_scores<double>({1, 6});
  const BooleanMask nothing = padding_mask(1, 6, 6);
  const Tensor<double> weights = masked_softmax(scores, nothing, -1e5);
  CHECK(disagreement(values_of(weights), values_of(softmax(scores)), 1e-9) == "");
  CHECK(leaked_mass(weights, nothing)(0) == doctest::Approx(1.0));
  // in float32 the spacing at 1e9 is 64: the scores vanish in the sum, and all weights are equal
  const Tensor<float> coarse = masked_softmax(Tensor<float>(xt::cast<float>(scores)), nothing, -1e9F);
  for (const float weight : coarse) CHECK(weight == 1.0F / 6.0F);
}

TEST_CASE_TEMPLATE("attention with a mask that hides nothing is attention without a mask", T, float, double) {
  const Tensor<T> x = random_scores<T>({6, 8});
  AttentionOptions<T> options;
  options.mask = additive_mask<T>(no_mask(6, 6), -infinity_of<T>);
  const AttentionStages<T> with = scaled_dot_product_attention(x, x, x, options);
  const AttentionStages<T> without = scaled_dot_product_attention(x, x, x);
  CHECK(with.weights == without.weights);
  CHECK(with.output == without.output);
}

// --- Rows that may read nothing

TEST_CASE_TEMPLATE("a fully masked row becomes NaN or zeros or equal weights and no other row changes", T,
                   float, double) {
  const BooleanMask mask = causal_mask(4, 2);  // rows 0 and 1 may read nothing
  const Tensor<T> masked = random_scores<T>({4, 2}) + additive_mask<T>(mask, -infinity_of<T>);
  const Tensor<T> weights = softmax(masked);
  const Tensor<T> nan = with_masked_rows(weights, masked, MaskedRow::nan);
  const Tensor<T> zero = with_masked_rows(weights, masked, MaskedRow::zero);
  const Tensor<T> uniform = with_masked_rows(weights, masked, MaskedRow::uniform);
  for (std::size_t key = 0; key < 2; ++key) {
    for (std::size_t query = 0; query < 2; ++query) {
      CHECK(std::isnan(weights(query, key)));  // as in NumPy and PyTorch
      CHECK(std::isnan(nan(query, key)));
      CHECK(zero(query, key) == 0);
      CHECK(uniform(query, key) == T(0.5));
    }
    for (std::size_t query = 2; query < 4; ++query) {
      CHECK(nan(query, key) == weights(query, key));
      CHECK(zero(query, key) == weights(query, key));
      CHECK(uniform(query, key) == weights(query, key));
    }
  }
  CHECK(std::isnan(leaked_mass(nan, mask)(0)));
  CHECK(leaked_mass(zero, mask)(0) == 0);
  CHECK(leaked_mass(uniform, mask)(0) == 1);  // every weight lies on a hidden key
  CHECK(leaked_mass(uniform, mask)(3) == 0);
}

TEST_CASE("only a row of -inf alone counts as masked") {
  const double inf = infinity_of<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor<double> masked{{-inf, -1e300}, {-inf, nan}, {inf, -inf}, {-inf, -inf}};
  const Tensor<double> weights = softmax(masked);
  const Tensor<double> replaced = with_masked_rows(weights, masked, MaskedRow::zero);
  CHECK(disagreement(values_of(replaced), {0, 1, nan, nan, nan, nan, 0, 0}, 0.0) == "");
}

TEST_CASE("batches are treated row by row") {
  const double inf = infinity_of<double>;
  const Tensor<double> masked{{{0.0, 0.0}, {-inf, -inf}}, {{-inf, -inf}, {-inf, 0.0}}};
  const Tensor<double> weights = with_masked_rows(softmax(masked), masked, MaskedRow::uniform);
  CHECK(weights == Tensor<double>{{{0.5, 0.5}, {0.5, 0.5}}, {{0.5, 0.5}, {0.0, 1.0}}});
  const Tensor<double> none = Tensor<double>::from_shape({3, 0});
  CHECK(shape_of(with_masked_rows(none, none, MaskedRow::uniform)) == Shape{3, 0});
  CHECK(
      message_of([&] { with_masked_rows(weights, none, MaskedRow::nan); }) ==
      "weights of shape (2, 2, 2) belong to no scores of shape (3, 0); give the scores the weights came from");
}

// --- Leaked mass

TEST_CASE_TEMPLATE("leaked mass is the sum of the weights on hidden keys", T, float, double) {
  const Tensor<T> weights{{T(0.5), T(0.25), T(0.25)}, {T(0.125), T(0.125), T(0.75)}};
  CHECK(leaked_mass(weights, causal_mask(2, 3, CausalAlignment::top_left)) == Tensor<T>{T(0.5), T(0.75)});
  CHECK(leaked_mass(weights, no_mask(2, 3)) == Tensor<T>{T(0), T(0)});
  CHECK(leaked_mass(weights, padding_mask(1, 3, 2)) == Tensor<T>{T(0.5), T(0.875)});  // one row for all
}

TEST_CASE("one mask serves every batch and head") {
  const Tensor<double> weights = filled({2, 3, 4, 4}, 0.25);
  const Tensor<double> leak = leaked_mass(weights, causal_mask(4, 4));
  CHECK(shape_of(leak) == Shape{2, 3, 4});
  CHECK(leak(0, 0, 0) == 0.75);
  CHECK(leak(1, 2, 1) == 0.5);
  CHECK(leak(1, 2, 3) == 0.0);
}

TEST_CASE("a mask that does not fit the weights is refused") {
  const Tensor<double> weights = filled({2, 3}, 0.5);
  CHECK(
      message_of([&] { leaked_mass(weights, no_mask(3, 2)); }) ==
      "a mask of shape (3, 2) does not fit weights of shape (2, 3); make its last two axes (queries, keys), or 1");
  CHECK(
      message_of([&] {
        leaked_mass(weights, both(no_mask(2, 3), filled({4, 1, 1}, true)));
      }) ==
      "a mask of shape (4, 2, 3) does not fit weights of shape (2, 3); make its last two axes (queries, keys), or 1");
}

}  // namespace attnlab
