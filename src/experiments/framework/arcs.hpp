// Weights as lines from word to word: one figure for all that attends.
#pragma once

#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// More words have no room: of them the row of one query is drawn, and so many keys.
constexpr std::size_t most_arc_words = 24;

/// The weights of some heads, and the words between which they stand.
struct WordWeights {
  std::vector<ShortText> queries;
  std::vector<ShortText> keys;
  Tensor<double> weights;               // (heads, queries, keys)
  std::vector<Text> heads = {};         // their names, or none of a single one
  std::optional<std::size_t> row = {};  // the query that is singled out; else that of the strongest link
  StageRows shows = {};                 // where the weights begin: head by head, query by query
};

/// The words, or where there are none the numbers of the places: begin, ..., end - 1.
std::vector<ShortText> words_or_numbers(std::vector<ShortText> words, std::size_t begin, std::size_t end);

/// A query, a key and what stands between them.
struct WordLink {
  std::size_t head = 0;
  std::size_t query = 0;
  std::size_t key = 0;
  double weight = 0.0;
};

/// The largest weight, of the row that is singled out if there is one; where other words than the query have
/// a line, of these, and of those that attend backwards alone not of the first, where weight without a use
/// goes. Nothing where no weight has a line.
std::optional<WordLink> strongest_arc(const WordWeights& words);

/// “are” attends to “books”, 0.93, with the head's name where it has one; or that the weights are
/// almost uniform: less than half as much again as an equal share.
Text arc_title(const WordWeights& words);

/// The figure `arcs`. Of several heads one query stands out; `caption` stands before what the lines mean.
Figure arcs_figure(const WordWeights& words, const Text& title, const Text& caption);

}  // namespace attnlab
