// The positional experiment in parts: what it measures, and the figures that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/formula.hpp"
#include "core/tensor.hpp"
#include "experiments/framework/random_stream.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

struct PositionalSettings {
  std::size_t positions = 50;
  std::size_t width = 64;
  double base = 10000.0;
  std::size_t offset = 5;  // k: how far a position is shifted
  std::uint32_t seed = 0;  // of the random query and key for the rotary encoding
};

/// The two positions whose encodings lie nearest to each other.
struct ClosestPair {
  double distance = 0.0;
  std::size_t offset = 0;  // how many positions lie between them
};

/// n positions, width d. Of an odd width the last column, a sine without its cosine, is left out of whatever
/// is said about norms and rotations: `even_width` is d or d - 1.
struct PositionalRun {
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
  Tensor<double> relative_query;   // (n, even_width)  r_m W_Q
  Tensor<double> relative_key;     // (n, even_width)  r_n W_K
  Tensor<double> relative_scores;  // (n, n)  (r_m W_Q) · (r_n W_K)
  double relative_deviation = 0.0;
  std::size_t peaks = 0;  // of the n - offset queries m >= offset, those whose best key is m - offset

  Tensor<double> rotary_query;        // (even_width)  q, random
  Tensor<double> rotary_key;          // (even_width)  k, random
  Tensor<double> rotary_distance;     // (2n - 1)  m - n
  Tensor<double> rotary_interleaved;  // (2n - 1)  rotated q at m times rotated k at n
  Tensor<double> rotary_halves;       // (2n - 1)
  double rotary_deviation = 0.0;
  Tensor<double> rotary_pairs;  // (2, 8)  which pair a dimension turns in, interleaved and halves, width 8
};

/// settings.positions and width at least 2; `random` gives the rotary query and key. Source: article eq. 9
/// and 10; slides, "properties of the position representation".
PositionalRun measure_positions(const PositionalSettings& settings, RandomStream random);

// --- The report -------------------------------------------------------------------------------------------

Formula similarity_formula();  // r_m · r_n
Formula shift_formula();       // r_n M = r_(n+k)
Formula relative_formula();    // r_m W_Q · r_n W_K

std::vector<Stage> positional_trace(const PositionalRun& run);
std::vector<Scalar> positional_scalars(const PositionalRun& run);
std::vector<Invariant> positional_invariants(const PositionalRun& run);
std::vector<Block> positional_body(const PositionalRun& run);

// --- The figures ------------------------------------------------------------------------------------------

Axis linear_axis(Text label);
/// "50 positions, 64 dimensions, base 10000."
Text size_and_base(const PositionalSettings& settings);

Figure positional_encoding_figure(const PositionalRun& run);  // the article's
Figure positional_waves_figure(const PositionalRun& run);
Figure positional_similarity_figure(const PositionalRun& run);
Figure positional_rotation_figure(const PositionalRun& run);
Figure positional_relative_figure(const PositionalRun& run);
Figure positional_rotary_figure(const PositionalRun& run);

/// All of them in this order.
std::vector<Figure> positional_figures(const PositionalRun& run);

}  // namespace attnlab
