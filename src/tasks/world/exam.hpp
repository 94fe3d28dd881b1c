// What a model of the small world is asked: the words that a story leaves no choice of.
#pragma once

#include "tasks/framework/learning.hpp"
#include "tasks/world/grammar.hpp"

namespace attnlab {

/// One story a row, and behind it nothing that counts.
Batch rows_of(const std::vector<WorldStory>& stories);

/// Of all places with one mark.
struct MarkedPlaces {
  std::string mark;
  std::size_t places = 0;
  double accuracy = 0.0;             // how often the likeliest word is one that may stand there
  double by_last_word = 0.0;         // the same of one who sees the word before it alone
  std::vector<double> without = {};  // the accuracy without one head after the other, layer by layer

  /// The head without which it is lowest.
  std::size_t costliest_head() const;
  /// And by how much it falls then.
  double cost() const;
};

/// In the order in which the stories bring them up; without silent heads where `silences` is off.
std::vector<MarkedPlaces> examined(const Model<double>& model, const std::vector<WorldStory>& stories,
                                   const WorldGrammar& grammar, bool silences);

}  // namespace attnlab
