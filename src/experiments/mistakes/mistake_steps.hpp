// The steps that lead to a right and a wrong result, as stages with their derivations.
#pragma once

#include <string>
#include <vector>

#include "attention/scaled_dot_product.hpp"
#include "core/tensor.hpp"
#include "results/report/report.hpp"

namespace attnlab::steps {

using Axes = std::vector<std::string>;

const Axes pair_axes{"queries", "keys"};

/// An input: drawn at random or chosen.
Stage given(const std::string& name, const Tensor<double>& values, Axes axes);

/// Q Kᵀ, and Q Kᵀ / √(width), of the stages of these names.
Stage raw_scores(const std::string& name, const std::string& query, const std::string& key,
                 const Tensor<double>& values, Axes axes = pair_axes);
Stage scaled_scores(const std::string& name, const std::string& raw, const std::string& width, double scale,
                    const Tensor<double>& values, Axes axes = pair_axes);

/// softmax(S) of a stage of scores.
Stage softmax(const std::string& name, const std::string& scores, const Tensor<double>& values,
              Axes axes = pair_axes);

/// query, key, raw_scores and scores: what comes before the weights.
std::vector<Stage> up_to_scores(const Tensor<double>& query, const Tensor<double>& key,
                                const AttentionStages<double>& attention);

void append(std::vector<Stage>& stages, std::vector<Stage> more);

}  // namespace attnlab::steps
