#include "inputs.hpp"

#include <random>

namespace attnlab {
namespace {

template <class T>
Tensor<T> normal_numbers(std::size_t heads, std::size_t length, std::size_t width, std::mt19937_64& bits) {
  std::normal_distribution<T> normal;
  Tensor<T> numbers = Tensor<T>::from_shape({heads, length, width});
  for (T& number : numbers) number = normal(bits);
  return numbers;
}

}  // namespace

template <class T>
AttentionInputs<T> attention_inputs(const AttentionSizes& sizes) {
  std::mt19937_64 bits(0);
  AttentionInputs<T> inputs;
  inputs.query = normal_numbers<T>(sizes.heads, sizes.queries, sizes.width, bits);
  inputs.key = normal_numbers<T>(sizes.kv_heads, sizes.keys, sizes.width, bits);
  inputs.value = normal_numbers<T>(sizes.kv_heads, sizes.keys, sizes.width, bits);
  return inputs;
}

double attention_flops(const AttentionSizes& sizes, bool causal) {
  const double all = 4.0 * static_cast<double>(sizes.heads * sizes.queries * sizes.keys * sizes.width);
  return causal ? all / 2 : all;
}

template AttentionInputs<float> attention_inputs(const AttentionSizes&);
template AttentionInputs<double> attention_inputs(const AttentionSizes&);

}  // namespace attnlab
