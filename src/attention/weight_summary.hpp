// What a picture and a table need of the weights, gathered tile by tile: the weights themselves are never
// kept.
#pragma once

#include "attention/streaming/streaming_attention.hpp"

namespace attnlab {

/// How the weights under one cell of a smaller map become its number; in the order of --pool's words.
enum class Pool { maximum, mean };

/// A map of cell_rows x cell_columns for the weights of these queries and keys; one cell per weight when the
/// numbers are equal.
struct MapSize {
  KeyRange queries;
  KeyRange keys;
  std::size_t cell_rows = 0;
  std::size_t cell_columns = 0;
  Pool pool = Pool::maximum;
};

/// Means over the queries that read any key; NaN when none does. Places are counted from the end, so that
/// with Lq != Lk the last query stands beside the last key.
struct WeightStatistics {
  double entropy = 0.0;      // -sum p ln p, nats
  double largest = 0.0;      // the largest weight of a query
  double distance = 0.0;     // sum p |place of the query - place of the key|
  double on_first = 0.0;     // weight on key 0
  double on_own = 0.0;       // on the key at the query's own place: the diagonal
  double on_previous = 0.0;  // on the key before it
  std::size_t queries = 0;   // that were counted
};

struct WeightSummary {
  WeightStatistics statistics;  // of all queries and keys
  Tensor<double>
      map;  // (cell_rows, cell_columns); where no query of a row reads a key: what `masked_row` says
};

/// One flag per query of every matrix, in row-major order.
using RowFlags = std::vector<bool>;

/// The queries that a mask leaves no key to read.
template <class T>
RowFlags rows_that_read_nothing(const std::vector<RowState<T>>& rows);
/// The same of masked scores (..., queries, keys): those that are all -inf.
template <class T>
RowFlags rows_that_read_nothing(const Tensor<T>& masked);

/// One summary per matrix, in the order of the batch dimensions. `rows` is what streaming_attention returned
/// for the same query, key and options: a second pass over the scores makes the weights again.
template <class T>
std::vector<WeightSummary> summarise_weights(const Tensor<T>& query, const Tensor<T>& key,
                                             const ScoreOptions<T>& options,
                                             const std::vector<RowState<T>>& rows, const MapSize& size,
                                             MaskedRow masked_row = MaskedRow::nan,
                                             const ForEach& for_each = one_after_another);

/// The same of weights (..., queries, keys) that were kept; `alignment` says where the queries stand.
template <class T>
std::vector<WeightSummary> summarise_weights(const Tensor<T>& weights, const RowFlags& nothing_read,
                                             const MapSize& size, MaskedRow masked_row = MaskedRow::nan,
                                             CausalAlignment alignment = CausalAlignment::bottom_right);

}  // namespace attnlab
