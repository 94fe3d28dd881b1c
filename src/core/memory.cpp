#include "core/memory.hpp"

#include <cstdlib>  // defines __GLIBC__ where it applies
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attnlab {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int megabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 16 * megabyte);  // above: an array has pages of its own
  mallopt(M_ARENA_MAX, 1);                   // and one heap for all threads
  mallopt(M_TRIM_THRESHOLD, 256 * megabyte);
#endif
}

}  // namespace attnlab
