// From tensors to the plain arrays and matrices that reports and figures carry.
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {

template <class T>
Array to_array(const Tensor<T>& tensor, std::vector<std::string> axes) {
  if (axes.size() != tensor.dimension()) {
    throw std::logic_error("to_array: " + std::to_string(axes.size()) + " axis names for " +
                           std::to_string(tensor.dimension()) + " dimensions");
  }
  return {{tensor.shape().begin(), tensor.shape().end()},
          std::move(axes),
          {tensor.begin(), tensor.end()},
          std::is_same_v<T, float> ? DType::float32 : DType::float64};
}

Matrix to_matrix(const Tensor<double>& tensor) {
  if (tensor.dimension() != 1 && tensor.dimension() != 2) {
    throw std::logic_error("to_matrix: " + std::to_string(tensor.dimension()) + " dimensions, not 1 or 2");
  }
  const std::size_t rows = tensor.dimension() == 1 ? 1 : tensor.shape().front();
  return {rows, tensor.shape().back(), {tensor.begin(), tensor.end()}};
}

std::vector<double> values_of(const Tensor<double>& tensor) { return {tensor.begin(), tensor.end()}; }

std::vector<double> values_of(const Tensor<double>& tensor, std::size_t row) {
  const std::size_t columns = tensor.shape().back();
  const double* first = tensor.data() + row * columns;
  return {first, first + columns};
}

std::vector<double> counting(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

std::optional<Ink> ink_of_role(const std::string& id) {
  static const std::map<std::string, Ink> inks{{"query", query_ink},
                                               {"queries", query_ink},
                                               {"w_query", query_ink},
                                               {"key", key_ink},
                                               {"keys", key_ink},
                                               {"w_key", key_ink},
                                               {"value", value_ink},
                                               {"values", value_ink},
                                               {"w_value", value_ink},
                                               {"weights", attention_ink},
                                               {"attention", attention_ink},
                                               {"mlp", mlp_ink},
                                               {"residual", stream_ink},
                                               {"residual_1", stream_ink},
                                               {"residual_2", stream_ink},
                                               {"output", stream_ink}};
  const auto found = inks.find(id.substr(0, id.find('.')));
  return found == inks.end() ? std::nullopt : std::optional<Ink>(found->second);
}

MatrixTerm matrix_term(std::string id, Formula name, const Tensor<double>& values, ColourScale scale,
                       int decimals) {
  Matrix matrix = to_matrix(values);
  std::string shape = fmt::format("({}, {})", matrix.rows, matrix.columns);
  const std::optional<Ink> ink = ink_of_role(id);
  return {HeatMap{std::move(id), std::move(matrix)}.coloured(std::move(scale)).with_numbers(decimals),
          std::move(name), std::move(shape), ink};
}

MatrixTerm again(MatrixTerm term) {
  term.map.shows.stage = term.map.id;
  term.map.id += ".again";
  return term;
}

OperatorTerm between(std::string_view symbol) { return {formula::read(symbol)}; }

template Array to_array(const Tensor<float>&, std::vector<std::string>);
template Array to_array(const Tensor<double>&, std::vector<std::string>);

}  // namespace attnlab
