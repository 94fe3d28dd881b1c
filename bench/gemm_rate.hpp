// How fast this machine multiplies matrices: what the speed of attention is measured against.
#pragma once

namespace attnlab {

/// Operations per second of sgemm (float) or dgemm (double): every processor multiplies two square matrices
/// of its own, large enough for BLAS to be at its best, with one thread. The median of three runs.
template <class T>
double gemm_rate();

}  // namespace attnlab
