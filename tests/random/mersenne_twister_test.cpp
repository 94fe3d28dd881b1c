// The standard library's generator is an independent one of the same sequence.
#include "random/mersenne_twister.hpp"

#include <doctest/doctest.h>

#include <random>

TEST_CASE("the Mersenne Twister is std::mt19937") {
  for (const std::uint32_t seed : {0U, 1U, 42U, 5489U, 4294967295U}) {
    attnlab::MersenneTwister ours(seed);
    std::mt19937 standard(seed);
    int differences = 0;
    for (int i = 0; i < 10'000; ++i) differences += static_cast<int>(ours() != standard());
    CHECK(differences == 0);
  }
}

// ISO C++, [rand.predef].
TEST_CASE("the 10,000th number after seed 5489 is 4123659995") {
  attnlab::MersenneTwister twister(5489);
  for (int i = 0; i < 9'999; ++i) twister();
  CHECK(twister() == 4123659995U);
}
