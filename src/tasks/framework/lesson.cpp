#include "tasks/framework/lesson.hpp"

namespace attnlab {

Batch first_of(const Batch& batch) {
  const auto length = static_cast<std::ptrdiff_t>(batch.tokens);
  return {1,
          batch.tokens,
          {batch.inputs.begin(), batch.inputs.begin() + length},
          {batch.targets.begin(), batch.targets.begin() + length}};
}

Batch drawn_from(const Batch& all, NumpyRandom& random, std::size_t sequences) {
  Batch batch{sequences, all.tokens, {}, {}};
  for (std::size_t i = 0; i < sequences; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(draw_index(random, all.sequences)) *
                       static_cast<std::ptrdiff_t>(all.tokens);
    const auto last = first + static_cast<std::ptrdiff_t>(all.tokens);
    batch.inputs.insert(batch.inputs.end(), all.inputs.begin() + first, all.inputs.begin() + last);
    batch.targets.insert(batch.targets.end(), all.targets.begin() + first, all.targets.begin() + last);
  }
  return batch;
}

Lesson with_shape(Lesson lesson, const ModelShape& shape) {
  lesson.shape = shape;
  return lesson;
}

std::vector<std::string> numbered_words(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(std::to_string(i));
  return words;
}

std::vector<std::string> spelled(const std::vector<int>& numbers, const std::vector<std::string>& words) {
  std::vector<std::string> text;
  text.reserve(numbers.size());
  for (const int number : numbers) text.push_back(words.at(static_cast<std::size_t>(number)));
  return text;
}

}  // namespace attnlab
