// What `train translate` draws.
#pragma once

#include "tasks/framework/training_report.hpp"
#include "tasks/world/grammar.hpp"

namespace attnlab {

/// Pairs as a batch: the decoder reads the sign of a beginning and the target, and says the target and the
/// sign of the end. The sources' signs are left out.
Batch batch_of_pairs(const std::vector<WorldStory>& pairs);

/// The words of the source, without signs.
std::vector<int> source_of(const WorldStory& pair);

/// What the model says to each source, word after word, the likeliest each time, up to the sign of the end.
std::vector<std::vector<int>> translations(const Model<double>& model,
                                           const std::vector<std::vector<int>>& sources);

/// A sentence beside what the model says of it, with all heads of cross-attention:
/// weights (layers, heads, said words and the end, source words).
struct Translation {
  std::vector<int> source;
  std::vector<int> answered;  // without the sign of the end
  Tensor<double> weights;
};
Translation translated(const Model<double>& model, const std::vector<int>& source);
/// What a model reads that is made to say it: one sequence.
Batch batch_that_says(const std::vector<int>& source, const std::vector<int>& answered);
/// Its weights.
Tensor<double> weights_of(const Model<double>& model, const std::vector<int>& source,
                          const std::vector<int>& answered);

/// One head, counted through all layers: words against words (Bahdanau et al. 2015, figure 3).
Figure alignment_figure(const Learned& learned, const Translation& translation, std::size_t head,
                        const TaskWords& words);

/// What is read for il or elle in two sentences that differ in what `it` stands for, beside random weights.
Figure pronoun_figure(const Learned& learned, const Model<double>& random, const TaskWords& words);

}  // namespace attnlab
