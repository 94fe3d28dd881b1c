// Layer normalisation and RMS normalisation of rows, and their gradients.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// Mean 0 and variance 1 (Ba et al. 2016), or mean square 1 (Zhang and Sennrich 2019). In the order of
/// --norm-kind's words.
enum class NormKind { layer, rms };

/// y = n · γ + β with n = (x − mean) / σ, σ² = variance + eps (layer), or y = n · γ with n = x / √(mean x² +
/// eps) (rms, without bias: bias is not read). x, y and normalised (rows, width), inverse (rows): 1 / σ.
/// attention/layer_norm.hpp on strided matrices; normalised and inverse are kept for the gradient.
template <class T>
void norm_forward(NormKind kind, Reads<T> x, ReadsVector<T> gain, ReadsVector<T> bias,
                  StridedMatrix<T> normalised, T* inverse, StridedMatrix<T> y);

/// With g = dy ∘ γ:
///   layer: dx = (g − mean(g) − n · mean(g ∘ n)) / σ,   rms: dx = (g − n · mean(g ∘ n)) / σ
///   dγ += Σ_rows dy ∘ n,   dβ += Σ_rows dy
/// The gradient is added to dx, where that of a residual connection may stand already.
template <class T>
void norm_backward(NormKind kind, Reads<T> normalised, ReadsVector<T> inverse, ReadsVector<T> gain,
                   Reads<T> dy, StridedMatrix<T> dx, T* dgain, T* dbias);

/// Added to the variance, as PyTorch does.
constexpr double norm_eps = 1e-5;

}  // namespace attnlab
