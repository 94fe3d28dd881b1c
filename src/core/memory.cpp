#include "core/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>  // defines __GLIBC__ where it applies
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace attnlab {

double available_memory() {
  std::ifstream lines("/proc/meminfo");  // "MemAvailable:    8123456 kB"
  for (std::string name, unit; lines >> name;) {
    double kibibytes = 0.0;
    if (name == "MemAvailable:" && lines >> kibibytes) return 1024.0 * kibibytes;
    std::getline(lines, unit);
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int megabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 16 * megabyte);  // above: an array has pages of its own
  mallopt(M_ARENA_MAX, 1);                   // a figure is drawn from one heap, whose pages are there
  mallopt(M_TRIM_THRESHOLD, 256 * megabyte);
  std::vector<char> room;  // the end of the heap, which it becomes again
  std::size_t size = 8UL * megabyte;
  room.reserve(size);
  void* pages = room.data();
  constexpr std::size_t huge_page = 2UL * megabyte;
  if (std::align(huge_page, huge_page, pages, size) != nullptr) madvise(pages, size, MADV_HUGEPAGE);
#endif
}

void let_threads_have_heaps(std::size_t threads) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, static_cast<int>(threads));
#else
  static_cast<void>(threads);
#endif
}

}  // namespace attnlab
