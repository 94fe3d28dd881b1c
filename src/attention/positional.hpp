// Positions as rotations: the sinusoidal encoding that is added, and the rotary encoding that turns.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tensor.hpp"

namespace attnlab {

/// PE[p, 2i] = sin(p / base^(2i/width)), PE[p, 2i+1] = cos(p / base^(2i/width)); (positions, width).
/// An odd width ends with a sine alone. Here and below, throws Error (usage) unless 0 < base < infinity.
/// Source: Vaswani et al. 2017, section 3.5; article eq. 9 and 10.
Tensor<double> sinusoidal_encoding(std::size_t positions, std::size_t width, double base);

/// The matrix M with PE[p + offset] = PE[p] M for every p: one plane rotation per frequency, (width, width).
/// Throws Error (usage) for an odd width. Source: slides, "properties of the position representation".
Tensor<double> shift_matrix(long long offset, std::size_t width, double base);

/// Which coordinates rotate together: (0,1), (2,3), ... as in RoFormer and Meta's Llama, or (0, w/2),
/// (1, w/2 + 1), ... as in GPT-NeoX and Hugging Face's Llama.
enum class RotaryPairing { interleaved, halves };

/// Throws Error (usage) for an odd width.
void require_pairs(std::size_t width);

/// position · base^(-2i/width) for pair i of a width, for positions first, first + 1, ...; a position may be
/// negative. (positions, width / 2). Throws Error (usage) for an odd width. Source: Su et al. 2021, eq. 15.
Tensor<double> rotary_angles(long long first, std::size_t positions, std::size_t width, double base);

/// position · frequency of each pair (rotary_scaling.hpp), (positions, pairs).
Tensor<double> rotary_angles(long long first, std::size_t positions, const std::vector<double>& frequencies);

/// Turns each pair of the first 2 · pairs coordinates of x (..., positions, width) by its angle; the others
/// stay as they are (GPT-NeoX's partial rotary). angles (positions, pairs). Sines and cosines are those of
/// double, times the attention factor (RotaryTurns). Throws Error (usage) where x has other positions than
/// the angles, or is narrower than their pairs. Source: Su et al. 2021, eq. 34.
template <class T>
Tensor<T> rotated(Tensor<T> x, const Tensor<double>& angles, RotaryPairing pairing, double factor = 1.0);

/// The whole width turned, from position 0 on: lengths are unchanged, and q_m · k_n depends on m - n only.
/// Throws Error (usage) for an odd width.
Tensor<double> rotary_encoding(const Tensor<double>& x, double base, RotaryPairing pairing);

}  // namespace attnlab
