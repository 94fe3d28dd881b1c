// Positions as rotations: the sinusoidal encoding that is added, and the rotary encoding that turns.
#pragma once

#include <cstddef>

#include "core/tensor.hpp"

namespace attnlab {

/// PE[p, 2i] = sin(p / base^(2i/width)), PE[p, 2i+1] = cos(p / base^(2i/width)); (positions, width).
/// An odd width ends with a sine alone. Here and below, throws Error (usage) unless 0 < base < infinity.
/// Source: Vaswani et al. 2017, section 3.5; article eq. 9 and 10.
Tensor<double> sinusoidal_encoding(std::size_t positions, std::size_t width, double base);

/// The matrix M with PE[p + offset] = PE[p] M for every p: one plane rotation per frequency, (width, width).
/// Throws Error (usage) for an odd width. Source: slides, "properties of the position representation".
Tensor<double> shift_matrix(long long offset, std::size_t width, double base);

/// Which coordinates rotate together: (0,1), (2,3), ... or (0, w/2), (1, w/2 + 1), ...
enum class RotaryPairing { interleaved, halves };

/// Turns each pair of x (..., positions, width) by position * base^(-2i/width); lengths are unchanged, and
/// q_m · k_n depends on m - n only. Throws Error (usage) for an odd width. Source: Su et al. 2021, eq. 34.
Tensor<double> rotary_encoding(const Tensor<double>& x, double base, RotaryPairing pairing);

}  // namespace attnlab
