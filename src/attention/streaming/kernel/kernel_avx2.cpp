#ifdef __x86_64__
#define ATTNLAB_XSIMD attnlab_xsimd_avx2
#define ATTNLAB_KERNEL avx2_kernel
#include "attention/streaming/kernel/panel_kernel.hpp"
#endif
