#include <cstdint>

#include "core/error.hpp"
#include "io/pickle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    attnlab::unpickled(attnlab::shared(std::string(bytes, bytes + size)), "fuzz");
  } catch (const attnlab::Error&) {
    return 0;
  }
  return 0;
}
