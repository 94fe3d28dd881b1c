// OpenBLAS with locks, but without threads of its own: two of ours may multiply at once (its build without
// threads gives both the same scratch memory and wrong products), and none of its would spin beside a program
// that ends in 20 ms. It reads its environment before main begins, and so this runs before anything else
// does.
#include <cstdlib>

namespace attnlab {
namespace {

#ifdef __ELF__
void ask_for_one_blas_thread() {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

[[gnu::used,
  gnu::section(".preinit_array")]] void (*const before_all_constructors)() = ask_for_one_blas_thread;
#endif

}  // namespace
}  // namespace attnlab
