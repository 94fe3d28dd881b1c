// Python's generator, bit for bit: random.seed(s), random.random, gauss, shuffle and choices.
#pragma once

#include <optional>
#include <vector>

#include "random/mersenne_twister.hpp"

namespace attnlab {

/// The stream of random.Random(seed) for a whole number below 2^32. Source: CPython 3.11, Lib/random.py and
/// Modules/_randommodule.c.
class PythonRandom {
 public:
  explicit PythonRandom(std::uint32_t seed) : engine_(std::vector<std::uint32_t>{seed}) {}

  /// random(): in [0, 1), 53 random bits from two outputs of MT19937.
  double uniform();

  /// gauss(0, deviation): by the polar angle; the sine of the pair is kept for the next call.
  double gauss(double deviation);

  /// randrange(count) for 1 to 2^32 - 1: as many bits as count has, until they are below it.
  std::uint32_t below(std::uint32_t count);

  /// shuffle(list): from the last place down.
  template <class Value>
  void shuffle(std::vector<Value>& list) {
    for (std::size_t i = list.size(); i-- > 1;)
      std::swap(list[i], list[below(static_cast<std::uint32_t>(i + 1))]);
  }

  /// choices(range(n), weights)[0]: the first place whose running sum lies above a share of the whole.
  std::size_t choice(const std::vector<double>& weights);

 private:
  MersenneTwister engine_;
  std::optional<double> kept_;
};

}  // namespace attnlab
