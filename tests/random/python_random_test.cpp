// Python's own generator gave the stored numbers.
#include "random/python_random.hpp"

#include <doctest/doctest.h>

#include "reference.hpp"

namespace attnlab {

TEST_CASE("Python's random, gauss, shuffle and choices, bit for bit") {
  const nlohmann::json stored = reference("training/microgpt.json");
  for (const nlohmann::json& draws : stored.at("draws")) {
    CAPTURE(draws.at("seed").get<std::uint32_t>());
    PythonRandom random(draws.at("seed").get<std::uint32_t>());
    for (const nlohmann::json& number : draws.at("random")) CHECK(random.uniform() == number.get<double>());
    for (const nlohmann::json& number : draws.at("gauss")) {
      const auto expected = number.get<double>();  // the last bit of a cosine is the library's own affair
      CHECK(random.gauss(0.08) == doctest::Approx(expected).epsilon(1e-14));
    }
    std::vector<int> order(40);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    random.shuffle(order);
    CHECK(order == draws.at("shuffled").get<std::vector<int>>());
    for (const nlohmann::json& choice : draws.at("choices"))
      CHECK(random.choice({0.1, 0.4, 0.0, 0.3, 0.2}) == choice.get<std::size_t>());
  }
}

}  // namespace attnlab
