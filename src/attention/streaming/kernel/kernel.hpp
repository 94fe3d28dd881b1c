// The inner loops of attention, once for each kind of vector unit: SSE2, AVX2 with FMA and AVX-512 in one
// program, which takes the best that the processor has when it starts.
//
// The lanes of a register are queries. A panel is two registers' width of queries, laid side by side; each
// key and each value is one number that all of them multiply:
//
//              queries of a panel →                       queries of a panel →
//            ┌──────────────────┐                       ┌──────────────────┐
//    width ↓ │        Qᵀ        │                keys ↓ │        Pᵀ        │
//            └──────────────────┘                       └──────────────────┘
//   ┌──────┐ ┌──────────────────┐             ┌──────┐  ┌──────────────────┐
//   │  K   │ │   Sᵀ = K Qᵀ      │             │  Vᵀ  │  │  Oᵀ += Vᵀ Pᵀ     │
//   └──────┘ └──────────────────┘             └──────┘  └──────────────────┘
//    keys ↓   keys ↓                           d_v ↓     d_v ↓
//
// So keys and values are read as they lie in memory: nothing of them is packed or copied, and heads that
// share them find them in the cache. Softmax runs down the columns: the maximum and the sum of 8 or 16
// queries are one register, without a sum across its lanes. Between the two products the tile of scores
// stays in the first-level cache. In both a block of 6 (or 12) rows of the result stays in registers.
//
// Every query is computed as if it were alone: its bits do not depend on the panel that it lies in.
//
// Source: Milakov and Gimelshein 2018, algorithm 3 (the running maximum and sum); Dao et al. 2022,
// algorithm 1 (tiles of queries and keys).
#pragma once

#include <cstddef>

namespace attnlab {

/// From the slowest to the fastest. `baseline` is SSE2 on x86-64, and elsewhere what the compiler is told.
enum class SimdTarget { baseline, avx2, avx512 };

/// Of each query of a panel: what turns its scores into weights, and its place counted from the first key.
template <class T>
struct PanelRows {
  const T* maximum;
  const T* sum;
  const T* log_sum;
  const T* place;
};

/// Of each query of a panel, over some keys. Of a row of NaN all three are NaN.
template <class T>
struct PanelSums {
  T* weight_log;  // sum of w ln w
  T* distance;    // sum of w |place - key|
  T* largest;
};

/// The steps of one query alone, whose lanes run along a key: what decoding is made of, one query for all
/// keys, waits for memory, and a panel would compute for lanes that hold nothing.
template <class T>
struct RowKernel {
  /// scores (keys) = scale · K q. query (width), key (keys, width). A register's width of scores behind them
  /// is written, too, as -inf.
  void (*scores)(const T* query, const T* key, std::size_t keys, std::size_t width, T scale, T* scores);

  /// As PanelKernel::take; scores as RowKernel::scores leaves them. Returns the factor.
  T (*take)(T* scores, std::size_t keys, T* maximum, T* sum);

  /// output (width) = factor · output + Vᵀ p. exponentials (keys), value (keys, width).
  void (*add_values)(const T* exponentials, const T* value, std::size_t keys, std::size_t width, T factor,
                     T* output);
};

/// The steps of a panel. Every pointer into a panel is aligned to 64 bytes; `queries` of the panel are in
/// use.
template <class T>
struct PanelKernel {
  std::size_t panel;  // queries side by side

  /// scores (keys, panel) = scale · K Qᵀ. query (width, panel), key (keys, width).
  void (*scores)(const T* query, const T* key, std::size_t keys, std::size_t width, std::size_t queries,
                 T scale, T* scores);

  /// Replaces scores (keys, panel) by exp(score - new maximum), and brings maximum, sum and factor (panel) up
  /// to date: factor = exp(old maximum - new maximum).
  void (*take)(T* scores, std::size_t keys, std::size_t queries, T* maximum, T* sum, T* factor);

  /// output (width, panel) = factor · output + Vᵀ P. exponentials (keys, panel), value (keys, width).
  void (*add_values)(const T* exponentials, const T* value, std::size_t keys, std::size_t width,
                     std::size_t queries, const T* factor, T* output);

  /// Replaces scores (keys, panel) of complete rows by weights, and tells what they sum to.
  void (*weights)(T* scores, std::size_t keys, std::size_t queries, const PanelRows<T>& rows,
                  const PanelSums<T>& sums);

  RowKernel<T> row;
};

template <class T>
const PanelKernel<T>& panel_kernel(SimdTarget target);

/// What this processor can run, the best last.
const char* name_of(SimdTarget target);
bool can_run(SimdTarget target);

/// The best target, or what the environment's ATTNLAB_SIMD names. Throws Error (usage) where that is no
/// target or one that this processor cannot run.
SimdTarget simd_target();

// One per source that is compiled for a target of its own.
template <class T>
const PanelKernel<T>& baseline_kernel();
template <class T>
const PanelKernel<T>& avx2_kernel();
template <class T>
const PanelKernel<T>& avx512_kernel();

}  // namespace attnlab
