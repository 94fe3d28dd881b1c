// What a model of the small world is asked: the words that a story leaves no choice of.
#pragma once

#include "tasks/framework/learning.hpp"
#include "tasks/world/grammar.hpp"

namespace attnlab {

/// One story a row, and behind it nothing that counts.
Batch rows_of(const std::vector<WorldStory>& stories);

/// A place that a story asks for.
struct Asking {
  std::size_t story = 0;
  std::size_t place = 0;
};

/// Of all places with one mark.
struct MarkedPlaces {
  std::string name;  // of the mark
  std::size_t places = 0;
  double accuracy = 0.0;             // how often the likeliest word is one that may stand there
  double by_last_word = 0.0;         // the same of one who sees the word before it alone
  std::vector<double> without = {};  // the accuracy without one head after the other, layer by layer

  /// The shortest way to a place that is right, and wrong without the head that it needs most; of a mark that
  /// needs none the shortest way to any; of some words in any case.
  std::optional<Asking> example = {};

  /// The head without which it is lowest.
  std::size_t costliest_head() const;
  /// And by how much it falls then.
  double cost() const;
  /// Whether it falls without a head by more than its error.
  bool needs(std::size_t head) const;
};

/// In the order in which the stories bring them up; without silent heads where `silences` is off.
std::vector<MarkedPlaces> examined(const Model<double>& model, const std::vector<WorldStory>& stories,
                                   const WorldGrammar& grammar, bool ablates);

}  // namespace attnlab
