// MT19937, the generator below NumPy's and PyTorch's streams, 624 numbers at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attnlab {

/// The sequence of std::mt19937, at a third of its time: both loops over the state fit vector registers.
/// Source: Matsumoto and Nishimura 1998; init_genrand and init_by_array of 2002.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed);
  /// Of one or more numbers, as np.random.RandomState([5, 1, 2]).
  explicit MersenneTwister(const std::vector<std::uint32_t>& key);

  /// 32 random bits.
  std::uint32_t operator()() {
    if (next_ == size) refill();
    return tempered_[next_++];
  }

  /// The next `count` numbers.
  void fill(std::uint32_t* numbers, std::size_t count);

 private:
  static constexpr std::size_t size = 624;

  void refill();

  std::array<std::uint32_t, size> state_{};
  std::array<std::uint32_t, size> tempered_{};
  std::size_t next_ = size;
};

/// (27 bits · 2^26 + 26 bits) / 2^53: a double in [0, 1) of two outputs, as NumPy and Python make it.
inline double unit_interval(std::uint32_t high, std::uint32_t low) {
  return (static_cast<double>(high >> 5U) * 67108864.0 + static_cast<double>(low >> 6U)) / 9007199254740992.0;
}

}  // namespace attnlab
