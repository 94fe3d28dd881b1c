// The grammar of the small world: data/world/LANGUAGE.toml, or data/world/FROM-TO.toml of what is said in
// two. en.toml tells how they are written.
#pragma once

#include "core/text.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {

/// Where a story leaves no choice of what follows, but for one among `right`: words that may stand at
/// `place`.
struct RequestedPlace {
  std::string mark;  // "agreement", "name", "bank"
  std::size_t place = 0;
  std::set<int> right;
};

/// A word of the target and the word of the text that it stands for: places in both.
struct AlignedWords {
  std::size_t target = 0;
  std::size_t source = 0;
};

struct WorldStory {
  std::vector<int> words;   // by their numbers, the sign of a beginning in front and behind
  std::vector<int> target;  // likewise, what a pair says in the other language; else empty
  std::vector<RequestedPlace> requested;
  std::vector<AlignedWords> aligned;  // of what both drew
  double nats = 0.0;                  // −ln of the probability that the grammar gives it
  std::size_t choices = 0;            // that were made on the way
  std::size_t combination = 0;        // the sum of their indices

  /// One in five combinations of four and more choices is never trained on.
  bool is_held_out() const { return choices >= 4 && combination % 5 == 0; }
};

/// Of the grammar itself, over all its stories.
struct SourceEntropy {
  double nats = 0.0;   // of a story: Σ −p ln p
  double words = 0.0;  // that are to be said of it on the average: all but the first sign
  double per_word() const { return nats / words; }
};

class WorldGrammar {
 public:
  /// "en", "ja", "en-ja", "en-fr"
  explicit WorldGrammar(const std::string& name);

  /// Of the vocabulary: the sign of a beginning first, then in alphabetical order.
  const std::vector<std::string>& words() const;

  WorldStory draw(NumpyRandom& random) const;

  /// Computed rule by rule, not sampled.
  SourceEntropy entropy() const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;
};

/// Stories that are never trained on, or others.
std::vector<WorldStory> draw_stories(NumpyRandom& random, std::size_t count, const WorldGrammar& grammar,
                                     bool held_out);

}  // namespace attnlab
