#include "core/memory.hpp"

#include <sys/resource.h>

#include <cstdlib>  // defines __GLIBC__ where it applies
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/error.hpp"

namespace attnlab {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int megabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 16 * megabyte);  // above: an array has pages of its own
  mallopt(M_ARENA_MAX, 1);                   // and one heap for all threads
  mallopt(M_TRIM_THRESHOLD, 256 * megabyte);
#endif
}

void require_address_space() {
  constexpr rlim_t needed = rlim_t{512} << 20U;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= needed)
    return;
  refuse_failed(
      text("使えるアドレス空間が {} MB しかありません。{} MB 必要です",
           "only {} MB of address space may be used; {} MB are needed", limit.rlim_cur >> 20U, needed >> 20U),
      text("ulimit -v {} 以上にしてください", "raise the limit with ulimit -v {}", needed >> 10U));
}

}  // namespace attnlab
