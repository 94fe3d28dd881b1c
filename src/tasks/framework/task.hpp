// What a task teaches: its words, its sequences, and the model that is to learn them.
#pragma once

#include "core/sentences.hpp"
#include "random/numpy_random.hpp"
#include "training/model.hpp"

namespace attnlab {

/// Draws so many sequences of one length with their targets.
using DrawBatch = std::function<Batch(NumpyRandom& random, std::size_t sequences)>;

/// The weights of every head over some sequences: (sequences, layers, heads, tokens, tokens).
using MeasureHeads = std::function<double(const Batch& batch, const Tensor<double>& weights)>;

/// A query and a key that it should read.
struct WantedRead {
  std::size_t query = 0;
  std::size_t key = 0;
};
/// Of one sequence, query after query.
using WantedReads = std::function<std::vector<WantedRead>(const int* input, std::size_t tokens)>;

/// The weight of a query on the keys that it should read, the mean over all such queries, in the head where
/// that is largest.
MeasureHeads weight_on(WantedReads wanted);

/// What a head should come to do, as a number from 0 to 1 that is followed while it learns.
struct HeadMeasure {
  std::string name;  // of the scalar: "antidiagonal_weight"
  Text label;        // "weight on the antidiagonal"
  MeasureHeads measure;
};

/// Another model on the same sequences, which the task's own is compared with.
struct TaskControl {
  std::string scalar;  // "control_accuracy"
  Text name;           // "No positions"
  ModelShape shape;
  double from = 0.5;  // of the whole work: where its training begins
};

struct Learned;
struct TrainingReport;

struct Task {
  std::string task_name;       // whose words tell of it (task_words.hpp)
  SentenceValues values = {};  // that they name, beside those of every training
  ModelShape shape = {};
  std::vector<std::string> words = {};    // that are read, by their numbers
  std::vector<std::string> answers = {};  // that are said, by theirs
  DrawBatch draw = {};
  Batch held_out = {};               // never trained on
  Batch example = {};                // one sequence of it, whose heads are drawn
  bool has_typed_example = false;    // the user's own: nobody knows its targets
  std::string typed_beginning = {};  // words that are put before and behind what is typed
  std::string typed_end = {};
  std::string accuracy = "held_out_accuracy";  // what the scalar of single answers is called
  bool ablates_heads = true;                   // whether the accuracy without each head tells something
  std::optional<HeadMeasure> measure = {};
  std::optional<TaskControl> control = {};
  bool reads_source() const { return shape.source.tokens > 0; }
  /// Puts into the story what this task alone has to say and to draw.
  std::function<void(const Learned& learned, TrainingReport& training)> complete = {};
};

/// The first sequences of a batch, as far as there are so many.
Batch first_of(const Batch& batch, std::size_t most = 1);

/// A sequence of which one answer is wanted.
Batch requested_at(std::size_t place, const std::vector<int>& words, int answer);

/// So many of these sequences, at random and with repetition.
Batch drawn_from(const Batch& all, NumpyRandom& random, std::size_t sequences);

/// The same task with another model.
Task with_shape(Task task, const ModelShape& shape);

/// A whole number from 0 to count - 1, all equally likely: int(random_sample() * count).
inline int draw_index(NumpyRandom& random, std::size_t count) {
  return static_cast<int>(random.uniform() * static_cast<double>(count));
}

/// `count` different numbers below `of`, in a random order.
std::vector<int> draw_different(NumpyRandom& random, std::size_t count, std::size_t of);

/// All words of these lists, one list behind the other.
std::vector<std::string> all_words(std::initializer_list<std::vector<std::string>> lists);

/// "0", "1", ..., one word for each number.
std::vector<std::string> numbered_words(std::size_t count);

/// The numbers of a sentence's words, which are parted by blanks and known. Throws std::logic_error.
std::vector<int> numbered(const std::string& sentence, const std::vector<std::string>& words);

/// A character as a word: blanks and line ends as something that can be seen, a control as "\x09".
std::string visible(char32_t character);

/// The words of a sequence.
std::vector<std::string> spelled(const std::vector<int>& numbers, const std::vector<std::string>& words);

}  // namespace attnlab
