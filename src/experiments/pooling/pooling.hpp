// The pooling experiment: the same tokens compared in three schemes, and what a word reads in its sentence.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

// --- Words in sentences, with vectors made by hand

/// The place of a word in the plane of its group ("bank", "animal", "brush", "neko"), by hand:
/// data/inputs/pooling_words.txt. The origin when the file has no line for it.
Tensor<double> word_vector(const std::string& group, const std::string& word);

/// What one word of a sentence attends to: softmax(q Kᵀ) X, all vectors in the plane.
struct Reading {
  std::vector<std::string> words;  // (n)
  std::string reader;              // the word that asks
  std::size_t place = 0;           // of the reader among the words
  Tensor<double> tokens;           // (n, 2)  the values
  Tensor<double> query;            // (1, d)
  Tensor<double> weights;          // (1, n)
  Tensor<double> output;           // (1, 2)
};

/// The weight on a word, summed over its occurrences.
double weight_on(const Reading& reading, const std::string& word);

/// The readings of the slides' sentences and of the textbook's, in scheme 1 unless said otherwise.
struct SentenceReadings {
  Reading river;    // "bank" in "I swam across the river to get to the other bank"
  Reading money;    // "bank" in "I walked across the road to get cash from the bank"
  Reading tired_0;  // "it" in "The animal did not cross the street because it was too tired", layer 0
  Reading wide_0;   // the same with "wide"
  Reading tired_1;  // layer 1: every token has read the sentence once
  Reading wide_1;
  Reading head_0;  // "brush" in "The artist painted the portrait of a woman with a brush", first axis
  Reading head_1;  // second axis
  Reading neko_0;  // "名前" in "吾輩 は 猫 で ある 。 名前 は まだ ない" (textbook, 2.2.4), first axis
  Reading neko_1;  // second axis
};
SentenceReadings read_sentences(Tape& tape);
/// A word of the textbook's sentence, and word for word in English: 猫, cat.
Text neko_word(const std::string& word);

/// Word2Vec's h = W x over "bank" and the words that tell its two sentences apart.
struct StaticEmbedding {
  std::vector<std::string> words;
  Tensor<double> matrix;   // (2, words)  W: a column for every word
  Tensor<double> one_hot;  // (words, 2)  x of "bank", in the sentence of river and in that of money
  Tensor<double> vectors;  // (2, 2)  h of both
};

// --- Random tokens in three schemes

/// One way to make queries, keys and values from the same tokens.
struct Scheme {
  Tensor<double> value;           // (n, d)
  Tensor<double> scores;          // (n, n)  query keyᵀ, not scaled
  Tensor<double> weights;         // (n, n)
  Tensor<double> output;          // (n, d)
  double score_asymmetry = 0.0;   // max |S - Sᵀ|
  double weight_asymmetry = 0.0;  // max |A - Aᵀ|
};

/// What many other tokens read from the same keys: outputs cannot leave the hull of the values.
struct ValueSpan {
  Tensor<double> w_mixing;  // (d, d)  a W_O, by a name that makes it no part of the layer in a saved file
  Tensor<double> output;    // (m, d)
  // W_V with its first row alone: values of rank 1
  Tensor<double> w_line;          // (d, d)
  Tensor<double> line_value;      // (n, d)
  Tensor<double> line_output;     // (m, d)
  Tensor<double> line_projected;  // (m, d)  times w_mixing
  Tensor<double> line_residual;   // (m, d)  plus the probes
};

/// n tokens of width d.
struct PoolingRun {
  Tape tape;
  Tensor<double> x;          // (n, d)
  Tensor<double> w_query;    // (d, d)
  Tensor<double> w_key;      // (d, d)
  Tensor<double> w_value;    // (d, d)
  Scheme first;              // SM(X Xᵀ) X
  Scheme second;             // SM(X U Uᵀ Xᵀ) X U
  Scheme qkv;                // SM(Q Kᵀ) V
  double value_rank = 0.0;   // of qkv
  double output_rank = 0.0;  // of qkv
  double half_excess = 0.0;  // of the output's rank over the values', with the first half of W_V's rows alone
  double nonlinearity = 0.0;  // max |f(2X) - 2 f(X)| of SM(Q Kᵀ) V: 0 if it were linear in X
  ValueSpan span;
  SentenceReadings sentences;
  StaticEmbedding embedding;
  std::vector<std::string> labels;
  bool labels_are_words = false;

  std::array<const Scheme*, 3> schemes() const { return {&first, &second, &qkv}; }
  static PoolingRun compute(const Arguments& arguments, const Context& context);
};

/// Where the tokens and the weight matrices come from: "seed 0", or the user's files.
Text beginning_of(const PoolingRun& run);

/// How far the rows of `output` reach beyond the rows of `value`, over the directions of the axes and from
/// the mean of the values to each output: 0 or less inside the convex hull, up to rounding.
double reach_beyond_hull(const Tensor<double>& output, const Tensor<double>& value);

// --- span.cpp

/// Draws the probes and W_O, after all of the run's other arrays.
ValueSpan span_of_values(Tape& tape, const PoolingRun& run);
/// The first two components of vectors (n, d): (n, 2), zeros where there is no second.
Tensor<double> in_plane(const Tensor<double>& vectors);
/// The corners of the hull of points (n, 2), as rows, counter-clockwise.
std::vector<std::size_t> convex_hull(const Tensor<double>& plane);
/// In the plane of the first two components: how far each output lies outside the hull of the values, 0 or
/// less inside. Exact, as every side of the hull is tried.
std::vector<double> distances_beyond_hull(const Tensor<double>& output, const Tensor<double>& value);
/// From the line through the origin along `direction` (d) to the furthest of the vectors (n, d).
double furthest_from_line(const Tensor<double>& vectors, const Tensor<double>& direction);
/// Of the probes' outputs, in the plane and up to rounding.
std::size_t outputs_inside(const PoolingRun& run);
Figure span_figure(const PoolingRun& run);

std::vector<Invariant> invariants(const PoolingRun& run);
std::vector<Block> body(const PoolingRun& run, const std::vector<Stage>& stages);
// --- words.cpp: Word2Vec beside attention

StaticEmbedding static_embedding(Tape& tape, const SentenceReadings& read);
/// How far apart the vectors of "bank" are in the two sentences.
double distance_in_word2vec(const PoolingRun& run);
double distance_in_attention(const PoolingRun& run);
/// h = W x as matrices, and "bank" in both sentences beside attention's two.
Figure word2vec_figure(const PoolingRun& run);

/// schemes, weights, word2vec, bank, animal, brush, neko, span.
std::vector<Figure> figures(const PoolingRun& run);

}  // namespace attnlab
