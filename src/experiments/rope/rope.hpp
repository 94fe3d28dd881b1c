// Rotary positions: pairs that turn, a score that knows the distance alone, and contexts longer than trained.
#pragma once

#include "attention/rotary_scaling.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// A head of width d = 2 * pairs: one query and one key, turned to p positions.
struct RopeRun {
  Tape tape;
  std::size_t width = 0;
  double base = 0.0;
  double length = 0.0;              // L, that was trained on
  std::size_t distance = 0;         // m - n, of the figures' marks
  Tensor<double> frequencies;       // (pairs) radians a position
  Tensor<double> wavelengths;       // (pairs) positions a turn
  Tensor<double> scores;            // (p, p) query at m, key at n
  Tensor<double> by_distance;       // (p) m - n = 0, 1, ...: pairs (i, i + d/2), as the weights were trained
  Tensor<double> confused;          // (p) the same weights with pairs (2i, 2i + 1)
  Tensor<double> reordered;         // (p) likewise, after their coordinates were put in that order
  double unturned = 0.0;            // the score without positions
  double deviation = 0.0;           // of scores with one m - n, largest, by the lengths of query and key
  std::vector<RotaryScaling> ways;  // default, linear, ntk, llama3, yarn: factor and length
  Tensor<double> scaled;            // (ways, pairs) frequencies
  Tensor<double> attention;         // (ways) attention factors

  std::size_t pairs() const { return frequencies.size(); }
  std::size_t unfinished() const;  // pairs whose wave is longer than L

  static RopeRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Scalar> scalars(const RopeRun& run);
std::vector<Invariant> invariants(const RopeRun& run);
std::vector<Block> body(const RopeRun& run, const std::vector<Stage>& stages);
/// turns, distance, wavelengths, scaling, pairings.
std::vector<Figure> figures(const RopeRun& run);

}  // namespace attnlab
