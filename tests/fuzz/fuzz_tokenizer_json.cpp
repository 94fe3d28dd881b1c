#include "read_tokenizer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return attnlab::fuzz::read_tokenizer("tokenizer.json", bytes, size);
}
