// The MLP of a layer: one, or several of which a router chooses some for each token.
#pragma once

#include "model/block.hpp"

namespace attnlab {

/// Of stages.mlp_input (n, width): what is added, (n, width); the hidden layer and the router's weights
/// become stages. Source: Vaswani et al. 2017, eq. 2; gates: Shazeer 2020; experts: Shazeer et al. 2017,
/// section 2; Jiang et al. 2024, “Mixtral of Experts”, section 2.1.
Tensor<float> mlp(const ModelLayer& layer, const BlockRun& run, LayerStages& stages);

}  // namespace attnlab
