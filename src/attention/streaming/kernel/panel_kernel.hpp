// The kernel's source, included once by each source that is compiled for one kind of vector unit.
//
// Inline functions of one name that are compiled with different instructions must not meet in one program:
// the linker would keep any one of them. So all here has internal linkage or a type of the target's in its
// name (exponential.hpp), xsimd's namespace gets the target's name, and nothing of the standard library is
// called.
#define xsimd ATTNLAB_XSIMD
#include <xsimd/xsimd.hpp>

#include "attention/exponential.hpp"
#include "attention/streaming/kernel/kernel.hpp"

// std::array's functions would be such inline functions.
// NOLINTBEGIN(*-avoid-c-arrays,misc-definitions-in-headers)
namespace attnlab {
namespace {

template <class T>
using Lanes = xsimd::batch<T>;

template <class T>
constexpr std::size_t lanes = Lanes<T>::size;
template <class T>
constexpr std::size_t panel_width = 2 * lanes<T>;

#ifdef __AVX512F__
constexpr std::size_t registers = 32;
#else
constexpr std::size_t registers = 16;
#endif

/// Rows of a product that are kept in registers, for a panel of one or two of them.
template <std::size_t V>
constexpr std::size_t most_rows = V == 2 && registers == 16 ? 6 : 12;

constexpr std::size_t fewer_rows(std::size_t rows) { return rows == 12 ? 8 : rows == 6 ? 4 : rows / 2; }

/// Asks for memory that will be read soon. A panel of few queries computes little with each key: it waits for
/// memory, and a processor by itself looks ahead too little.
template <class T>
inline void prefetch(const T* values, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 64 / sizeof(T)) __builtin_prefetch(values + i);
}

// --- The two products: R rows of the result and V registers of queries at once.

template <std::size_t V, std::size_t R, class T>
inline void score_rows(const T* query, const T* key, std::size_t width, T scale, T* scores) {
  Lanes<T> sums[R][V];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < V; ++v) sums[r][v] = Lanes<T>(T(0));
  }
  for (std::size_t d = 0; d < width; ++d) {
    Lanes<T> q[V];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < V; ++v)
      q[v] = Lanes<T>::load_aligned(query + d * panel_width<T> + v * lanes<T>);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < R; ++r) {
      const Lanes<T> k(key[r * width + d]);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < V; ++v) sums[r][v] = fused(q[v], k, sums[r][v]);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < V; ++v) {
      (sums[r][v] * Lanes<T>(scale)).store_aligned(scores + r * panel_width<T> + v * lanes<T>);
    }
  }
}

template <std::size_t V, std::size_t R, class T>
void all_scores(const T* query, const T* key, std::size_t keys, std::size_t width, T scale, T* scores) {
  std::size_t j = 0;
  for (; j + R <= keys; j += R) {
    if constexpr (V == 1) prefetch(key + (j + 2 * R) * width, R * width);
    score_rows<V, R>(query, key + j * width, width, scale, scores + j * panel_width<T>);
  }
  if constexpr (R > 1) {
    if (j < keys) {
      all_scores<V, fewer_rows(R)>(query, key + j * width, keys - j, width, scale,
                                   scores + j * panel_width<T>);
    }
  }
}

template <std::size_t V, std::size_t R, class T>
inline void value_rows(const T* exponentials, const T* value, std::size_t keys, std::size_t width,
                       const T* factor, T* output) {
  Lanes<T> sums[R][V];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < V; ++v) {
      sums[r][v] = Lanes<T>::load_aligned(output + r * panel_width<T> + v * lanes<T>) *
                   Lanes<T>::load_aligned(factor + v * lanes<T>);
    }
  }
  for (std::size_t j = 0; j < keys; ++j) {
    Lanes<T> p[V];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < V; ++v) {
      p[v] = Lanes<T>::load_aligned(exponentials + j * panel_width<T> + v * lanes<T>);
    }
#pragma GCC unroll 12
    for (std::size_t r = 0; r < R; ++r) {
      const Lanes<T> x(value[j * width + r]);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < V; ++v) sums[r][v] = fused(p[v], x, sums[r][v]);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < V; ++v) {
      sums[r][v].store_aligned(output + r * panel_width<T> + v * lanes<T>);
    }
  }
}

/// From column `first` of the values on.
template <std::size_t V, std::size_t R, class T>
void all_values(const T* exponentials, const T* value, std::size_t keys, std::size_t width, std::size_t first,
                const T* factor, T* output) {
  if constexpr (V == 1 && R == most_rows<1>) prefetch(value, keys * width);
  for (; first + R <= width; first += R) {
    value_rows<V, R>(exponentials, value + first, keys, width, factor, output + first * panel_width<T>);
  }
  if constexpr (R > 1) {
    if (first < width) {
      all_values<V, fewer_rows(R)>(exponentials, value, keys, width, first, factor, output);
    }
  }
}

/// Online softmax of one register of queries.
template <class T>
inline void take_lanes(T* scores, std::size_t keys, T* maximum, T* sum, T* factor) {
  constexpr std::size_t row = panel_width<T>;
  const Lanes<T> none(-static_cast<T>(__builtin_inf()));
  const Lanes<T> before = Lanes<T>::load_aligned(maximum);
  Lanes<T> largest = before;
  Lanes<T> second = before;
  std::size_t j = 0;
  for (; j + 4 <= keys; j += 4) {
    const T* from = scores + j * row;
    const Lanes<T> a = xsimd::max(Lanes<T>::load_aligned(from), Lanes<T>::load_aligned(from + row));
    const Lanes<T> b =
        xsimd::max(Lanes<T>::load_aligned(from + 2 * row), Lanes<T>::load_aligned(from + 3 * row));
    largest = xsimd::max(largest, a);
    second = xsimd::max(second, b);
  }
  for (; j < keys; ++j) largest = xsimd::max(largest, Lanes<T>::load_aligned(scores + j * row));
  largest = xsimd::max(largest, second);
  // -inf - -inf would be NaN: a query without readable keys so far is shifted by 0.
  const Lanes<T> shift = xsimd::select(largest == none, Lanes<T>(T(0)), largest);
  Lanes<T> total(T(0));
  for (j = 0; j < keys; ++j) {
    const Lanes<T> p = exponential(Lanes<T>::load_aligned(scores + j * row) - shift);
    p.store_aligned(scores + j * row);
    total = total + p;
  }
  const Lanes<T> shrink = exponential(before - shift);
  fused(Lanes<T>::load_aligned(sum), shrink, total).store_aligned(sum);
  shrink.store_aligned(factor);
  largest.store_aligned(maximum);
}

template <class T>
void scores_of(const T* query, const T* key, std::size_t keys, std::size_t width, std::size_t queries,
               T scale, T* scores) {
  if (queries > lanes<T>) {
    all_scores<2, most_rows<2>>(query, key, keys, width, scale, scores);
  } else {
    all_scores<1, most_rows<1>>(query, key, keys, width, scale, scores);
  }
}

template <class T>
void take_scores(T* scores, std::size_t keys, std::size_t queries, T* maximum, T* sum, T* factor) {
  for (std::size_t i = 0; i < queries; i += lanes<T>) {
    take_lanes(scores + i, keys, maximum + i, sum + i, factor + i);
  }
}

template <class T>
void add_values(const T* exponentials, const T* value, std::size_t keys, std::size_t width,
                std::size_t queries, const T* factor, T* output) {
  if (queries > lanes<T>) {
    all_values<2, most_rows<2>>(exponentials, value, keys, width, 0, factor, output);
  } else {
    all_values<1, most_rows<1>>(exponentials, value, keys, width, 0, factor, output);
  }
}

/// The second pass: the weights of one register of queries.
template <class T>
inline void weigh_lanes(T* scores, std::size_t keys, std::size_t first, const PanelRows<T>& rows,
                        const PanelSums<T>& sums) {
  const Lanes<T> zero(T(0));
  const Lanes<T> maximum = Lanes<T>::load_aligned(rows.maximum + first);
  const Lanes<T> shift = xsimd::select(maximum == Lanes<T>(-static_cast<T>(__builtin_inf())), zero, maximum);
  const Lanes<T> share = Lanes<T>(T(1)) / Lanes<T>::load_aligned(rows.sum + first);
  const Lanes<T> log_sum = Lanes<T>::load_aligned(rows.log_sum + first);
  Lanes<T> distance = Lanes<T>::load_aligned(rows.place + first);  // from the query back to the key
  Lanes<T> weight_log = zero;
  Lanes<T> far = zero;
  Lanes<T> largest = zero;
  for (std::size_t j = 0; j < keys; ++j) {
    T* from = scores + j * panel_width<T> + first;
    const Lanes<T> below = Lanes<T>::load_aligned(from) - shift;
    const Lanes<T> weight = exponential(below) * share;
    const Lanes<T> term = weight * (below - log_sum);
    weight_log = weight_log + xsimd::select(weight > zero, term, weight);  // 0 ln 0 = 0
    far = fused(weight, xsimd::abs(distance), far);
    largest = xsimd::select(largest > weight, largest, weight);
    distance = distance - Lanes<T>(T(1));
    weight.store_aligned(from);
  }
  weight_log.store_aligned(sums.weight_log + first);
  far.store_aligned(sums.distance + first);
  largest.store_aligned(sums.largest + first);
}

template <class T>
void weights_of(T* scores, std::size_t keys, std::size_t queries, const PanelRows<T>& rows,
                const PanelSums<T>& sums) {
  for (std::size_t i = 0; i < queries; i += lanes<T>) weigh_lanes(scores, keys, i, rows, sums);
}

// --- One query alone: lanes along the width, or along the keys

/// Of register r the sum of its lanes becomes sums[r].
template <std::size_t R, class T>
inline void sum_up(const Lanes<T> (&of)[R], T* sums) {
  alignas(64) T lane[R][lanes<T>];
  for (std::size_t r = 0; r < R; ++r) of[r].store_aligned(lane[r]);
  for (std::size_t half = lanes<T> / 2; half > 0; half /= 2) {
    for (std::size_t r = 0; r < R; ++r) {
      for (std::size_t i = 0; i < half; ++i) lane[r][i] += lane[r][i + half];
    }
  }
  for (std::size_t r = 0; r < R; ++r) sums[r] = lane[r][0];
}

template <std::size_t R, class T>
inline void dot_products(const T* query, const T* key, std::size_t width, T scale, T* scores) {
  Lanes<T> sums[R];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) sums[r] = Lanes<T>(T(0));
  std::size_t d = 0;
  for (; d + lanes<T> <= width; d += lanes<T>) {
    const Lanes<T> q = Lanes<T>::load_unaligned(query + d);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      sums[r] = fused(q, Lanes<T>::load_unaligned(key + r * width + d), sums[r]);
    }
  }
  T total[R];
  sum_up(sums, total);
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t i = d; i < width; ++i) total[r] += query[i] * key[r * width + i];
    scores[r] = total[r] * scale;
  }
}

template <class T>
void row_scores(const T* query, const T* key, std::size_t keys, std::size_t width, T scale, T* scores) {
  std::size_t j = 0;
  for (; j + 4 <= keys; j += 4) dot_products<4>(query, key + j * width, width, scale, scores + j);
  for (; j < keys; ++j) dot_products<1>(query, key + j * width, width, scale, scores + j);
  for (std::size_t i = 0; i < lanes<T>; ++i) scores[keys + i] = -static_cast<T>(__builtin_inf());
}

template <class T>
T row_take(T* scores, std::size_t keys, T* maximum, T* sum) {
  const T none = -static_cast<T>(__builtin_inf());
  Lanes<T> most(*maximum);
  for (std::size_t j = 0; j < keys; j += lanes<T>) {
    most = xsimd::max(most, Lanes<T>::load_unaligned(scores + j));
  }
  alignas(64) T lane[lanes<T>];
  most.store_aligned(lane);
  T largest = lane[0];
  for (std::size_t i = 1; i < lanes<T>; ++i) largest = lane[i] > largest ? lane[i] : largest;
  const T shift = largest == none ? T(0) : largest;
  Lanes<T> total[1] = {Lanes<T>(T(0))};
  for (std::size_t j = 0; j < keys; j += lanes<T>) {
    const Lanes<T> p = exponential(Lanes<T>::load_unaligned(scores + j) - Lanes<T>(shift));
    p.store_unaligned(scores + j);
    total[0] = total[0] + p;
  }
  exponential(Lanes<T>(*maximum - shift)).store_aligned(lane);
  const T factor = lane[0];
  T more;
  sum_up(total, &more);
  *sum = *sum * factor + more;
  *maximum = largest;
  return factor;
}

/// R registers of the output, from column `first` of the values on.
template <std::size_t R, class T>
inline std::size_t row_values(const T* exponentials, const T* value, std::size_t keys, std::size_t width,
                              std::size_t first, T factor, T* output) {
  for (; first + R * lanes<T> <= width; first += R * lanes<T>) {
    Lanes<T> sums[R];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) {
      sums[r] = Lanes<T>::load_unaligned(output + first + r * lanes<T>) * Lanes<T>(factor);
    }
    for (std::size_t j = 0; j < keys; ++j) {
      const Lanes<T> p(exponentials[j]);
      const T* from = value + j * width + first;
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) {
        sums[r] = fused(p, Lanes<T>::load_unaligned(from + r * lanes<T>), sums[r]);
      }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) sums[r].store_unaligned(output + first + r * lanes<T>);
  }
  return first;
}

template <class T>
void add_row_values(const T* exponentials, const T* value, std::size_t keys, std::size_t width, T factor,
                    T* output) {
  std::size_t first = row_values<8>(exponentials, value, keys, width, 0, factor, output);
  first = row_values<4>(exponentials, value, keys, width, first, factor, output);
  first = row_values<1>(exponentials, value, keys, width, first, factor, output);
  for (; first < width; ++first) {
    T sum = output[first] * factor;
    for (std::size_t j = 0; j < keys; ++j) sum += exponentials[j] * value[j * width + first];
    output[first] = sum;
  }
}

template <class T>
constexpr PanelKernel<T> kernel{panel_width<T>, scores_of<T>,
                                take_scores<T>, add_values<T>,
                                weights_of<T>,  {row_scores<T>, row_take<T>, add_row_values<T>}};

}  // namespace

template <class T>
const PanelKernel<T>& ATTNLAB_KERNEL() {
  return kernel<T>;
}

template const PanelKernel<float>& ATTNLAB_KERNEL();
template const PanelKernel<double>& ATTNLAB_KERNEL();

}  // namespace attnlab
// NOLINTEND(*-avoid-c-arrays,misc-definitions-in-headers)
