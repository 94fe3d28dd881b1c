// The lesson about float16: every tensor and every stage is rounded as it arises.
#pragma once

#include <optional>

#include "attend/attend.hpp"
#include "attend/heads.hpp"
#include "core/tensor.hpp"

namespace attnlab {

/// Rounded to float16 under Precision::float16, which is computed in float; else unchanged.
template <class T>
Tensor<T> rounded(Tensor<T> values, Precision precision);

/// Query, key, value, mask, weights and biases.
template <class T>
void round_inputs(AttendInputs<T>& inputs, Precision precision);

/// tokens · matrix + bias, rounded before and after the bias.
template <class T>
Projected<T> project_rounded(const Tensor<T>& tokens, const Tensor<T>& matrix,
                             const std::optional<Tensor<T>>& bias, Precision precision);

}  // namespace attnlab
