// What must hold of a run whose weights were kept.
#pragma once

#include "attend/run.hpp"
#include "attention/scaled_dot_product.hpp"
#include "core/tensor.hpp"

namespace attnlab {

/// Rows that read a key sum to 1, and streaming gives the same output. `run` knows its rows and its
/// precision.
template <class T>
std::vector<Invariant> attend_invariants(const AttendRun& run, const AttentionStages<T>& stages,
                                         const Tensor<T>& streamed);

}  // namespace attnlab
