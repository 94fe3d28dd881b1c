#include "attention/operands.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace attnlab {

namespace {

void require_matrix(const Shape& shape, const std::string& ja, const std::string& en) {
  if (shape.size() >= 2) return;
  throw Error(ErrorKind::usage,
              Text(ja + "には 2 次元以上の配列が必要ですが、形状は " + printed(shape) + " です",
                   en + " needs two or more dimensions, got " + printed(shape)),
              Text("形状を (長さ, 次元) にしてください", "give it the shape (length, width)"));
}

}  // namespace

void require_matrices(const Shape& query, const Shape& key, const Shape& value) {
  require_matrix(query, "クエリ", "query");
  require_matrix(key, "キー", "key");
  require_matrix(value, "バリュー", "value");
}

void require_one_value_per_key(const Shape& key, const Shape& value) {
  const std::size_t keys = key[key.size() - 2];
  const std::size_t values = value[value.size() - 2];
  if (keys == values) return;
  throw Error(
      ErrorKind::usage,
      Text("キーが " + std::to_string(keys) + " 個、バリューが " + std::to_string(values) + " 個あります",
           "there are " + std::to_string(keys) + " keys but " + std::to_string(values) + " values"),
      Text("キー 1 個につきバリューを 1 個にしてください", "give one value for each key"));
}

Shape masked_shape(const Shape& scores, const Shape& mask) {
  const Shape matrix(scores.end() - 2, scores.end());  // (queries, keys)
  const std::optional<Shape> shape = broadcast(scores, mask);
  if (shape && std::equal(matrix.begin(), matrix.end(), shape->end() - 2)) return *shape;
  throw Error(
      ErrorKind::usage,
      Text("形状 " + printed(mask) + " のマスクは形状 " + printed(scores) + " のスコアに足せません",
           "a mask of shape " + printed(mask) + " does not broadcast to scores of shape " + printed(scores)),
      Text("最後の 2 軸を (クエリ数, キー数) = " + printed(matrix) + " か 1 にしてください",
           "make its last two axes (queries, keys) = " + printed(matrix) + ", or 1"));
}

}  // namespace attnlab
