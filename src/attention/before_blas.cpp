// OpenBLAS reads its environment and takes its memory before main begins, in a constructor of priority 101;
// what it must be told, and what would keep it waiting for ever, comes before that. Nothing of C++ is ready
// yet: no exceptions, no streams. (What .preinit_array writes into the environment is lost when libc starts.)
//
// It has locks, but no threads of its own: two of ours may multiply at once (its build without threads gives
// both the same scratch memory and wrong products), and none of its would spin beside a program that ends in
// 20 ms.
#ifdef __ELF__
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace attnlab {
namespace {

/// OpenBLAS takes 128 MB for each thread that multiplies, the main one and one a processor, and asks again
/// for ever where it gets none.
rlim_t needed_address_space() {
  constexpr rlim_t megabyte = rlim_t{1} << 20U;
  return (256 + 128 * static_cast<rlim_t>(1 + std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)))) * megabyte;
}

bool environment_is_japanese() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* locale = std::getenv(name);
    if (locale != nullptr && *locale != '\0') return std::strncmp(locale, "ja", 2) == 0;
  }
  return false;
}

/// Ends the process where it may use too little address space (ulimit -v).
void require_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const rlim_t needed = needed_address_space();
  if (limit.rlim_cur >= needed) return;
  const auto megabytes = [](rlim_t bytes) { return static_cast<unsigned long long>(bytes >> 20U); };
  std::fprintf(
      stderr,
      environment_is_japanese()
          ? "attnlab: 使えるアドレス空間が %llu MB しかありません。%llu MB 必要です。ulimit -v %llu 以上にしてください\n"
          : "attnlab: only %llu MB of address space may be used; %llu MB are needed; raise the limit with ulimit -v %llu\n",
      megabytes(limit.rlim_cur), megabytes(needed), static_cast<unsigned long long>(needed >> 10U));
  std::_Exit(1);
}

void prepare() {
  require_address_space();
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

[[gnu::used, gnu::section(".init_array.00000")]] void (*const before_all_constructors)() = prepare;

}  // namespace
}  // namespace attnlab

#else  // on macOS OpenBLAS is a shared library, which is ready before anything of ours

extern "C" void openblas_set_num_threads(int);

namespace attnlab {
namespace {

[[gnu::constructor]] void send_threads_away() { openblas_set_num_threads(1); }

}  // namespace
}  // namespace attnlab
#endif
