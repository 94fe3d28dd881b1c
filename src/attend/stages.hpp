// The trace of `attend`: every tensor on the way from the tokens to the output, and how it came about.
#pragma once

#include <optional>

#include "attend/heads.hpp"
#include "attend/run.hpp"
#include "attention/scaled_dot_product.hpp"
#include "core/tensor.hpp"

namespace attnlab {

/// Projects the tokens: they, the weights, the biases and the projections become stages.
template <class T>
HeadTensors<T> add_projected_heads(AttendRun& run, const AttendInputs<T>& inputs);

/// The heads' vectors: cut from projections, or as they were given.
template <class T>
void add_heads(AttendRun& run, const HeadTensors<T>& heads, bool projected);

/// From the scores to the weights. With shared key heads the products are not NumPy's broadcasting, so
/// nothing is said of how they came about.
template <class T>
void add_attention(AttendRun& run, const AttentionStages<T>& stages, const std::optional<Tensor<T>>& mask);

/// The heads' results as they were given: per head, or joined and, with W_O, mixed.
template <class T>
void add_output(AttendRun& run, const AttendInputs<T>& inputs, const Tensor<T>& head_output, bool joins);

/// What must hold where the weights were kept: rows that read a key sum to 1, and streaming gives the same
/// output. `run` knows its rows and its precision.
template <class T>
std::vector<Invariant> attend_invariants(const AttendRun& run, const AttentionStages<T>& stages,
                                         const Tensor<T>& streamed);

}  // namespace attnlab
