// A class list.
#include <cstdint>

#include "exercise/students.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string csv(bytes, bytes + size);
  try {
    attnlab::students_in(csv, "fuzz");
  } catch (const attnlab::Error&) {
    return 0;
  }
  return 0;
}
