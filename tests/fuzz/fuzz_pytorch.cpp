#include "read_all.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return attnlab::fuzz::read_all(attnlab::TensorFormat::pytorch, bytes, size);
}
