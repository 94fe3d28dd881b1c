#include "attention/hidden_values.hpp"

#include <xtensor/xbroadcast.hpp>

#include "attention/matmul.hpp"
#include "attention/shape.hpp"

namespace attnlab {

template <class T>
Tensor<T> visible_product(const Tensor<T>& weights, const Tensor<T>& masked_scores, const Tensor<T>& value) {
  if (all_finite(value)) return matmul(weights, value);
  Tensor<T> output = matmul(weights, finite_part(value));
  const std::size_t queries = weights.shape()[weights.dimension() - 2];
  const std::size_t keys = weights.shape().back();
  const std::size_t width = value.shape().back();
  const Shape batch = batch_of(shape_of(output));
  const std::vector<std::size_t> weight_matrix = operand_matrices(batch_of(shape_of(weights)), batch);
  const std::vector<std::size_t> value_matrix = operand_matrices(batch_of(shape_of(value)), batch);
  for (std::size_t matrix = 0; matrix < value_matrix.size(); ++matrix) {
    const T* values = value.data() + value_matrix[matrix] * keys * width;
    const std::vector<std::size_t> odd = odd_rows(values, keys, width);
    for (std::size_t query = 0; query < queries; ++query) {
      const std::size_t row = (weight_matrix[matrix] * queries + query) * keys;
      const auto weight_on = [&](std::size_t key) -> std::optional<T> {
        const T weight = weights.flat(row + key);
        const bool is_hidden =
            weight == T(0) && masked_scores.flat(row + key) == -std::numeric_limits<T>::infinity();
        return is_hidden ? std::nullopt : std::optional<T>(weight);
      };
      add_odd_values(odd, values, width, weight_on, output.data() + (matrix * queries + query) * width);
    }
  }
  return output;
}

template <class T>
Tensor<T> hide_scores(Tensor<T> masked_scores, const Tensor<T>& mask) {
  const T hidden = -std::numeric_limits<T>::infinity();
  const Tensor<T> repeated = xt::broadcast(mask, masked_scores.shape());
  for (std::size_t i = 0; i < masked_scores.size(); ++i)
    if (repeated.flat(i) == hidden) masked_scores.flat(i) = hidden;
  return masked_scores;
}

template Tensor<float> visible_product(const Tensor<float>&, const Tensor<float>&, const Tensor<float>&);
template Tensor<double> visible_product(const Tensor<double>&, const Tensor<double>&, const Tensor<double>&);
template Tensor<float> hide_scores(Tensor<float>, const Tensor<float>&);
template Tensor<double> hide_scores(Tensor<double>, const Tensor<double>&);

}  // namespace attnlab
