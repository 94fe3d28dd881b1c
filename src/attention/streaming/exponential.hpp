// exp(x) for x <= 0 on whole vector registers: the streaming kernel's exponential.
//
// xsimd's own exp guards against arguments that cannot occur once the row's maximum is subtracted. For float
// the polynomial below (Cephes' expf) costs half of it, and the kernel gains 8 % of the machine's sgemm rate.
#pragma once

#include <cmath>
#include <xsimd/xsimd.hpp>

namespace attnlab {

/// The sum over the lanes of a register. xsimd calls it hadd up to version 8 and reduce_add since: the call
/// is looked up beside the register's type.
template <class Batch>
auto sum_of_lanes(const Batch& lanes) -> decltype(reduce_add(lanes)) {
  return reduce_add(lanes);
}
template <class Batch>
auto sum_of_lanes(const Batch& lanes) -> decltype(hadd(lanes)) {
  return hadd(lanes);
}

/// Within 2 units in the last place of exp(x) for x <= 0; 0 where exp(x) is below the smallest normal float,
/// NaN for NaN.
inline xsimd::batch<float> exp_of_nonpositive(const xsimd::batch<float>& x) {
  using Batch = xsimd::batch<float>;
  const Batch n = xsimd::nearbyint(x * Batch(1.44269504088896341F));  // exp(x) = 2ⁿ exp(r), |r| <= ln 2 / 2
  Batch r = xsimd::fma(n, Batch(-0.693359375F), x);                   // ln 2 in two parts
  r = xsimd::fma(n, Batch(2.12194440e-4F), r);
  Batch p = xsimd::fma(Batch(1.9875691500e-4F), r, Batch(1.3981999507e-3F));
  p = xsimd::fma(p, r, Batch(8.3334519073e-3F));
  p = xsimd::fma(p, r, Batch(4.1665795894e-2F));
  p = xsimd::fma(p, r, Batch(1.6666665459e-1F));
  p = xsimd::fma(p, r, Batch(5.0000001201e-1F));
  p = xsimd::fma(p, r * r, r) + Batch(1.0F);
  const Batch result = xsimd::ldexp(p, xsimd::to_int(n));
  return xsimd::select(x < Batch(-87.33654F), Batch(0.0F), result);
}

inline xsimd::batch<double> exp_of_nonpositive(const xsimd::batch<double>& x) {
  return xsimd::exp(x);
}

/// The remainder of a row, value by value: the same function on a register filled with one value.
template <class T>
T exp_of_nonpositive(T x) {
  return exp_of_nonpositive(xsimd::batch<T>(x)).get(0);
}

/// result_j = exp(x_j - c) of a row with x_j <= c.
template <class T>
void exp_of_nonpositive(const T* x, T c, std::size_t count, T* result) {
  using Batch = xsimd::batch<T>;
  std::size_t j = 0;
  for (; j + Batch::size <= count; j += Batch::size) {
    exp_of_nonpositive(Batch(Batch::load_unaligned(x + j) - c)).store_unaligned(result + j);
  }
  for (; j < count; ++j) result[j] = exp_of_nonpositive(x[j] - c);
}

}  // namespace attnlab
