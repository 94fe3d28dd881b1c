// A pipe for tests.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace attnlab {

/// Its end to read from and its end to write to, which no program inherits.
inline std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
#ifdef __linux__
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
#else  // elsewhere a program that another thread starts just now would inherit them
  REQUIRE(::pipe(ends.data()) == 0);
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
  return ends;
}

}  // namespace attnlab
