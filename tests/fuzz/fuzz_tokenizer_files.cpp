#include <array>

#include "read_tokenizer.hpp"

// The first byte says which of the files that hold less than a tokenizer.json the others are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::array names{"tokenizer.model", "vocab.txt", "meta.pkl"};
  if (size == 0) return 0;
  return attnlab::fuzz::read_tokenizer(names.at(bytes[0] % names.size()), bytes + 1, size - 1);
}
