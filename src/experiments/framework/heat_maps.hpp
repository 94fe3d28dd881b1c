// What heat maps share: which numbers stand at the two ends of their colours, and the names and the page of
// one square map per head.
#pragma once

#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// The smallest and the largest finite value; 0 to 1 where there is none.
Interval extremes(const Tensor<double>& values);

/// From the smallest to the largest finite value; a single value gets half a unit on either side, and 0..1
/// stands in when nothing is finite.
Interval data_range(const Tensor<double>& values);

/// Red and blue around zero, equally far to both sides.
ColourScale signed_scale(const Tensor<double>& values);

/// "0.235～0.268", "0.235 to 0.268": how captions and notes write a range.
Text range_text(const Interval& range);

/// "L1 H0" for head 0 of layer 1, counted from 0: short enough above one of many maps.
Text head_of_layer(std::size_t layer, std::size_t head);

/// What a caption adds where heads are named so.
Text note_on_heads_of_layers();

/// What a caption adds for the marks of hidden cells, of which some are drawn: strokes through weights of 0,
/// frames around what leaks.
Text note_on_hidden(const Figure& figure);

/// "(4, 8) ±1.9" below a matrix: its shape, and the range of its colours; signed: red and blue around zero.
MatrixTerm coloured_term(std::string id, std::string_view name, const Tensor<double>& values,
                         const ColourScale& scale);
MatrixTerm signed_term(std::string id, std::string_view name, const Tensor<double>& values);

/// What stands between Q Kᵀ and the scores under --scale: / √d =, = or × 2.5 =.
OperatorTerm scaling_between(const std::string& scale);

/// How many maps stand in a row: up to four; of more a block without holes where their number allows it, as
/// 8 = 4 x 2 and 32 = 8 x 4.
std::size_t columns_of_maps(std::size_t maps);

/// Room for `maps` square maps in such rows.
PageSize page_for_maps(std::size_t maps);

}  // namespace attnlab
