// The positional encoding measured: its rows, their lengths and similarities, and the rotation that shifts
// them.
#include "attention/positional.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "core/constants.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::disagreement;
using attnlab::message_of;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::rotary_encoding;
using attnlab::RotaryPairing;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::shift_matrix;
using attnlab::sinusoidal_encoding;
using attnlab::Tensor;
using attnlab::tolerance64;
using attnlab::values_of;

namespace {

/// The inner product of two rows of x (rows, width).
double inner(const Tensor<double>& x, std::size_t a, std::size_t b) {
  const std::size_t width = x.shape()[1];
  return std::inner_product(x.data() + a * width, x.data() + (a + 1) * width, x.data() + b * width, 0.0);
}

Tensor<double> rows(const Tensor<double>& x, std::size_t first, std::size_t count) {
  Tensor<double> part = Tensor<double>::from_shape({count, x.shape()[1]});
  std::copy_n(x.data() + first * x.shape()[1], part.size(), part.data());
  return part;
}

}  // namespace

// Article eq. 9 and 10, its figure of 50 x 64.
TEST_CASE("row 1 begins with the article's numbers and row 0 alternates 0 and 1") {
  const Tensor<double> encoding = sinusoidal_encoding(50, 64, 10000.0);
  const std::vector<double> row_1 = {.84147098, .54030231, .68156135, .73176098};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(encoding(1, i) - row_1[i]) < .51e-8);
  for (std::size_t i = 0; i < 64; ++i) CHECK(encoding(0, i) == (i % 2 == 0 ? 0.0 : 1.0));
}

TEST_CASE("the encoding agrees with NumPy for even and odd widths and other bases") {
  const nlohmann::json file = attnlab::reference("attention/positional.json");
  for (const nlohmann::json& stored : file.at("sinusoidal")) {
    const Tensor<double> encoding =
        sinusoidal_encoding(stored.at("positions").get<std::size_t>(), stored.at("width").get<std::size_t>(),
                            stored.at("base").get<double>());
    CHECK(disagreement(values_of(encoding), reference_values(stored.at("encoding")), tolerance64()) == "");
  }
}

TEST_CASE("the squared norm of every row is half the width") {
  const Tensor<double> encoding = sinusoidal_encoding(50, 64, 10000.0);
  for (std::size_t p = 0; p < 50; ++p) CHECK(std::abs(inner(encoding, p, p) - 32.0) < 1e-12);
}

TEST_CASE("similarity falls with distance on the whole but not monotonically") {
  const Tensor<double> encoding = sinusoidal_encoding(50, 64, 10000.0);
  CHECK(std::abs(inner(encoding, 0, 1) - 30.9168) < .51e-4);
  CHECK(std::abs(inner(encoding, 0, 49) - 15.2135) < .51e-4);
  int rises = 0;
  std::size_t first_rise = 0;
  std::size_t lowest = 0;
  for (std::size_t k = 0; k + 1 < 50; ++k) {
    if (inner(encoding, 0, k + 1) > inner(encoding, 0, k) && rises++ == 0) first_rise = k;
    if (inner(encoding, 0, k + 1) < inner(encoding, 0, lowest)) lowest = k + 1;
  }
  CHECK(rises == 17);
  CHECK(first_rise == 5);
  CHECK(lowest == 48);
  CHECK(std::abs(inner(encoding, 0, 48) - 14.517) < .51e-3);
}

TEST_CASE("no two positions share a row") {
  const Tensor<double> encoding = sinusoidal_encoding(200, 8, 10000.0);
  for (std::size_t a = 0; a < 200; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      // |r_a - r_b|^2 = 2 (4 - r_a · r_b): neighbours differ by about 1 rad in the fastest pair.
      CHECK(inner(encoding, a, b) < 4.0 - 1e-3);
    }
  }
}

TEST_CASE("an odd width ends with a sine alone") {
  const Tensor<double> odd = sinusoidal_encoding(10, 5, 10000.0);
  CHECK(shape_of(odd) == Shape{10, 5});
  for (std::size_t p = 0; p < 10; ++p) {
    CHECK(std::abs(odd(p, 4) - std::sin(static_cast<double>(p) * std::pow(10000.0, -0.8))) < 1e-15);
  }
}

TEST_CASE("one matrix moves every position by the same offset") {
  const Tensor<double> encoding = sinusoidal_encoding(50, 64, 10000.0);
  for (const std::size_t offset : std::vector<std::size_t>{1, 7, 30}) {
    const Tensor<double> moved =
        attnlab::matmul(rows(encoding, 0, 20), shift_matrix(static_cast<long long>(offset), 64, 10000.0));
    CHECK(disagreement(values_of(moved), values_of(rows(encoding, offset, 20)), tolerance64()) == "");
    const Tensor<double> back = attnlab::matmul(rows(encoding, offset, 20),
                                                shift_matrix(-static_cast<long long>(offset), 64, 10000.0));
    CHECK(disagreement(values_of(back), values_of(rows(encoding, 0, 20)), tolerance64()) == "");
  }
}

TEST_CASE("the shift matrix is a rotation: its transpose undoes it") {
  const Tensor<double> shift = shift_matrix(3, 6, 100.0);
  Tensor<double> identity({6, 6}, 0.0);
  for (std::size_t i = 0; i < 6; ++i) identity(i, i) = 1.0;
  CHECK(disagreement(values_of(attnlab::matmul(shift, attnlab::transpose(shift))), values_of(identity),
                     1e-15) == "");
  CHECK(shift_matrix(0, 6, 100.0) == identity);
  CHECK(shift != identity);
}

TEST_CASE("rotary encoding in both pairings agrees with complex multiplication in NumPy") {
  const nlohmann::json stored = attnlab::reference("attention/positional.json").at("rotary");
  const Tensor<double> x = reference_tensor<double>(stored.at("x"));
  CHECK(disagreement(values_of(rotary_encoding(x, 10000.0, RotaryPairing::interleaved)),
                     reference_values(stored.at("interleaved")), tolerance64()) == "");
  CHECK(disagreement(values_of(rotary_encoding(x, 10000.0, RotaryPairing::halves)),
                     reference_values(stored.at("halves")), tolerance64()) == "");
}

TEST_CASE("rotary encoding keeps lengths and makes products depend on the distance alone") {
  attnlab::NumpyRandom random(0);
  const Tensor<double> one_query = random.randn({8});
  const Tensor<double> one_key = random.randn({8});
  Tensor<double> queries = Tensor<double>::from_shape({20, 8});  // the same query at each position
  Tensor<double> keys = Tensor<double>::from_shape({20, 8});
  for (std::size_t p = 0; p < 20; ++p) {
    std::copy_n(one_query.data(), 8, queries.data() + p * 8);
    std::copy_n(one_key.data(), 8, keys.data() + p * 8);
  }
  for (const RotaryPairing pairing : {RotaryPairing::interleaved, RotaryPairing::halves}) {
    const Tensor<double> q = rotary_encoding(queries, 10000.0, pairing);
    const Tensor<double> k = rotary_encoding(keys, 10000.0, pairing);
    const Tensor<double> products = attnlab::matmul(q, attnlab::transpose(k));
    CHECK(std::abs(products(0, 0) - products(0, 5)) > 1e-3);
    for (std::size_t m = 0; m < 20; ++m) {
      CHECK(std::abs(inner(q, m, m) - inner(queries, 0, 0)) < 1e-13);
      for (std::size_t n = 0; n < 20; ++n) {
        const double same_distance = m >= n ? products(m - n, 0) : products(0, n - m);
        CHECK(std::abs(products(m, n) - same_distance) < 1e-13);
      }
    }
  }
}

TEST_CASE("no positions and no width give empty encodings") {
  CHECK(shape_of(sinusoidal_encoding(0, 4, 10000.0)) == Shape{0, 4});
  CHECK(shape_of(sinusoidal_encoding(4, 0, 10000.0)) == Shape{4, 0});
  CHECK(shape_of(shift_matrix(1, 0, 10000.0)) == Shape{0, 0});
  CHECK(shape_of(rotary_encoding(Tensor<double>::from_shape({2, 0, 4}), 10000.0, RotaryPairing::halves)) ==
        Shape{2, 0, 4});
}

TEST_CASE("odd widths cannot rotate and the base must be positive and finite") {
  const Tensor<double> odd({2, 5}, 1.0);
  CHECK(message_of([] { shift_matrix(1, 5, 10000.0); }) ==
        "an odd width 5 cannot be split into pairs that rotate; choose an even width");
  CHECK(message_of([&] { rotary_encoding(odd, 10000.0, RotaryPairing::halves); }).find("odd width 5") !=
        std::string::npos);
  CHECK(message_of([] {
          rotary_encoding(Tensor<double>({4}, 1.0), 10000.0, RotaryPairing::halves);
        }).find("(4,)") != std::string::npos);
  for (const double base : {0.0, -1.0, infinity, not_a_number}) {
    CHECK(message_of([base] { sinusoidal_encoding(2, 4, base); }).find("not positive and finite") !=
          std::string::npos);
  }
}

TEST_CASE("a part of the width turns, and positions may begin before 0") {
  attnlab::NumpyRandom random(1);
  const Tensor<double> x = random.randn({2, 3, 7});
  for (const RotaryPairing pairing : {RotaryPairing::interleaved, RotaryPairing::halves}) {
    const Tensor<double> turned = rotated(x, attnlab::rotary_angles(-1, 3, 4, 100.0), pairing);
    // One position further, everything is where positions 0, 1 and 2 bring it.
    Tensor<double> step = attnlab::rotary_angles(0, 3, 4, 100.0);
    step -= attnlab::rotary_angles(-1, 3, 4, 100.0);
    const Tensor<double> moved = rotated(turned, step, pairing);
    Tensor<double> narrow = Tensor<double>::from_shape({2, 3, 4});
    for (std::size_t row = 0; row < 6; ++row) std::copy_n(x.data() + row * 7, 4, narrow.data() + row * 4);
    const Tensor<double> expected = rotary_encoding(narrow, 100.0, pairing);
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(std::abs(moved.flat(row * 7 + i) - expected.flat(row * 4 + i)) < 1e-14);
      }
      for (std::size_t i = 4; i < 7; ++i) CHECK(turned.flat(row * 7 + i) == x.flat(row * 7 + i));
    }
    CHECK(std::abs(turned.flat(0) - x.flat(0)) > 1e-3);  // position -1
    CHECK(turned.flat(7) == x.flat(7));                  // position 0
  }
}

TEST_CASE("angles of other positions or of a wider array are refused") {
  const Tensor<double> x({3, 4}, 1.0);
  CHECK(
      message_of([&] { rotated(x, attnlab::rotary_angles(0, 2, 4, 100.0), RotaryPairing::halves); }) ==
      "an array of shape (3, 4) cannot be turned by angles of 2 positions and 2 pairs; make the last two axes (positions, width), and turn no more than the width");
  CHECK(message_of([&] {
          rotated(x, attnlab::rotary_angles(0, 3, 6, 100.0), RotaryPairing::halves);
        }).find("3 pairs") != std::string::npos);
}
