// What float16 does to attention: every stage is rounded to the 11 significant bits that it has room for.
#pragma once

#include "attention/scaled_dot_product.hpp"

namespace attnlab {

/// The nearest float16, ties to even; infinite from 65520 on. Subnormals are kept, NaN stays NaN.
/// Source: IEEE 754-2008, binary16.
float rounded_to_half(float value);
Tensor<float> rounded_to_half(Tensor<float> values);

/// As scaled_dot_product_attention, with inputs, mask and every stage rounded to float16. Inside a stage
/// float32 is used, as GPUs accumulate float16 products.
AttentionStages<float> half_precision_attention(const Tensor<float>& query, const Tensor<float>& key,
                                                const Tensor<float>& value,
                                                const AttentionOptions<float>& options = {});

}  // namespace attnlab
