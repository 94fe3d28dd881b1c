// The numbers and shapes of a figure, written into the picture.
#pragma once

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Every matrix shows its numbers (two digits after the point, where its cells have none) and its shape; bars
/// show their values; the last finite point of a curve, and each of at most twelve points, says where it is.
Figure annotated(Figure figure);

}  // namespace attnlab
