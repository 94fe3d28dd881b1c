#include "attention/batches.hpp"

#include <utility>

namespace attnlab {

std::vector<std::size_t> operand_matrices(const Shape& own, const Shape& batch) {
  std::vector<std::size_t> indices{0};
  std::size_t stride = element_count(own);
  const std::size_t missing = batch.size() - own.size();
  for (std::size_t axis = 0; axis < batch.size(); ++axis) {
    const std::size_t own_size = axis < missing ? 1 : own[axis - missing];
    if (own_size == 0 || batch[axis] == 0) return {};
    stride /= own_size;
    const std::size_t served = batch[axis] / own_size;
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

}  // namespace attnlab
