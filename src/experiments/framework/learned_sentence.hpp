// A sentence that a model which comes along has read: the first figure of `self-attention` and `heads`, whose
// documents have nothing but random weights. Each language has its own sentence and model.
#pragma once

#include "core/tensor.hpp"
#include "experiments/framework/parameter.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// As data/inputs/make_sentences.py recorded it; a token attends to itself and to what stands before it.
struct LearnedSentence {
  std::string model;  // "world.en"
  std::string text;
  std::vector<std::string> labels;  // of its n tokens
  std::string next;                 // the likeliest next word
  double probability = 0.0;         // of that word
  std::size_t layer = 0;
  std::size_t head = 0;         // of the layer: of all the model's heads the one that adds most to the word
  std::vector<double> without;  // the word's probability without each head of the layer
  Tensor<double> weights;       // (heads of the layer, n, n)
};
const LearnedSentence& learned_sentence(Language language);

/// "“tree” attends to “books”, 0.98": the key with the largest weight of the last token, behind which the
/// next word is predicted; of the head that adds most to it.
Text title_of(const LearnedSentence& sentence);

/// What the next word is, and how much that head adds to it.
Text caption_of(const LearnedSentence& sentence);

/// The weights of a head of the layer, with the last token's largest framed.
HeatMap map_of(const LearnedSentence& sentence, std::size_t head);

/// The figure `sentence` of both languages' sentences.
Figure sentence_figure(Figure (*figure_of)(const LearnedSentence& sentence));

/// Whether nothing was chosen: whoever chooses wants to see what that makes, and no other example.
bool are_defaults(const Arguments& arguments);

}  // namespace attnlab
