// exp(x) for x <= 0, a register at a time: softmax's exponential once the row's maximum is subtracted.
//
// The streaming kernel includes this once for each kind of vector unit, under a namespace of xsimd's of its
// own. All functions are templates of the register's type, so that those of different instructions have
// different names; nothing of the standard library is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

// NOLINTBEGIN(*-avoid-c-arrays)
namespace attnlab {

/// a b + c, rounded once where the unit can. xsimd 9 multiplies and adds on AVX-512.
template <class Lanes>
inline Lanes fused(const Lanes& a, const Lanes& b, const Lanes& c) {
#ifdef __AVX512F__
  if constexpr (sizeof(typename Lanes::value_type) == sizeof(float)) {
    return Lanes(_mm512_fmadd_ps(a, b, c));
  } else {
    return Lanes(_mm512_fmadd_pd(a, b, c));
  }
#else
  return xsimd::fma(a, b, c);
#endif
}

// 2ⁿ exp(r) with n = x / ln 2, rounded by adding a number so large that no fraction fits behind it; the sum's
// last bits are n. No register is ever converted.

template <class T>
struct Exponential;

template <>
struct Exponential<float> {
  using Bits = std::int32_t;
  static constexpr float round = 12582912.0F;  // 1.5 · 2^23
  static constexpr int fraction = 23;
  static constexpr Bits one = 0x3f800000;
  static constexpr float ln2_high = 0.693359375F;
  static constexpr float ln2_low = -2.12194440e-4F;
  static constexpr float least = -87.33654F;  // ln of the smallest normal number
  // Cephes' expf: exp(r) = 1 + r + r² p(r), |r| <= ln 2 / 2
  static constexpr std::size_t terms = 6;
  static constexpr float p[terms] = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
                                     4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};
};

template <>
struct Exponential<double> {
  using Bits = std::int64_t;
  static constexpr double round = 6755399441055744.0;  // 1.5 · 2^52
  static constexpr int fraction = 52;
  static constexpr Bits one = 0x3ff0000000000000;
  static constexpr double ln2_high = 6.93145751953125e-1;
  static constexpr double ln2_low = 1.42860682030941723212e-6;
  static constexpr double least = -708.39641853226408;
  // The polynomial that equals (exp(r) - 1 - r) / r² at the 10 Chebyshev nodes of |r| <= ln 2 / 2: within
  // 1e-17.
  static constexpr std::size_t terms = 10;
  static constexpr double p[terms] = {2.5100375832561234e-08, 2.7620075879983367e-07, 2.7557268480310024e-06,
                                      2.4801521322368692e-05, 1.9841269863040545e-04, 1.3888888917196719e-03,
                                      8.3333333333300650e-03, 4.1666666666624164e-02, 1.6666666666666669e-01,
                                      0.5000000000000001};
};

/// The same bits as another type of register.
template <class To, class From>
inline To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof to);
  return to;
}

/// p · 2ⁿ of exp(x) = 2ⁿ p, where `rounded` holds n in its last bits; 0 below the smallest normal number.
template <class Lanes>
inline Lanes scaled_by_power(const Lanes& p, const Lanes& n, const Lanes& rounded, const Lanes& x) {
  using T = typename Lanes::value_type;
  using E = Exponential<T>;
#ifdef __AVX512F__  // one instruction, which a comparison masks: what is not less is kept, NaN among it
  static_cast<void>(rounded);
  if constexpr (sizeof(T) == sizeof(float)) {
    const __mmask16 kept = _mm512_cmp_ps_mask(x, Lanes(E::least), _CMP_NLT_UQ);
    return Lanes(_mm512_maskz_scalef_ps(kept, p, n));
  } else {
    const __mmask8 kept = _mm512_cmp_pd_mask(x, Lanes(E::least), _CMP_NLT_UQ);
    return Lanes(_mm512_maskz_scalef_pd(kept, p, n));
  }
#else
  static_cast<void>(n);
  using Bits = xsimd::batch<typename E::Bits>;
  const Bits power = (same_bits<Bits>(rounded) << E::fraction) + Bits(E::one);
  return xsimd::select(x < Lanes(E::least), Lanes(T(0)), p * same_bits<Lanes>(power));
#endif
}

#ifdef __AVX512F__

/// 2^(j/32) for j = 0 ... 31, of whose bits j is taken away at the place where a shift by `shift` puts it.
struct RootsOfTwo {
  static constexpr std::size_t count = 32;
  static constexpr int shift = 18;  // 23 bits of the fraction less 5 of j
  alignas(64) std::int32_t bits[count];
};

constexpr RootsOfTwo make_roots_of_two() {
  RootsOfTwo roots{};
  double power = 1;
  for (std::size_t j = 0; j < RootsOfTwo::count; ++j, power *= 1.0218971486541166) {
    roots.bits[j] =
        __builtin_bit_cast(std::int32_t, static_cast<float>(power)) - (std::int32_t(j) << RootsOfTwo::shift);
  }
  return roots;
}

inline constexpr RootsOfTwo roots_of_two = make_roots_of_two();

/// 2^(n/32) exp(r) with |r| <= ln 2 / 64: the table stands in two registers, and two terms of the polynomial
/// are enough (Tang 1989). Of the multiplications, which the two products wait for, it needs half.
template <class Lanes>
inline Lanes exponential_by_table(const Lanes& x) {
  using E = Exponential<float>;
  using Powers = RootsOfTwo;
  const Lanes round(E::round / Powers::count);
  const Lanes rounded = fused(x, Lanes(1.44269504088896340736F), round);
  const Lanes n = rounded - round;
  Lanes r = fused(n, Lanes(-E::ln2_high), x);
  r = fused(n, Lanes(-E::ln2_low), r);
  // exp(r) - 1 = r + r²/2 + r³/6, whose last term is r h²/8 within h³/24 for |r| <= h (Chebyshev)
  const Lanes below_one = r * fused(r, Lanes(0.5F), Lanes(1.00001466F));
  const auto index = same_bits<__m512i>(rounded);
  const __m512i root = _mm512_permutex2var_epi32(_mm512_load_si512(roots_of_two.bits), index,
                                                 _mm512_load_si512(roots_of_two.bits + 16));
  const __m512 power = _mm512_castsi512_ps(_mm512_add_epi32(root, _mm512_slli_epi32(index, Powers::shift)));
  const __mmask16 kept = _mm512_cmp_ps_mask(x, Lanes(E::least), _CMP_NLT_UQ);
  return Lanes(_mm512_maskz_fmadd_ps(kept, power, below_one, power));
}

#endif

/// Within 2 units in the last place; 0 where exp(x) is below the smallest normal number, NaN for NaN.
template <class Lanes>
inline Lanes exponential(const Lanes& x) {
  using T = typename Lanes::value_type;
  using E = Exponential<T>;
#ifdef __AVX512F__
  if constexpr (sizeof(T) == sizeof(float)) return exponential_by_table(x);
#endif
  const Lanes rounded = fused(x, Lanes(T(1.44269504088896340736)), Lanes(E::round));
  const Lanes n = rounded - Lanes(E::round);
  Lanes r = fused(n, Lanes(-E::ln2_high), x);
  r = fused(n, Lanes(-E::ln2_low), r);
  const Lanes square = r * r;
  Lanes odd(E::p[0]);  // two chains, which the processor computes side by side
  Lanes even(E::p[1]);
#pragma GCC unroll 8
  for (std::size_t i = 2; i < E::terms; i += 2) {
    odd = fused(odd, square, Lanes(E::p[i]));
    even = fused(even, square, Lanes(E::p[i + 1]));
  }
  const Lanes p = fused(fused(odd, r, even), square, r) + Lanes(T(1));
  return scaled_by_power(p, n, rounded, x);
}

}  // namespace attnlab
// NOLINTEND(*-avoid-c-arrays)
