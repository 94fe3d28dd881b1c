// The masked scores Q Kᵀ · scale + M, tile by tile: never more of them in memory than one block of queries
// times one block of keys.
#pragma once

#include <cstdint>

#include "attention/masks.hpp"
#include "attention/shape.hpp"

namespace attnlab {

/// rows x columns values; row i begins at data + i * stride.
template <class T>
struct MatrixView {
  T* data;
  std::size_t rows;
  std::size_t columns;
  std::size_t stride;
};

template <class T>
struct ScoreOptions {
  std::optional<T> scale = std::nullopt;         // default 1 / sqrt(d_k)
  ReadableKeys readable = {};                    // costs no memory
  std::optional<Tensor<T>> mask = std::nullopt;  // additive; broadcasts to (..., queries, keys)
  /// Attention with linear biases (Press et al. 2022): minus slope times distance, one slope per head
  /// (the axis before the queries), a single one for all, or none.
  std::vector<T> slopes = {};
};

/// The slopes of Press et al. 2022: 2^(-8 h / heads) for h = 1, ..., heads; where `heads` is no power of two,
/// those of the next smaller power, then every other one of the next larger.
template <class T>
std::vector<T> alibi_slopes(std::size_t heads);

/// What those slopes add to the scores: (heads, queries, keys), all at once.
template <class T>
Tensor<T> alibi_bias(const std::vector<T>& slopes, std::size_t queries, std::size_t keys,
                     CausalAlignment alignment = CausalAlignment::bottom_right);

/// Queries and keys `begin` to `end - 1` of one matrix.
struct TilePlace {
  std::size_t matrix = 0;
  KeyRange queries;
  KeyRange keys;
};

/// Queries of one matrix that are worked on together; `first_row` counts the rows of all matrices.
struct QueryBlock {
  std::size_t matrix = 0;
  KeyRange queries;
  std::size_t first_row = 0;
};

// The queries of a block share each tile of keys while it lies in the cache; the scores of a panel of queries
// and a tile of keys stay in a core's first-level cache.
constexpr std::size_t queries_at_once = 256;
constexpr std::size_t keys_of_tile = 96;

/// The score of query i and key j of a place is data[i * query_step + j * key_step]; one of the steps is 1.
template <class T>
struct ScoreView {
  T* data;
  std::size_t query_step;
  std::size_t key_step;
};

/// Borrows query (..., queries, d_k), key (..., keys, d_k) and the options: all must outlive it. The batch
/// dimensions broadcast; the last of them, the heads, may also be fewer for the keys: each then serves
/// several heads of queries (grouped-query attention).
template <class T>
class ScoreTiles {
 public:
  /// Throws Error (usage) for shapes that do not fit, as scaled_dot_product_attention.
  ScoreTiles(const Tensor<T>& query, const Tensor<T>& key, const ScoreOptions<T>& options);

  const Shape& batch() const { return batch_; }
  std::size_t matrices() const { return query_matrix_.size(); }
  std::size_t queries() const { return queries_; }
  std::size_t keys() const { return keys_; }

  /// All queries of all matrices, block after block.
  std::vector<QueryBlock> blocks() const;

  /// Where a query stands among the keys, counted from the end; negative before the first.
  std::int64_t place_of(std::size_t query) const;

  /// From the first to the last key that any of the queries may read.
  KeyRange readable(KeyRange queries) const;

  /// Queries side by side: packed (d_k, panel), for the kernel.
  void pack(std::size_t matrix, KeyRange queries, std::size_t panel, T* packed) const;

  /// Makes products Q Kᵀ · scale masked scores: adds what is to be added, and hides keys with -inf.
  void mask(const TilePlace& place, const ScoreView<T>& scores) const;

  const T* query(std::size_t matrix, std::size_t query) const {
    return query_.data() + (query_matrix_[matrix] * queries_ + query) * width_;
  }
  const T* key(std::size_t matrix, std::size_t key) const {
    return key_.data() + (key_matrix_[matrix] * keys_ + key) * width_;
  }
  std::size_t width() const { return width_; }  // d_k
  T scale() const { return scale_; }

 private:
  void add_bias(const TilePlace& place, const ScoreView<T>& scores) const;
  void hide_keys(const TilePlace& place, const ScoreView<T>& scores) const;

  const Tensor<T>& query_;
  const Tensor<T>& key_;
  const ScoreOptions<T>& options_;
  T scale_;
  Shape batch_;
  std::size_t queries_ = 0;
  std::size_t keys_ = 0;
  std::size_t width_ = 0;
  std::vector<std::size_t> query_matrix_;
  std::vector<std::size_t> key_matrix_;
  std::vector<std::size_t> mask_matrix_;
};

}  // namespace attnlab
