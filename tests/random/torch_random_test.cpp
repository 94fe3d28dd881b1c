// PyTorch's CPU stream: uniforms exactly, normals one by one and in blocks, the kept sine, nn.Linear.
#include "random/torch_random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference.hpp"

using attnlab::reference_values;
using attnlab::Tensor;
using attnlab::TorchLinear;
using attnlab::TorchRandom;

namespace {

// PyTorch computes log, cos and sin of a block by vector approximations: within 1e-6 of the library's.
constexpr double of_blocks = 1e-6;
// Fewer than 16 normals are computed in double and rounded: the last bit of a float at most.
constexpr double of_singles = 2.5e-7;

const nlohmann::json& torch_streams() {
  static const nlohmann::json stored = attnlab::reference("random/torch_random.json");
  return stored;
}

TorchRandom started(const nlohmann::json& stream) {
  return TorchRandom(stream.at("seed").get<std::uint32_t>());
}

double largest_error(const Tensor<float>& got, const nlohmann::json& expected) {
  const std::vector<double> values = reference_values(expected);
  REQUIRE(got.size() == values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected_float = static_cast<float>(values[i]);  // nine digits name one float
    const double error = std::abs(double{got.data()[i]} - expected_float);
    if (!(error <= largest)) largest = error;  // NaN is an error, too
  }
  return largest;
}

}  // namespace

TEST_CASE("rand gives PyTorch's floats in every bit") {
  for (const nlohmann::json& stream : torch_streams()) {
    TorchRandom random = started(stream);
    CHECK(largest_error(random.rand({20}), stream.at("rand")) == 0.0);
  }
}

TEST_CASE("fewer than 16 normals are drawn one by one") {
  for (const nlohmann::json& stream : torch_streams()) {
    TorchRandom random = started(stream);
    CHECK(largest_error(random.randn({15}), stream.at("randn_15")) <= of_singles);
  }
}

TEST_CASE("16 normals and more are drawn in blocks and an incomplete block anew") {
  for (const nlohmann::json& stream : torch_streams()) {
    for (const char* count : {"16", "17", "31", "32", "40", "100"}) {
      INFO(count);
      TorchRandom random = started(stream);
      CHECK(largest_error(random.randn({static_cast<std::size_t>(std::stoi(count))}),
                          stream.at("randn_" + std::string(count))) <= of_blocks);
    }
  }
}

// Three normals leave the sine of the second pair behind.
TEST_CASE("a kept sine survives a large randn and uniforms") {
  for (const nlohmann::json& stream : torch_streams()) {
    TorchRandom random = started(stream);
    const nlohmann::json& expected = stream.at("mixed");
    CHECK(largest_error(random.randn({3}), expected.at(0)) <= of_singles);
    CHECK(largest_error(random.randn({18}), expected.at(1)) <= of_blocks);
    CHECK(largest_error(random.rand({2}), expected.at(2)) == 0.0);
    CHECK(largest_error(random.randn({2}), expected.at(3)) <= of_singles);
    CHECK(largest_error(random.randn({1}), expected.at(4)) <= of_singles);
  }
}

TEST_CASE("the shape decides nothing but the shape") {
  for (const nlohmann::json& stream : torch_streams()) {
    TorchRandom random = started(stream);
    const Tensor<float> array = random.randn({2, 5, 4});
    CHECK(array.shape()[1] == 5);
    CHECK(largest_error(array, stream.at("randn_40")) <= of_blocks);
  }
}

// Weight (out, in) first, then bias; no number of the next layer depends on how the first is laid out.
TEST_CASE("linear layers begin with the parameters of nn.Linear") {
  for (const nlohmann::json& stream : torch_streams()) {
    TorchRandom random = started(stream);
    for (const nlohmann::json& expected : stream.at("linear")) {
      const TorchLinear layer =
          random.linear(expected.at("in").get<std::size_t>(), expected.at("out").get<std::size_t>());
      CHECK(layer.weight.shape()[0] == expected.at("out").get<std::size_t>());
      // uniform in ±1/√in: one rounding of a float below 1
      CHECK(largest_error(layer.weight, expected.at("weight")) <= 6e-8);
      CHECK(largest_error(layer.bias, expected.at("bias")) <= 6e-8);
    }
  }
}

TEST_CASE("an empty array draws nothing") {
  TorchRandom random(7);
  TorchRandom untouched(7);
  CHECK(random.randn({3, 0}).size() == 0);
  CHECK(random.rand({0}).size() == 0);
  CHECK(random.randn({1})(0) == untouched.randn({1})(0));
}
