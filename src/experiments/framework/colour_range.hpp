// Which numbers stand at the two ends of a colour scale, and whether a chosen range hides the data.
#pragma once

#include "core/tensor.hpp"
#include "core/text.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// From the smallest to the largest finite value; a single value gets half a unit on either side, and 0..1
/// stands in when nothing is finite.
Interval data_range(const Tensor<double>& values);

/// Red and blue around zero, equally far to both sides.
ColourScale signed_scale(const Tensor<double>& values);

/// "0.235～0.268", "0.235 to 0.268": how captions and notes write a range.
Text range_text(const Interval& range);

}  // namespace attnlab
