#define ATTNLAB_XSIMD attnlab_xsimd_baseline
#define ATTNLAB_KERNEL baseline_kernel
#include "attention/streaming/kernel/panel_kernel.hpp"
