#ifdef __x86_64__
#define ATTNLAB_XSIMD attnlab_xsimd_avx512
#define ATTNLAB_KERNEL avx512_kernel
#include "attention/streaming/kernel/panel_kernel.hpp"
#endif
