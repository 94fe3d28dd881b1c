#include "random/mersenne_twister.hpp"

#include <algorithm>

namespace attnlab {
namespace {

constexpr std::size_t far = 397;

/// x_{k+624} from x_k, x_{k+1} and x_{k+397}.
std::uint32_t twisted(std::uint32_t here, std::uint32_t next, std::uint32_t distant) {
  const std::uint32_t joined = (here & 0x80000000U) | (next & 0x7FFFFFFFU);
  return distant ^ (joined >> 1U) ^ ((joined & 1U) == 0 ? 0U : 0x9908B0DFU);
}

std::uint32_t tempered(std::uint32_t x) {
  x ^= x >> 11U;
  x ^= (x << 7U) & 0x9D2C5680U;
  x ^= (x << 15U) & 0xEFC60000U;
  return x ^ (x >> 18U);
}

}  // namespace

MersenneTwister::MersenneTwister(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t k = 1; k < size; ++k) {
    state_[k] = 1812433253U * (state_[k - 1] ^ (state_[k - 1] >> 30U)) + k;
  }
}

MersenneTwister::MersenneTwister(const std::vector<std::uint32_t>& key) : MersenneTwister(19650218U) {
  std::size_t at = 1;
  const auto mixed = [&](std::uint32_t factor) {
    return state_[at] ^ ((state_[at - 1] ^ (state_[at - 1] >> 30U)) * factor);
  };
  const auto step = [&](std::uint32_t number) {
    state_[at] = number;
    if (++at < size) return;
    state_[0] = state_[size - 1];
    at = 1;
  };
  for (std::size_t k = 0; k < std::max(size, key.size()); ++k) {
    const std::size_t j = k % key.size();
    step(mixed(1664525U) + key[j] + static_cast<std::uint32_t>(j));
  }
  for (std::size_t k = 1; k < size; ++k) step(mixed(1566083941U) - static_cast<std::uint32_t>(at));
  state_[0] = 0x80000000U;
}

void MersenneTwister::fill(std::uint32_t* numbers, std::size_t count) {
  while (count > 0) {
    if (next_ == size) refill();
    const std::size_t part = std::min(count, size - next_);
    numbers = std::copy_n(tempered_.data() + next_, part, numbers);
    next_ += part;
    count -= part;
  }
}

// Each loop reads only what no step of it has yet written, or wrote more than a register's width before.
void MersenneTwister::refill() {
  for (std::size_t k = 0; k < size - far; ++k) state_[k] = twisted(state_[k], state_[k + 1], state_[k + far]);
  for (std::size_t k = size - far; k < size - 1; ++k) {
    state_[k] = twisted(state_[k], state_[k + 1], state_[k + far - size]);
  }
  state_[size - 1] = twisted(state_[size - 1], state_[0], state_[far - 1]);
  for (std::size_t k = 0; k < size; ++k) tempered_[k] = tempered(state_[k]);
  next_ = 0;
}

}  // namespace attnlab
