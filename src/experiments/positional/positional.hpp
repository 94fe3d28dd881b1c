// The positional experiment: what one run measures about sines and rotations as positions.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

struct PositionalSettings {
  std::size_t positions = 50;
  std::size_t width = 64;
  double base = 10000.0;
  std::size_t offset = 5;  // k: how far a position is shifted
};

/// The two positions whose encodings lie nearest to each other.
struct ClosestPair {
  double distance = 0.0;
  std::size_t offset = 0;  // how many positions lie between them
};

/// One query and one key turned to every position, for one way to pair dimensions.
struct RotaryRun {
  Tensor<double> queries;      // (n, even_width)
  Tensor<double> keys;         // (n, even_width)
  Tensor<double> scores;       // (n, n)  query at m times key at n
  Tensor<double> by_distance;  // (2n - 1)  the scores of the first key, and of the first query
  double deviation = 0.0;      // of the scores of one distance from each other
};

/// n positions, width d. Of an odd width the last column, a sine without its cosine, is left out of whatever
/// is said about norms and rotations: `even_width` is d or d - 1.
struct PositionalRun {
  Tape tape;
  PositionalSettings settings;
  std::size_t even_width = 0;
  Tensor<double> encoding;  // (n, d)

  Tensor<double> squared_norm;  // (n)  even_width / 2 each
  double squared_norm_error = 0.0;
  ClosestPair closest;

  Tensor<double> similarity;       // (n, n)  r_m · r_n
  std::vector<std::size_t> rises;  // every k with r_0 · r_(k+1) > r_0 · r_k
  std::size_t least_similar = 0;   // the k of the smallest r_0 · r_k

  Tensor<double> shift;      // (even_width, even_width)  M with r_n M = r_(n+offset)
  double shift_error = 0.0;  // over all n positions
  // Projections that make scores of relative position only; an odd width's last row is 0 in both.
  Tensor<double> w_query;          // (d, even_width)  I
  Tensor<double> w_key;            // (d, even_width)  M
  Tensor<double> relative_scores;  // (n, n)  (r_m W_Q) · (r_n W_K)
  double relative_deviation = 0.0;
  std::size_t peaks = 0;  // of the n - offset queries m >= offset, those whose best key is m - offset

  Tensor<double> rotary_query;  // (even_width)  q, random
  Tensor<double> rotary_key;    // (even_width)  k, random
  RotaryRun interleaved;
  RotaryRun halves;
  Tensor<double> rotary_pairs;  // (2, 8)  which pair a dimension turns in, interleaved and halves, width 8

  bool is_odd() const { return settings.width != even_width; }
  double rotary_deviation() const { return std::max(interleaved.deviation, halves.deviation); }
  /// What every ‖r‖² should be.
  double half_width() const { return static_cast<double>(even_width) / 2.0; }

  static PositionalRun compute(const Arguments& arguments, const Context& context);
};

/// The first rows and columns of a matrix as a new array, (rows, columns).
Tensor<double> corner(const Tensor<double>& matrix, std::size_t rows, std::size_t columns);

std::vector<Scalar> scalars(const PositionalRun& run);
std::vector<Invariant> invariants(const PositionalRun& run);
std::vector<Block> body(const PositionalRun& run, const std::vector<Stage>& stages);
/// encoding (the article's), waves, similarity, rotation, relative, rotary.
std::vector<Figure> figures(const PositionalRun& run);

}  // namespace attnlab
