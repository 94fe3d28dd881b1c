// Memory for whole vector registers.
#pragma once

#include <memory>
#include <vector>

namespace attnlab {

/// Room for `count` zeros, at a multiple of 64 bytes.
template <class T>
class AlignedMemory {
 public:
  explicit AlignedMemory(std::size_t count) : memory_(count + 64 / sizeof(T)) {
    void* begin = memory_.data();
    std::size_t space = memory_.size() * sizeof(T);
    begin_ = static_cast<T*>(std::align(64, count * sizeof(T), begin, space));
  }
  T* data() const { return begin_; }

 private:
  std::vector<T> memory_;
  T* begin_ = nullptr;
};

}  // namespace attnlab
