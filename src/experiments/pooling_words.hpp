// Attention in sentences: what one word reads, with word vectors made by hand.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.hpp"

namespace attnlab {

/// data/inputs/pooling_words.txt, compiled in so that the installed program needs no file.
extern const char* const pooling_word_file;

/// The place of a word in the plane of its group ("bank", "animal", "brush"); the origin when the file has no
/// line for it.
Tensor<double> word_vector(const std::string& group, const std::string& word);

/// What one word of a sentence attends to: softmax(q Kᵀ) X, all vectors in the plane.
struct Reading {
  std::string name;                // prefix of its arrays: "river"
  std::vector<std::string> words;  // (n)
  std::string reader;              // the word that asks
  Tensor<double> tokens;           // (n, 2)  the values
  Tensor<double> projection;       // (2, d)  of queries and keys; the identity for scheme 1
  Tensor<double> query;            // (1, d)
  Tensor<double> keys;             // (n, d)
  Tensor<double> scores;           // (1, n)
  Tensor<double> weights;          // (1, n)
  Tensor<double> output;           // (1, 2)
};

/// The weight on a word, summed over its occurrences.
double weight_on(const Reading& reading, const std::string& word);

/// The readings of the slides' sentences, in scheme 1 unless said otherwise.
struct SentenceReadings {
  Reading river;    // "bank" in "I swam across the river to get to the other bank"
  Reading money;    // "bank" in "I walked across the road to get cash from the bank"
  Reading tired;    // "it" in "The animal did not cross the street because it was too tired", first layer
  Reading wide;     // the same with "wide"
  Reading tired_2;  // second layer: every token has read the sentence once
  Reading wide_2;
  Reading head_1;  // "brush" in "The artist painted the portrait of a woman with a brush", first axis
  Reading head_2;  // second axis
};
SentenceReadings read_sentences();

}  // namespace attnlab
