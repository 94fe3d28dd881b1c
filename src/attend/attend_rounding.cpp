#include "attend/attend_rounding.hpp"

#include <type_traits>
#include <utility>

#include "attention/half_precision.hpp"

namespace attnlab {

template <class T>
Tensor<T> rounded(Tensor<T> values, Precision precision) {
  if constexpr (std::is_same_v<T, float>) {
    if (precision == Precision::float16) return rounded_to_half(std::move(values));
  }
  return values;
}

template <class T>
void round_inputs(AttendInputs<T>& inputs, Precision precision) {
  if (precision != Precision::float16) return;
  const auto round = [precision](std::optional<Tensor<T>>& values) {
    if (values) values = rounded(std::move(*values), precision);
  };
  inputs.query = rounded(std::move(inputs.query), precision);
  round(inputs.key);
  round(inputs.value);
  round(inputs.mask);
  if (!inputs.weights) return;
  LayerWeights<T>& weights = *inputs.weights;
  for (Tensor<T>* matrix : {&weights.query, &weights.key, &weights.value}) {
    *matrix = rounded(std::move(*matrix), precision);
  }
  round(weights.output);
  for (auto* bias : {&weights.query_bias, &weights.key_bias, &weights.value_bias, &weights.output_bias}) {
    round(*bias);
  }
}

template <class T>
Projected<T> project_rounded(const Tensor<T>& tokens, const Tensor<T>& matrix,
                             const std::optional<Tensor<T>>& bias, Precision precision) {
  Projected<T> result = project(tokens, matrix, bias);
  if (precision != Precision::float16) return result;
  if (result.linear) {
    result.linear = rounded(std::move(*result.linear), precision);
    result.projected = *result.linear + *bias;
  }
  result.projected = rounded(std::move(result.projected), precision);
  return result;
}

template Tensor<float> rounded(Tensor<float>, Precision);
template void round_inputs(AttendInputs<float>&, Precision);
template Projected<float> project_rounded(const Tensor<float>&, const Tensor<float>&,
                                          const std::optional<Tensor<float>>&, Precision);
template Tensor<double> rounded(Tensor<double>, Precision);
template void round_inputs(AttendInputs<double>&, Precision);
template Projected<double> project_rounded(const Tensor<double>&, const Tensor<double>&,
                                           const std::optional<Tensor<double>>&, Precision);

}  // namespace attnlab
