// Layer normalisation and RMS normalisation of rows, and their gradients.
#pragma once

#include <vector>

#include "training/layers/linear.hpp"

namespace attnlab {

/// Mean 0 and variance 1 (Ba et al. 2016), or mean square 1 (Zhang and Sennrich 2019). In the order of
/// --norm-kind's words.
enum class NormKind { layer, rms };

struct NormPlaces {
  std::size_t gain = no_place;  // (width), γ
  std::size_t bias = no_place;  // (width), β; none of an RMS norm
};

/// What a norm keeps for its gradient.
template <class T>
struct KeptNorm {
  std::vector<T> normalised;  // (rows, width)
  std::vector<T> inverse;     // (rows): 1 / σ
};

/// y = n · γ + β with n = (x − mean) / σ, σ² = variance + eps (layer), or y = n · γ with n = x / √(mean x² +
/// eps) (rms). x and y (rows, width). attention/layer_norm.hpp on strided matrices.
template <class T>
void norm_forward(NormKind kind, ReadsVector<T> parameters, const NormPlaces& places, Reads<T> x,
                  KeptNorm<T>& kept, StridedMatrix<T> y);

/// With g = dy ∘ γ:
///   layer: dx = (g − mean(g) − n · mean(g ∘ n)) / σ,   rms: dx = (g − n · mean(g ∘ n)) / σ
///   dγ += Σ_rows dy ∘ n,   dβ += Σ_rows dy
/// The gradient is added to dx, where that of a residual connection may stand already.
template <class T>
void norm_backward(NormKind kind, ReadsVector<T> parameters, const NormPlaces& places,
                   const KeptNorm<T>& kept, Reads<T> dy, StridedMatrix<T> dx, T* gradient);

/// Added to the variance, as PyTorch does.
constexpr double norm_eps = 1e-5;

}  // namespace attnlab
