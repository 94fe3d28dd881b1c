// The logit lens: what a model would say if it stopped behind a layer.
#pragma once

#include "model/model.hpp"

namespace attnlab {

struct LensCell {
  std::size_t token = 0;     // the likeliest
  double probability = 0.0;  // NaN where no token has one
};

/// What stands behind the embedding and behind each layer at the last `positions` places, through the final
/// norm and the matrix of words: (layers + 1) x positions. Source: nostalgebraist 2020.
struct Lens {
  std::vector<std::vector<LensCell>> rows;
};

Lens lens_of(const LanguageModel& model, const ForwardPass& pass, std::size_t positions,
             const ForEach& for_each);

}  // namespace attnlab
