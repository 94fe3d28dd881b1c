// A row of numbers, a register's width at a time: its sum, its largest, the exponentials of its scores.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "attention/exponential.hpp"

namespace attnlab {

/// The least number of whole registers' lanes that holds `count` numbers.
template <class T>
constexpr std::size_t whole_registers(std::size_t count) {
  constexpr std::size_t lanes = xsimd::batch<T>::size;
  return (count + lanes - 1) / lanes * lanes;
}

/// Every lane becomes all lanes joined: each with the one `half` of them further on, and so on by halves.
template <std::size_t half, class T, class Join, std::size_t... lane>
xsimd::batch<T> joined_by_halves(const xsimd::batch<T>& lanes, const Join& join,
                                 std::index_sequence<lane...> all) {
  using Register = typename xsimd::batch<T>::register_type;
  const Register own = lanes;
  const Register other = __builtin_shufflevector(own, own, ((lane + half) % sizeof...(lane))...);
  const xsimd::batch<T> both = join(lanes, xsimd::batch<T>(other));
  if constexpr (half > 1) {
    return joined_by_halves<half / 2>(both, join, all);
  } else {
    return both;
  }
}

/// All lanes of a register joined to one number.
template <class T, class Join>
T joined_lanes(const xsimd::batch<T>& lanes, const Join& join) {
  constexpr std::size_t count = xsimd::batch<T>::size;
  const auto all = joined_by_halves<count / 2>(lanes, join, std::make_index_sequence<count>());
  return typename xsimd::batch<T>::register_type(all)[0];
}

template <class T>
T sum_of_lanes(const xsimd::batch<T>& lanes) {
  return joined_lanes(lanes, [](const auto& one, const auto& other) { return one + other; });
}

/// Σ_i a_i b_i ...: over `count` products of one number of each array.
template <class T, class... More>
T sum_of_products(std::size_t count, const T* a, const More*... more) {
  using Batch = xsimd::batch<T>;
  Batch sums(T(0));
  std::size_t i = 0;
  for (; i + Batch::size <= count; i += Batch::size) {
    sums = sums + (Batch::load_unaligned(a + i) * ... * Batch::load_unaligned(more + i));
  }
  T sum = sum_of_lanes(sums);
  for (; i < count; ++i) sum += (a[i] * ... * more[i]);
  return sum;
}

/// The largest of `from` and the values. A NaN among them need not win.
template <class T>
T largest_of(T from, const T* values, std::size_t count) {
  using Batch = xsimd::batch<T>;
  Batch first(from);
  Batch second(from);
  std::size_t i = 0;
  for (; i + 2 * Batch::size <= count; i += 2 * Batch::size) {
    first = xsimd::max(first, Batch::load_unaligned(values + i));
    second = xsimd::max(second, Batch::load_unaligned(values + i + Batch::size));
  }
  const auto larger = [](const Batch& one, const Batch& other) { return xsimd::max(one, other); };
  T largest = joined_lanes(Batch(larger(first, second)), larger);
  for (; i < count; ++i) largest = std::max(largest, values[i]);
  return largest;
}

/// result_j = exp(x_j - c) of a row with x_j <= c, and their sum; `result` may be x.
template <class T>
T exp_of_nonpositive(const T* x, T c, std::size_t count, T* result) {
  using Batch = xsimd::batch<T>;
  Batch sums(T(0));
  std::size_t j = 0;
  for (; j + Batch::size <= count; j += Batch::size) {
    const Batch e = exponential(Batch(Batch::load_unaligned(x + j) - Batch(c)));
    e.store_unaligned(result + j);
    sums = sums + e;
  }
  if (j < count) {
    std::array<T, Batch::size> few{};
    few.fill(-std::numeric_limits<T>::infinity());
    for (std::size_t i = j; i < count; ++i) few[i - j] = x[i] - c;
    const Batch e = exponential(Batch(Batch::load_unaligned(few.data())));
    e.store_unaligned(few.data());
    std::copy_n(few.data(), count - j, result + j);
    sums = sums + e;
  }
  return sum_of_lanes(sums);
}

/// y_i = f(x_i, ...), a register at a time, the last few among zeros; y may be an x.
template <class T, class Function, class... Inputs>
void compute_lanes(std::size_t count, T* y, const Function& f, const Inputs*... x) {
  using Batch = xsimd::batch<T>;
  std::size_t i = 0;
  for (; i + Batch::size <= count; i += Batch::size)
    f(Batch::load_unaligned(x + i)...).store_unaligned(y + i);
  if (i == count) return;
  const auto few = [&](const T* from) {
    std::array<T, Batch::size> lanes{};
    std::copy_n(from + i, count - i, lanes.data());
    return Batch(Batch::load_unaligned(lanes.data()));
  };
  std::array<T, Batch::size> results{};
  f(few(x)...).store_unaligned(results.data());
  std::copy_n(results.data(), count - i, y + i);
}

}  // namespace attnlab
