// The same steps as scaled_dot_product.cpp, rounded one by one.
#include "attention/half_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"

namespace attnlab {

float rounded_to_half(float value) {
  constexpr int significant_bits = 11;
  constexpr int least_exponent = -14;  // below it the spacing no longer shrinks: subnormals
  constexpr float largest = 65504.0F;
  if (!std::isfinite(value) || value == 0.0F) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const float spacing = std::ldexp(1.0F, exponent - (significant_bits - 1));
  const float nearest = std::nearbyint(value / spacing) * spacing;
  if (std::abs(nearest) > largest) return std::copysign(std::numeric_limits<float>::infinity(), value);
  return nearest;
}

Tensor<float> rounded_to_half(Tensor<float> values) {
  for (float& value : values) value = rounded_to_half(value);
  return values;
}

AttentionStages<float> half_precision_attention(const Tensor<float>& query, const Tensor<float>& key,
                                                const Tensor<float>& value,
                                                const AttentionOptions<float>& options) {
  // In float32 first: for the shapes, the checks and the scale.
  const Tensor<float> q = rounded_to_half(query);
  const Tensor<float> k = rounded_to_half(key);
  const Tensor<float> v = rounded_to_half(value);
  AttentionStages<float> stages = scaled_dot_product_attention(q, k, v, options);
  const float scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(query.shape().back())));
  stages.raw_scores = rounded_to_half(stages.raw_scores);                     // Q Kᵀ
  stages.scores = rounded_to_half(Tensor<float>(stages.raw_scores * scale));  // · scale
  stages.masked = stages.scores;                                              // + M
  if (options.mask)
    stages.masked = rounded_to_half(Tensor<float>(stages.scores + rounded_to_half(*options.mask)));
  stages.weights = rounded_to_half(softmax(stages.masked));
  stages.output = rounded_to_half(matmul(stages.weights, v));
  return stages;
}

}  // namespace attnlab
