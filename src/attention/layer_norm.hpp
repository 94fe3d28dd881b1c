// Layer normalisation: every token by itself gets mean 0 and variance 1; RMS normalisation: mean square 1.
#pragma once

#include <optional>

#include "core/tensor.hpp"

namespace attnlab {

/// What eps is added to under the root: the variance σ² (the definition), or the standard deviation σ (as the
/// slides print it; leaves another variance). For the lesson only.
enum class NormDivisor { variance, standard_deviation };

template <class T>
struct LayerNorm {
  T eps = T(1e-5);
  std::optional<Tensor<T>> gain = std::nullopt;  // (width), γ
  std::optional<Tensor<T>> bias = std::nullopt;  // (width), β
  NormDivisor divisor = NormDivisor::variance;
};

/// (x - mean) / sqrt(variance + eps) · γ + β along the last axis, variance with ddof 0; x (..., width).
/// Throws Error (usage) for an array without dimensions or a width of 0. Source: Ba et al. 2016, eq. 3;
/// slides, layer normalisation.
template <class T>
Tensor<T> layer_norm(const LayerNorm<T>& norm, const Tensor<T>& x);

/// x / sqrt(mean(x²) + eps) · γ over each stretch of the last axis that is as long as γ: the whole token, or
/// each of its heads (Qwen3's q_norm and k_norm). x (..., n · width), gain (width). Throws Error (usage) for
/// an array without dimensions or where the gain is no vector or its length does not divide the last axis.
/// Source: Zhang and Sennrich 2019, eq. 4.
template <class T>
Tensor<T> rms_norm(const Tensor<T>& x, const Tensor<T>& gain, T eps);

}  // namespace attnlab
