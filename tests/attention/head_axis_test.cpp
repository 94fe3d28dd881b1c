// The places of the axis of heads: small cases by hand, and ways there and back.
#include "attention/weight_layout.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <numeric>

#include "attention/shape.hpp"
#include "attention/usage_message.hpp"

using attnlab::heads_before_length;
using attnlab::heads_from_width;
using attnlab::join_heads;
using attnlab::message_of;
using attnlab::repeat_heads;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;

namespace {

/// 0, 1, 2, ... in that shape.
template <class T>
Tensor<T> counted(const Shape& shape) {
  Tensor<T> tensor = Tensor<T>::from_shape(shape);
  std::iota(tensor.begin(), tensor.end(), T(0));
  return tensor;
}

}  // namespace

TEST_CASE_TEMPLATE("a head owns neighbouring columns of the width", T, float, double) {
  const Tensor<T> joined{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}};  // 2 tokens
  const Tensor<T> of_two{{{0, 1, 2}, {6, 7, 8}}, {{3, 4, 5}, {9, 10, 11}}};
  const Tensor<T> of_three{{{0, 1}, {6, 7}}, {{2, 3}, {8, 9}}, {{4, 5}, {10, 11}}};
  CHECK(heads_from_width(joined, 2) == of_two);
  CHECK(heads_from_width(joined, 3) == of_three);
  CHECK(shape_of(heads_from_width(joined, 1)) == Shape{1, 2, 6});
  CHECK(join_heads(of_two) == joined);
  CHECK(join_heads(of_three) == joined);
}

TEST_CASE_TEMPLATE("heads behind the length change places with it", T, float, double) {
  const Tensor<T> heads_last{{{0, 1}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10, 11}}};  // (2 tokens, 3 heads, 2)
  const Tensor<T> heads_first{{{0, 1}, {6, 7}}, {{2, 3}, {8, 9}}, {{4, 5}, {10, 11}}};
  CHECK(heads_before_length(heads_last) == heads_first);
}

TEST_CASE_TEMPLATE("splitting and joining undo one another in every batch", T, float, double) {
  for (const Shape& shape : {Shape{7, 12}, Shape{3, 7, 12}, Shape{2, 3, 5, 12}, Shape{0, 12}, Shape{1, 12}}) {
    for (const std::size_t heads : {1U, 2U, 3U, 12U}) {
      INFO(attnlab::printed(shape), " in ", heads);
      const Tensor<T> joined = counted<T>(shape);
      const Tensor<T> split = heads_from_width(joined, heads);
      Shape expected = shape;
      expected.back() /= heads;
      expected.insert(expected.end() - 2, heads);
      CHECK(shape_of(split) == expected);
      CHECK(join_heads(split) == joined);
    }
  }
}

TEST_CASE_TEMPLATE("changing places twice changes nothing", T, float, double) {
  for (const Shape& shape : {Shape{5, 3, 4}, Shape{2, 5, 3, 4}, Shape{2, 2, 1, 3, 4}, Shape{5, 3, 0}}) {
    const Tensor<T> tensor = counted<T>(shape);
    CHECK(heads_before_length(heads_before_length(tensor)) == tensor);
  }
}

TEST_CASE_TEMPLATE("every head is repeated in a row, not the whole in turn", T, float, double) {
  const Tensor<T> heads{{{1, 2}}, {{3, 4}}};  // (2 heads, 1 key, 2)
  const Tensor<T> twice{{{1, 2}}, {{1, 2}}, {{3, 4}}, {{3, 4}}};
  CHECK(repeat_heads(heads, 2) == twice);
  CHECK(repeat_heads(heads, 1) == heads);
  const Tensor<T> batch = counted<T>({2, 2, 3, 2});
  const Tensor<T> repeated = repeat_heads(batch, 3);
  REQUIRE(shape_of(repeated) == Shape{2, 6, 3, 2});
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t head = 0; head < 6; ++head) {
      for (std::size_t key = 0; key < 3; ++key) {
        CHECK(repeated(b, head, key, 1) == batch(b, head / 3, key, 1));
      }
    }
  }
}

TEST_CASE("a width that the heads do not divide is refused with a remedy") {
  CHECK(message_of([] {
          heads_from_width(Tensor<double>({2, 10}, 1.0), 3);
        }) == "width 10 cannot be split over 3 heads; choose a number of heads that divides the width");
  CHECK(message_of([] {
          heads_from_width(Tensor<float>({2, 10}, 1.0F), 0);
        }) == "width 10 cannot be split over 0 heads; choose a number of heads that divides the width");
}
