// NumPy's legacy stream in every bit: uniforms, normals, the kept second normal, and a million draws by
// checksum.
#include "random/numpy_random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "reference.hpp"
#include "verification/function_checks.hpp"

using attnlab::checksum_of_million;
using attnlab::NumpyRandom;
using attnlab::reference_values;
using attnlab::Tensor;

namespace {

const nlohmann::json& streams() {
  static const nlohmann::json stored = attnlab::reference("random/numpy_random.json");
  return stored;
}

/// Standard deviation (ddof 0) of the dot products of the rows of q and k.
double deviation_of_products(const Tensor<double>& q, const Tensor<double>& k) {
  const std::size_t rows = q.shape()[0];
  const std::size_t width = q.shape()[1];
  std::vector<double> products(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    products[row] =
        std::inner_product(q.data() + row * width, q.data() + (row + 1) * width, k.data() + row * width, 0.0);
  }
  const double mean = std::accumulate(products.begin(), products.end(), 0.0) / static_cast<double>(rows);
  double squares = 0.0;
  for (const double product : products) squares += (product - mean) * (product - mean);
  return std::sqrt(squares / static_cast<double>(rows));
}

}  // namespace

TEST_CASE("uniforms are those of RandomState.rand in every bit") {
  for (const nlohmann::json& stream : streams()) {
    NumpyRandom random(stream.at("seed").get<std::uint32_t>());
    for (const double expected : reference_values(stream.at("rand"))) CHECK(random.uniform() == expected);
  }
}

TEST_CASE("normals are those of RandomState.randn in every bit") {
  for (const nlohmann::json& stream : streams()) {
    NumpyRandom random(stream.at("seed").get<std::uint32_t>());
    for (const double expected : reference_values(stream.at("randn"))) CHECK(random.normal() == expected);
  }
}

TEST_CASE("a stream of several numbers is that of RandomState of their list") {
  const std::vector<double> expected{-0.3901891986359008, -0.8497286112987716, -0.8738003789063336};
  NumpyRandom random(std::vector<std::uint32_t>{5, 104, 105});  // RandomState([5, 104, 105]).randn(3)
  for (const double number : expected) CHECK(random.normal() == number);
  std::vector<std::uint32_t> longer(700);  // than the state: RandomState(list(range(700))).randn()
  std::iota(longer.begin(), longer.end(), 0U);
  CHECK(NumpyRandom(longer).normal() == 1.4634098418499246);
}

TEST_CASE("the second normal of a pair waits while uniforms are drawn") {
  for (const nlohmann::json& stream : streams()) {
    NumpyRandom random(stream.at("seed").get<std::uint32_t>());
    const std::vector<double> expected = reference_values(stream.at("randn_rand_randn_randn"));
    CHECK(random.normal() == expected[0]);
    CHECK(random.uniform() == expected[1]);
    CHECK(random.normal() == expected[2]);
    CHECK(random.normal() == expected[3]);
  }
}

TEST_CASE("a million uniforms have NumPy's checksum") {
  for (const nlohmann::json& stream : streams()) {
    NumpyRandom random(stream.at("seed").get<std::uint32_t>());
    CHECK(checksum_of_million([&random] { return random.uniform(); }) ==
          stream.at("checksum_of_million_rand"));
  }
}

// Fails as soon as the compiler fuses a multiply with an add: one normal in seven changes its last bit.
TEST_CASE("a million normals have NumPy's checksum") {
  for (const nlohmann::json& stream : streams()) {
    NumpyRandom random(stream.at("seed").get<std::uint32_t>());
    const std::string checksum = checksum_of_million([&random] { return random.normal(); });
    // The C library's log, which NumPy and we call, rounds some values otherwise on a processor without it.
    const bool is_of_numpy = checksum == stream.at("checksum_of_million_randn") ||
                             checksum == stream.at("checksum_of_million_randn_without_fma");
    CHECK(is_of_numpy);
  }
}

TEST_CASE("randn fills an array in row-major order") {
  NumpyRandom at_once(7);
  NumpyRandom one_by_one(7);
  const Tensor<double> array = at_once.randn({2, 3, 5});
  CHECK(array.dimension() == 3);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 5; ++k) CHECK(array(i, j, k) == one_by_one.normal());
    }
  }
}

TEST_CASE("an empty array draws nothing and an array without axes draws one number") {
  NumpyRandom random(7);
  NumpyRandom untouched(7);
  CHECK(random.randn({3, 0, 2}).size() == 0);
  const Tensor<double> scalar = random.randn({});
  CHECK(scalar.dimension() == 0);
  CHECK(scalar() == untouched.normal());
}

TEST_CASE("a copy of the generator continues the same stream") {
  NumpyRandom random(3);
  random.normal();  // leaves a kept value behind
  NumpyRandom copy = random;
  for (int i = 0; i < 9; ++i) CHECK(copy.normal() == random.normal());
}

TEST_CASE("arrays of any size continue the stream where the last ended") {
  NumpyRandom by_arrays(3);
  NumpyRandom one_by_one(3);
  for (const std::size_t size : std::vector<std::size_t>{1, 2, 3, 511, 512, 513, 1025, 1, 1, 40}) {
    CAPTURE(size);
    int differences = 0;
    for (const double value : by_arrays.randn({size}))
      differences += static_cast<int>(value != one_by_one.normal());
    CHECK(differences == 0);
  }
}

// Textbook footnote 3 and article eq. 4. NumPy: rng = np.random.RandomState(0); for each d in order
// q = rng.randn(1000, d); k = rng.randn(1000, d); (q * k).sum(axis=1).std()
TEST_CASE("the deviation of a dot product grows like the root of the width") {
  const std::vector<std::pair<std::size_t, double>> expected = {
      {1, 0.964252}, {4, 1.989941}, {16, 3.892876}, {64, 7.674520}, {256, 15.475414}, {1024, 31.746296}};
  NumpyRandom random(0);
  for (const auto& [width, deviation] : expected) {
    const Tensor<double> q = random.randn({1000, width});
    const Tensor<double> k = random.randn({1000, width});
    CHECK(std::abs(deviation_of_products(q, k) - deviation) < 5.1e-7);
  }
}
