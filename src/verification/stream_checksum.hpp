// A million random numbers in one line.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace attnlab {

/// As in data/reference/make_attention_reference.py: sum of (2 i + 1) · (bits of value i), modulo 2^64.
template <class Draw>
std::string checksum_of_million(Draw draw) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const double value = draw();
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    sum += (2 * i + 1) * bits;
  }
  return fmt::format("{:016x}", sum);
}

}  // namespace attnlab
