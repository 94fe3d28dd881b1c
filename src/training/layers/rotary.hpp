// Rotary positions: every pair of coordinates of a query or key is turned by an angle that grows with its
// place.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// The sines and cosines of rotary_angles() (attention/positional.hpp).
template <class T>
struct Turns {
  StridedMatrix<const T> sine;    // (places, width / 2)
  StridedMatrix<const T> cosine;  // (places, width / 2)
};

/// Turns the pairs (2i, 2i + 1) of x (tokens, width), in place: rotated() with interleaved pairs.
template <class T>
void rotary_forward(const Turns<T>& turns, StridedMatrix<T> x);

/// The gradient of a rotation is the rotation back.
template <class T>
void rotary_backward(const Turns<T>& turns, StridedMatrix<T> dx);

}  // namespace attnlab
