// Freed memory comes back without asking the system for pages. Sanitizers bring an allocator of their own.
#include "core/memory.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstddef>
#include <vector>

namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
constexpr bool has_glibcs_allocator = true;
#else
constexpr bool has_glibcs_allocator = false;
#endif

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// How often the system had to hand out a page while an array was written.
long faults_of_an_array(std::size_t bytes) {
  const long before = page_faults();
  const std::vector<char> array(bytes, 'x');
  const long faults = page_faults() - before;
  CHECK(array[bytes / 2] == 'x');
  return faults;
}

}  // namespace

TEST_CASE("the memory of a freed array serves the next one") {
  constexpr std::size_t bytes = 8 << 20;
  constexpr long pages = (8 << 20) / 4096;
  attnlab::keep_freed_memory();
  faults_of_an_array(bytes);
  const long faults = faults_of_an_array(bytes);
  if (has_glibcs_allocator) CHECK(faults < pages / 10);
}
