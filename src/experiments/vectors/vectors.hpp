// Dot-product attention in the plane: ten unit vectors, a query, and the weights that they get.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// Several queries at unit length, their angles in degrees, and what they attend to.
struct RequestedQueries {
  std::vector<double> degrees;  // (m)
  Tensor<double> queries;       // (m, 2)
  AttentionStages<double> attention;
};

/// The effect of `length` on the weight that the first query gives to vector `index`.
struct WeightChange {
  std::size_t index = 0;
  double before = 0.0;
  double after = 0.0;
};

/// The same keys and values but for one of another length.
struct Lengthened {
  double length = 1.0;
  Tensor<double> vectors;  // (n, 2)
  AttentionStages<double> attention;
  WeightChange change;
  std::optional<WeightChange> opposite;  // a vector on the query's other side, lengthened instead
};

/// n keys = values at unit length around the circle.
struct VectorsRun {
  Tape tape;
  Tensor<double> vectors;       // (n, 2)
  std::optional<double> scale;  // as in AttentionOptions
  RequestedQueries requested;   // what the user asked: the arrays of the report
  RequestedQueries
      several;  // the same if --queries is given, else the first with 0 and 90 degrees (code 2.2.4)
  std::optional<Lengthened> lengthened;

  static VectorsRun compute(const Arguments& arguments, const Context& context);
};

/// How far the user's own vectors may be from length 1: as float32 files round them.
constexpr double longest_error_of_own = 1e-6;

/// The angle of vector `index`, in degrees from 0 to 360.
double degrees_of(const VectorsRun& run, std::size_t index);

/// The key with the largest weight in that row of weights (m, n); the first one on a tie.
std::size_t largest_key(const Tensor<double>& weights, std::size_t query);

/// All keys that share the largest weight up to rounding, in order; two when the query lies between them.
std::vector<std::size_t> largest_keys(const Tensor<double>& weights, std::size_t query);

/// What that row of weights sums to.
double row_sum(const Tensor<double>& weights, std::size_t query);

/// What multiplies the scores before softmax.
double scale_factor(const VectorsRun& run);

/// scores before softmax as they are scaled in this run: QKᵀ, QKᵀ/√d or s QKᵀ.
Formula scores_formula(const VectorsRun& run, const Formula& query);

std::vector<Invariant> invariants(const VectorsRun& run);
std::vector<Block> body(const VectorsRun& run, const std::vector<Stage>& stages);
/// arrows, bars, matrix, idea, long, queries. Without a lengthened vector there is no `long`; `matrix` and
/// `queries` are left out when their cells would be too small to see.
std::vector<Figure> figures(const VectorsRun& run);

constexpr std::size_t most_matrix_keys = 32;
constexpr std::size_t most_matrix_queries = 16;
bool fits_matrix_figures(const VectorsRun& run);

/// The angles of these keys: "36° と 72°" / "36° and 72°"; above two only how many they are.
Text angles_text(const VectorsRun& run, const std::vector<std::size_t>& keys);

}  // namespace attnlab
