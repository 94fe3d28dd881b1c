// Vectors of a model, seen in the plane.
#pragma once

#include "tasks/framework/learning.hpp"

namespace attnlab {

/// The direction (made as long as 1), and the direction across it in which the vectors (n, width) spread
/// most, found by a power iteration: (width, 2).
Tensor<double> plane_along(const Tensor<double>& direction, const Tensor<double>& vectors);

/// Words of one kind: their numbers, and what the kind is called.
struct WordGroup {
  Text name;
  std::vector<int> words;
};

/// Whether words_figure() tells the whole of it: one layer without norms and MLP, and two answers.
bool shows_words(const ModelShape& shape);

/// The learned embeddings E, random and learned side by side. Across: what a word adds to the second answer's
/// logit against the first's where all heads read it, E W_Vᵀ W_Oᵀ (a_2 − a_1); upwards: the direction across
/// it in which they spread most. The first group belongs on the left, the second on the right: the title
/// counts them; `what` they are stands in it.
Figure words_figure(const Learned& learned, const Model<double>& before, const std::vector<WordGroup>& groups,
                    const Text& what);

}  // namespace attnlab
