// A few entries of a model's stages with their numbers substituted: what --explain writes of them.
#pragma once

#include "model/run.hpp"

namespace attnlab {

/// name[i, 0] = x[i] · W[:, column] + b, one line per token i. x (n, in), y (n, out).
std::vector<Chain> projected_lines(const std::string& name, const Tensor<float>& x,
                                   const Projection& projection, const Tensor<float>& y);

/// Of Q, K or V (heads, n, head_width): name[h, 0, 0], one line per head.
std::vector<Chain> head_lines(const std::string& name, const Tensor<float>& x, const Projection& projection,
                              const HeadColumns& columns, const Tensor<float>& y);

/// name[i, 0] = (x[i, 0] − mean) / √(variance + eps) · γ + β, or x[i, 0] / √(mean square + eps) · γ.
std::vector<Chain> normed_lines(const std::string& name, const Tensor<float>& x, const ModelNorm& norm,
                                const Tensor<float>& y);

/// name[h, n − 1, n − 1] = q · k / √d, one line per head: the last token reads itself, under every mask
/// and at no distance. None where scores are capped.
std::vector<Chain> score_lines(const std::string& name, const LayerStages& stages, const Architecture& a);

}  // namespace attnlab
