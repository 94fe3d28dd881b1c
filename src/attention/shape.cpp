#include "attention/shape.hpp"

#include "core/counted.hpp"
#include "core/error.hpp"

namespace attnlab {

std::string printed(const Shape& shape) {
  return fmt::format("({}{})", joined(shape, ", "), shape.size() == 1 ? "," : "");
}

std::size_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Shape batch_of(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() < b.size() ? b : a;
  const Shape& shorter = a.size() < b.size() ? a : b;
  Shape result = longer;
  const std::size_t missing = longer.size() - shorter.size();
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::size_t& size = result[missing + axis];
    if (size == 1) {
      size = shorter[axis];
    } else if (shorter[axis] != 1 && shorter[axis] != size) {
      return std::nullopt;
    }
  }
  return result;
}

std::vector<std::size_t> operand_matrices(const Shape& own, const Shape& batch) {
  std::vector<std::size_t> indices{0};
  std::size_t stride = element_count(own);
  const std::size_t missing = batch.size() - own.size();
  for (std::size_t axis = 0; axis < batch.size(); ++axis) {
    const std::size_t operand_size = axis < missing ? 1 : own[axis - missing];
    if (operand_size == 0 || batch[axis] == 0) return {};
    stride /= operand_size;
    const std::size_t served = batch[axis] / operand_size;
    std::vector<std::size_t> next;
    next.reserve(indices.size() * batch[axis]);
    for (const std::size_t index : indices) {
      for (std::size_t i = 0; i < batch[axis]; ++i) next.push_back(index + i / served * stride);
    }
    indices = std::move(next);
  }
  return indices;
}

std::optional<Shape> joined_heads(const Shape& of_query, Shape of_key) {
  if (!of_query.empty() && !of_key.empty() && of_key.back() > 0 && of_query.back() % of_key.back() == 0) {
    of_key.back() = of_query.back();
  }
  return broadcast(of_query, of_key);
}

namespace {

void require_two_dimensions(const Shape& shape, const Text& name) {
  if (shape.size() >= 2) return;
  refuse_usage(text("{}には 2 次元以上の配列が必要ですが、形状は {} です",
                    "{} needs two or more dimensions, got {}", name, printed(shape)),
               {"形状を (長さ, 次元) にしてください", "give it the shape (length, width)"});
}

}  // namespace

void require_matrices(const Shape& query, const Shape& key, const Shape& value) {
  require_two_dimensions(query, {"クエリ", "query"});
  require_two_dimensions(key, {"キー", "key"});
  require_two_dimensions(value, {"バリュー", "value"});
}

void require_one_value_per_key(const Shape& key, const Shape& value) {
  const std::size_t keys = key[key.size() - 2];
  const std::size_t values = value[value.size() - 2];
  if (keys == values) return;
  refuse_usage(text("キーが {} 個、バリューが {} 個あります", "got {} but {}", counted(keys, "key"),
                    counted(values, "value")),
               {"キー 1 個につきバリューを 1 個にしてください", "give one value for each key"});
}

Shape masked_shape(const Shape& scores, const Shape& mask) {
  const Shape matrix(scores.end() - 2, scores.end());  // (queries, keys)
  const std::optional<Shape> shape = broadcast(scores, mask);
  if (shape && std::equal(matrix.begin(), matrix.end(), shape->end() - 2)) return *shape;
  refuse_usage(
      text("形状 {} のマスクは形状 {} のスコアに足せません",
           "a mask of shape {} does not broadcast to scores of shape {}", printed(mask), printed(scores)),
      text("最後の 2 軸を (クエリ数, キー数) = {} か 1 にしてください",
           "make its last two axes (queries, keys) = {}, or 1", printed(matrix)));
}

}  // namespace attnlab
