// Numbers at the front of a text, as std::from_chars reads them.
#pragma once

#include <charconv>

namespace attnlab {

template <class Integer>
std::from_chars_result from_chars(const char* begin, const char* end, Integer& value) {
  return std::from_chars(begin, end, value);
}

/// libc++ has it for whole numbers alone until LLVM 20.
std::from_chars_result from_chars(const char* begin, const char* end, double& value);

}  // namespace attnlab
