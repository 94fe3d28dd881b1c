// Weight layouts: what moves where, by hand, and the same result whichever library's layout is used.
#include "attention/weight_layout.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "attention/linear.hpp"
#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::disagreement;
using attnlab::fuse_heads;
using attnlab::Linear;
using attnlab::message_of;
using attnlab::NumpyRandom;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::split_heads;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

// Two heads, three numbers in, two out of each head: no axis can be taken for another.
const Tensor<double>& per_head() {
  static const Tensor<double> weights = {{{0, 1}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10, 11}}};
  return weights;
}

}  // namespace

TEST_CASE("a fused weight holds head after head in its columns") {
  const Tensor<double> fused = {{0, 1, 6, 7}, {2, 3, 8, 9}, {4, 5, 10, 11}};
  CHECK(fuse_heads(per_head()) == fused);
  CHECK(split_heads(fused, 2) == per_head());
}

TEST_CASE_TEMPLATE("splitting undoes fusing for any number of heads", T, float, double) {
  for (const std::size_t heads : std::vector<std::size_t>{1, 2, 3, 6}) {
    const Tensor<T> fused = NumpyRandom(3).randn({5, 12});
    const Tensor<T> split = split_heads(fused, heads);
    CHECK(shape_of(split) == Shape{heads, 5, 12 / heads});
    CHECK(fuse_heads(split) == fused);
  }
}

// The two libraries' layouts of one projection: (in, out) is multiplied from the right, (out, in) is kept by
// nn.Linear.
TEST_CASE("a weight of shape out by in is the transposed one of shape in by out") {
  NumpyRandom random(4);
  const Tensor<double> in_out = random.randn({3, 5});
  const Tensor<double> x = random.randn({2, 3});
  const Tensor<double> out_in = attnlab::transpose(in_out);
  CHECK(shape_of(out_in) == Shape{5, 3});
  CHECK(out_in(4, 1) == in_out(1, 4));
  CHECK(attnlab::transpose(out_in) == in_out);
  const Linear<double> layer{out_in, {}};
  CHECK(disagreement(values_of(attnlab::linear(layer, x)), values_of(attnlab::matmul(x, in_out)),
                     attnlab::tolerance64()) == "");
}

TEST_CASE("a per-head weight of shape out by in becomes the fused one of nn.Linear") {
  const Tensor<double> linear_weight = attnlab::transpose(fuse_heads(per_head()));
  const Tensor<double> expected = {{0, 2, 4}, {1, 3, 5}, {6, 8, 10}, {7, 9, 11}};  // (heads * width, in)
  CHECK(linear_weight == expected);
  CHECK(split_heads(attnlab::transpose(linear_weight), 2) == per_head());
}

TEST_CASE("weights that cannot be rearranged are usage errors that say why") {
  const Tensor<double> matrix = NumpyRandom(0).randn({4, 6});
  CHECK(message_of([&] { split_heads(matrix, 4); }) ==
        "6 columns cannot be split over 4 heads; choose a divisor of 6");
  CHECK(message_of([&] { split_heads(matrix, 0); }).find("over 0 heads") != std::string::npos);
  CHECK(message_of([&] { split_heads(per_head(), 2); }) ==
        "weights of shape (2, 3, 2) cannot be rearranged; give them the shape (in, heads * width)");
  CHECK(message_of([&] { fuse_heads(matrix); }).find("(heads, in, width)") != std::string::npos);
}
