// Memory for whole vector registers.
#pragma once

#include <cstdint>
#include <vector>

namespace attnlab {

/// Room for `count` zeros, at a multiple of 64 bytes.
template <class T>
class AlignedMemory {
 public:
  explicit AlignedMemory(std::size_t count) : memory_(count + 64 / sizeof(T)) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    begin_ = memory_.data() + (64 - address % 64) % 64 / sizeof(T);
  }
  T* data() const { return begin_; }

 private:
  std::vector<T> memory_;
  T* begin_;
};

}  // namespace attnlab
