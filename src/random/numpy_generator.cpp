// PCG64 and the ziggurat of np.random.default_rng.
#include "random/numpy_generator.hpp"

#include <cmath>
#include <cstddef>

namespace attnlab {
namespace {

/// One of SeedSequence's hashes: every call goes on from the last one's constant.
struct SeedHash {
  std::uint32_t constant;
  std::uint32_t factor;

  std::uint32_t operator()(std::uint32_t value) {
    value ^= constant;
    constant *= factor;
    value *= constant;
    return value ^ (value >> 16U);
  }
};

std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t result = 0xca01f9ddU * x - 0x4973f715U * y;
  return result ^ (result >> 16U);
}

/// SeedSequence(seed).generate_state(4, np.uint64).
std::array<std::uint64_t, 4> state_of(std::uint32_t seed) {
  SeedHash into_pool{0x43b0d7e5U, 0x931e8875U};
  std::array<std::uint32_t, 4> pool{seed};
  for (std::uint32_t& word : pool) word = into_pool(word);
  for (std::size_t from = 0; from < pool.size(); ++from) {
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (from != to) pool[to] = mixed(pool[to], into_pool(pool[from]));
    }
  }
  SeedHash out_of_pool{0x8b51f9ddU, 0x58f38dedU};
  std::array<std::uint64_t, 4> state{};
  for (std::size_t half = 0; half < 8; ++half)
    state[half / 2] |= std::uint64_t{out_of_pool(pool[half % 4])} << (32U * (half % 2));
  return state;
}

constexpr double tail = 3.6541528853610087963519472518;  // where the lowest layer begins

long double density(long double x) { return std::exp(-0.5L * x * x); }

/// Of each layer its width over 2^52, its height at its right edge, and how many of its 2^52 steps lie under
/// the layer above.
struct Ziggurat {
  std::array<double, 256> step{};
  std::array<double, 256> height{};
  std::array<std::uint64_t, 256> inside{};

  Ziggurat() {
    constexpr long double steps = 0x1p52L;
    constexpr long double begin = 3.6541528853610087963519472518L;
    // of each layer: the lowest has the tail, ∫ exp(-x²/2) from there on, beside its rectangle
    const long double area =
        begin * density(begin) + std::sqrt(std::acos(-1.0L) / 2.0L) * std::erfc(begin / std::sqrt(2.0L));
    const auto set = [&](std::size_t layer, long double edge, long double under, long double at) {
      step[layer] = static_cast<double>(edge / steps);
      height[layer] = static_cast<double>(at);
      inside[layer] = static_cast<std::uint64_t>(under / edge * steps);
    };
    set(0, area / density(begin), begin, 1.0L);
    long double edge = begin;
    for (std::size_t layer = 255; layer > 0; --layer) {
      const long double at = density(edge);
      const long double above = layer > 1 ? std::sqrt(-2.0L * std::log(area / edge + at)) : 0.0L;
      set(layer, edge, above, at);
      edge = above;
    }
  }
};

}  // namespace

NumpyGenerator::NumpyGenerator(std::uint32_t seed) {
  const std::array<std::uint64_t, 4> words = state_of(seed);
  increment_ = (((Wide{words[2]} << 64U) | words[3]) << 1U) | 1U;
  bits();
  state_ += (Wide{words[0]} << 64U) | words[1];
  bits();
}

std::uint64_t NumpyGenerator::bits() {
  constexpr Wide factor = (Wide{0x2360ed051fc65da4U} << 64U) | 0x4385df649fccf645U;
  state_ = state_ * factor + increment_;
  const auto folded = static_cast<std::uint64_t>(state_ >> 64U) ^ static_cast<std::uint64_t>(state_);
  const auto turn = static_cast<unsigned>(state_ >> 122U);
  return (folded >> turn) | (folded << ((64U - turn) % 64U));
}

double NumpyGenerator::uniform() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

double NumpyGenerator::normal() {
  static const Ziggurat ziggurat;
  for (;;) {
    const std::uint64_t random = bits();
    const std::size_t layer = random & 0xffU;
    const std::uint64_t place = (random >> 9U) & 0xfffffffffffffU;
    const double size = static_cast<double>(place) * ziggurat.step[layer];
    const double x = (random >> 8U & 1U) == 1U ? -size : size;
    if (place < ziggurat.inside[layer]) return x;
    if (layer > 0) {
      const double below = ziggurat.height[layer];
      if ((ziggurat.height[layer - 1] - below) * uniform() + below < std::exp(-0.5 * x * x)) return x;
      continue;
    }
    for (;;) {
      const double beyond = -std::log1p(-uniform()) / tail;
      const double other = -std::log1p(-uniform());
      if (2.0 * other <= beyond * beyond) continue;
      return (random >> 17U & 1U) == 1U ? -(tail + beyond) : tail + beyond;
    }
  }
}

}  // namespace attnlab
