// Which queries and keys there are, and what the masks say of their scores.
#include "attention/streaming/score_tiles.hpp"

#include "core/error.hpp"

namespace attnlab {
namespace {

void require_matrices(const Shape& query, const Shape& key) {
  if (query.size() >= 2 && key.size() >= 2) return;
  refuse_usage(
      text("アテンションには 2 次元以上の配列が必要ですが、クエリの形状は {}、キーの形状は {} です",
           "attention needs two or more dimensions, got query {} and key {}", printed(query), printed(key)),
      {"形状を (長さ, 次元) にしてください", "give them the shape (length, width)"});
}

void require_one_width(const Shape& query, const Shape& key) {
  if (query.back() == key.back() && key.back() > 0 && key[key.size() - 2] > 0) return;
  refuse_usage(text("クエリとキーの内積がとれません (query {}, key {})",
                    "no dot product exists: query {}, key {}", printed(query), printed(key)),
               {"次元 1 以上の d_q = d_k とし、キーを 1 個以上与えてください",
                "make d_q = d_k, at least 1, and give at least one key"});
}

Shape score_batch(const Shape& query, const Shape& key) {
  const std::optional<Shape> batch = joined_heads(batch_of(query), batch_of(key));
  if (batch) return *batch;
  refuse_usage(
      text("クエリ {} とキー {} のバッチ次元はブロードキャストできません",
           "the batch dimensions of query {} and key {} do not broadcast", printed(query), printed(key)),
      {"バッチ次元は同じ大きさか 1 に、ヘッド数はキーの側をクエリの側の約数にしてください",
       "make each batch dimension equal or 1; the keys' heads may divide the queries'"});
}

Shape at_least_a_matrix(Shape shape) {
  while (shape.size() < 2) shape.insert(shape.begin(), 1);
  return shape;
}

template <class T>
void require_a_slope_per_head(const std::vector<T>& slopes, const Shape& batch) {
  const std::size_t heads = batch.empty() ? 1 : batch.back();
  if (slopes.size() <= 1 || slopes.size() == heads) return;
  refuse_usage(text("ALiBi の傾きが {} 個、ヘッドが {} 個あります", "there are {} ALiBi slopes for {} heads",
                    slopes.size(), heads),
               {"ヘッド 1 個につき傾きを 1 個与えてください", "give one slope for each head"});
}

std::size_t length(KeyRange range) { return range.end - range.begin; }

/// The scale of operands that have a dot product.
template <class T>
T checked_scale(const Tensor<T>& query, const Tensor<T>& key, const ScoreOptions<T>& options) {
  require_matrices(shape_of(query), shape_of(key));
  require_one_width(shape_of(query), shape_of(key));
  return options.scale.value_or(1 / std::sqrt(static_cast<T>(key.shape().back())));
}

/// Calls change(query, key, score) for all scores of a place, in the order in which they lie.
template <class T, class Change>
void for_each_score(const TilePlace& place, const ScoreView<T>& scores, const Change& change) {
  const auto at = [&](std::size_t i, std::size_t j) -> T& {
    return scores
        .data[(i - place.queries.begin) * scores.query_step + (j - place.keys.begin) * scores.key_step];
  };
  if (scores.query_step == 1) {
    for (std::size_t j = place.keys.begin; j < place.keys.end; ++j) {
      for (std::size_t i = place.queries.begin; i < place.queries.end; ++i) change(i, j, at(i, j));
    }
  } else {
    for (std::size_t i = place.queries.begin; i < place.queries.end; ++i) {
      for (std::size_t j = place.keys.begin; j < place.keys.end; ++j) change(i, j, at(i, j));
    }
  }
}

}  // namespace

template <class T>
std::vector<T> alibi_slopes(std::size_t heads) {
  std::size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  const auto slope = [](double h, double of) { return static_cast<T>(std::exp2(-8.0 * h / of)); };
  std::vector<T> slopes;
  for (std::size_t h = 1; h <= power; ++h) {
    slopes.push_back(slope(static_cast<double>(h), static_cast<double>(power)));
  }
  for (std::size_t h = 1; slopes.size() < heads; h += 2) {
    slopes.push_back(slope(static_cast<double>(h), static_cast<double>(2 * power)));
  }
  return slopes;
}

template <class T>
Tensor<T> alibi_bias(const std::vector<T>& slopes, std::size_t queries, std::size_t keys,
                     CausalAlignment alignment) {
  Tensor<T> bias = Tensor<T>::from_shape({slopes.size(), queries, keys});
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    for (std::size_t query = 0; query < queries; ++query) {
      const auto own = static_cast<T>(place_among_keys(query, queries, keys, alignment));
      for (std::size_t key = 0; key < keys; ++key) {
        bias(head, query, key) = -slopes[head] * std::abs(own - static_cast<T>(key));
      }
    }
  }
  return bias;
}

template <class T>
ScoreTiles<T>::ScoreTiles(const Tensor<T>& query, const Tensor<T>& key, const ScoreOptions<T>& options)
    : query_(query), key_(key), options_(options), scale_(checked_scale(query, key, options)) {
  const Shape query_shape = shape_of(query);
  const Shape key_shape = shape_of(key);
  queries_ = query_shape[query_shape.size() - 2];
  keys_ = key_shape[key_shape.size() - 2];
  width_ = key_shape.back();
  batch_ = score_batch(query_shape, key_shape);
  if (options.mask) {
    const Shape mask_shape = at_least_a_matrix(shape_of(*options.mask));
    Shape scores = batch_;
    scores.insert(scores.end(), {queries_, keys_});
    batch_ = batch_of(masked_shape(scores, mask_shape));
    mask_matrix_ = operand_matrices(batch_of(mask_shape), batch_);
  }
  require_a_slope_per_head(options.slopes, batch_);
  query_matrix_ = operand_matrices(batch_of(query_shape), batch_);
  key_matrix_ = operand_matrices(batch_of(key_shape), batch_);
}

template <class T>
std::vector<QueryBlock> ScoreTiles<T>::blocks() const {
  std::vector<QueryBlock> all;
  for (std::size_t matrix = 0; matrix < matrices(); ++matrix) {
    for (std::size_t begin = 0; begin < queries_; begin += queries_at_once) {
      const KeyRange queries{begin, std::min(begin + queries_at_once, queries_)};
      all.push_back({matrix, queries, matrix * queries_ + begin});
    }
  }
  return all;
}

template <class T>
std::int64_t ScoreTiles<T>::place_of(std::size_t query) const {
  return place_among_keys(query, queries_, keys_, options_.readable.alignment);
}

template <class T>
KeyRange ScoreTiles<T>::readable(KeyRange queries) const {
  KeyRange all{keys_, 0};
  for (std::size_t query = queries.begin; query < queries.end; ++query) {
    const KeyRange own = readable_by(options_.readable, query, queries_, keys_);
    if (own.begin == own.end) continue;
    all.begin = std::min(all.begin, own.begin);
    all.end = std::max(all.end, own.end);
  }
  return all.begin < all.end ? all : KeyRange{};
}

template <class T>
void ScoreTiles<T>::pack(std::size_t matrix, KeyRange queries, std::size_t panel, T* packed) const {
  for (std::size_t i = queries.begin; i < queries.end; ++i) {
    const T* row = query(matrix, i);
    for (std::size_t d = 0; d < width_; ++d) packed[d * panel + i - queries.begin] = row[d];
  }
}

template <class T>
void ScoreTiles<T>::mask(const TilePlace& place, const ScoreView<T>& scores) const {
  add_bias(place, scores);  // + M
  hide_keys(place, scores);
}

template <class T>
void ScoreTiles<T>::add_bias(const TilePlace& place, const ScoreView<T>& scores) const {
  if (!options_.slopes.empty()) {
    const T slope = options_.slopes[place.matrix % options_.slopes.size()];
    for_each_score(place, scores, [&](std::size_t i, std::size_t j, T& score) {
      score -= slope * std::abs(static_cast<T>(place_of(i)) - static_cast<T>(j));
    });
  }
  if (options_.mask) {
    const Tensor<T>& mask = *options_.mask;
    const Shape shape = at_least_a_matrix(shape_of(mask));
    const std::size_t rows = shape[shape.size() - 2];
    const std::size_t columns = shape.back();
    const T* matrix = mask.data() + mask_matrix_[place.matrix] * rows * columns;
    const std::size_t row_step = rows == 1 ? 0 : columns;
    const std::size_t column_step = columns == 1 ? 0 : 1;
    for_each_score(place, scores, [&](std::size_t i, std::size_t j, T& score) {
      const T bias = matrix[i * row_step + j * column_step];
      score = bias == -std::numeric_limits<T>::infinity() ? bias : score + bias;  // NaN, too, is hidden
    });
  }
}

template <class T>
void ScoreTiles<T>::hide_keys(const TilePlace& place, const ScoreView<T>& scores) const {
  // Neither end of what a query reads moves back with the queries: what the first and the last read, all
  // read.
  const auto reads_all = [&](std::size_t query) {
    const KeyRange own = readable_by(options_.readable, query, queries_, keys_);
    return own.begin <= place.keys.begin && place.keys.end <= own.end;
  };
  if (reads_all(place.queries.begin) && reads_all(place.queries.end - 1)) return;
  for (std::size_t i = place.queries.begin; i < place.queries.end; ++i) {
    const KeyRange own = readable_by(options_.readable, i, queries_, keys_);
    const auto column = [&](std::size_t key) {
      return std::clamp(key, place.keys.begin, place.keys.end) - place.keys.begin;
    };
    T* row = scores.data + (i - place.queries.begin) * scores.query_step;
    const auto hide = [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        row[j * scores.key_step] = -std::numeric_limits<T>::infinity();
      }
    };
    hide(0, column(own.begin));
    hide(column(own.end), length(place.keys));
  }
}

template std::vector<float> alibi_slopes(std::size_t);
template std::vector<double> alibi_slopes(std::size_t);
template class ScoreTiles<float>;
template class ScoreTiles<double>;
template Tensor<float> alibi_bias(const std::vector<float>&, std::size_t, std::size_t, CausalAlignment);
template Tensor<double> alibi_bias(const std::vector<double>&, std::size_t, std::size_t, CausalAlignment);

}  // namespace attnlab
