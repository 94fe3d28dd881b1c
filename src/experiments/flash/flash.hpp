// Flash attention: one row of softmax, tile by tile, and how many numbers need not move.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// One query over n keys in t tiles; and numbers moved to and from slow memory for one head, by length.
struct FlashRun {
  Tape tape;
  std::size_t tile = 1;        // keys in a tile
  std::size_t shown = 0;       // tiles that the figure has read
  Tensor<double> masked;       // (n) scores, -inf where masked
  Tensor<double> plain;        // (width) softmax over the whole row, times V
  Tensor<double> maximum;      // (t) of the scores so far
  Tensor<double> factor;       // (t) exp(maximum before - maximum)
  Tensor<double> sum;          // (t) of exp(score - maximum) so far
  Tensor<double> outputs;      // (t, width) after each tile
  Tensor<double> without;      // (width) the last output where the factors are left out
  double ulps = 0.0;           // |last output - plain|, in units of the largest value's last place
  std::size_t head_width = 0;  // d
  std::size_t block = 0;       // B queries that fast memory holds at once
  Tensor<double> length;       // (lengths) N = 64, 128, ...
  Tensor<double> moved_plain;  // (lengths)
  Tensor<double> moved_tiles;  // (lengths)

  std::size_t tiles() const { return maximum.size(); }
  /// Whether the tile raises the maximum of what was read before, which is then multiplied by its factor.
  bool rises_at(std::size_t tile) const;
  std::size_t rescalings() const;  // tiles that do
  double ratio() const { return moved_plain.back() / moved_tiles.back(); }
  /// The whole ulps within which the output is the plain one: no kernel of BLAS changes them.
  double within_ulps() const { return std::ceil(std::max(ulps, 1.0)); }

  static FlashRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Scalar> scalars(const FlashRun& run);
std::vector<Invariant> invariants(const FlashRun& run);
std::vector<Block> body(const FlashRun& run, const std::vector<Stage>& stages);
/// tiles, rescaling, traffic.
std::vector<Figure> figures(const FlashRun& run);

}  // namespace attnlab
