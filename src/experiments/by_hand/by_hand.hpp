// What a run of the example on the blackboard holds: three words, two heads, and the next word.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// n words of width d, h heads, v words to come. What is only drawn stands on the tape alone.
struct ByHandRun {
  Tape tape;
  std::vector<ShortText> words;        // (n)
  std::vector<ShortText> coordinates;  // (d) what each number of a word says; empty of a width of one's own
  std::vector<ShortText> vocabulary;   // (v)
  std::uint32_t seed = 0;              // of the words; 0 for the example's
  bool is_masked = true;
  double base = 2.0;  // of the powers
  std::string base_name = "2";
  Tensor<double> x;                  // (n, d)
  Tensor<double> weights;            // (h, n, n)  each over the sum of its row
  Tensor<double> normed;             // (n, d)
  Tensor<double> probability;        // (n, v) of the next word
  Tensor<double> other_weights;      // the same with the mask where there is none, and without it where it is
  Tensor<double> other_probability;  // likewise

  static ByHandRun compute(const Arguments& arguments, const Context& context);
};

/// The word whose weights in that head are farthest from an even share of what it may read.
std::size_t asking_word(const ByHandRun& run, std::size_t head);
/// "bank reads river with 0.8", of that word; where it is no farther, that all read alike.
Text reading_of(const ByHandRun& run, std::size_t head);
/// The word that it reads most, the first of several.
std::size_t most_read(const ByHandRun& run, std::size_t head, std::size_t word);
/// What may come next by one row of probabilities: the likeliest, or all that tie.
std::vector<std::size_t> likeliest(const Tensor<double>& probability, std::size_t word);
/// Their names: "floods or lends".
Text next_words(const ByHandRun& run, const Tensor<double>& probability, std::size_t word);

std::vector<Invariant> invariants(const ByHandRun& run);
/// words, query, key, value, scores, weights, output, second-head, joined, residual, norm, logits, next,
/// mask: a figure for each stage.
std::vector<Figure> figures(const ByHandRun& run);

}  // namespace attnlab
