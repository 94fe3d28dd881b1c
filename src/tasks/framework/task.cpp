#include "tasks/framework/task.hpp"

#include "core/utf8.hpp"

namespace attnlab {

MeasureHeads weight_on(WantedReads wanted) {
  return [wanted = std::move(wanted)](const Batch& batch, const Tensor<double>& weights) {
    const std::size_t heads = weights.shape()[1] * weights.shape()[2];
    const std::size_t n = batch.tokens;
    std::vector<double> sums(heads, 0.0);
    std::size_t queries = 0;
    for (std::size_t sequence = 0; sequence < batch.sequences; ++sequence) {
      std::size_t last = n;  // no query yet
      for (const WantedRead& read : wanted(batch.inputs.data() + sequence * n, n)) {
        if (read.query != last) ++queries;
        last = read.query;
        for (std::size_t head = 0; head < heads; ++head) {
          sums[head] += weights.flat(((sequence * heads + head) * n + read.query) * n + read.key);
        }
      }
    }
    return *std::max_element(sums.begin(), sums.end()) / static_cast<double>(queries);
  };
}

Batch first_of(const Batch& batch, std::size_t most) {
  return part_of(batch, 0, std::min(most, batch.sequences));
}

Batch requested_at(std::size_t place, const std::vector<int>& words, int answer) {
  Batch batch{1, words.size(), words, std::vector<int>(words.size(), no_target)};
  batch.targets[place] = answer;
  return batch;
}

std::vector<int> draw_different(NumpyRandom& random, std::size_t count, std::size_t of) {
  std::vector<int> numbers(of);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(numbers[i], numbers[i + static_cast<std::size_t>(draw_index(random, of - i))]);
  }
  numbers.resize(count);
  return numbers;
}

Batch drawn_from(const Batch& all, NumpyRandom& random, std::size_t sequences) {
  Batch batch{0, all.tokens, {}, {}};
  while (batch.sequences < sequences)
    append(batch, part_of(all, static_cast<std::size_t>(draw_index(random, all.sequences)), 1));
  return batch;
}

Task with_shape(Task task, const ModelShape& shape) {
  task.shape = shape;
  return task;
}

std::vector<std::string> all_words(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<std::string> numbered_words(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(std::to_string(i));
  return words;
}

std::vector<int> numbered(const std::string& sentence, const std::vector<std::string>& words) {
  std::vector<int> numbers;
  for (const std::string& word : split(sentence, " ")) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw std::logic_error("no word " + word);
    numbers.push_back(static_cast<int>(found - words.begin()));
  }
  return numbers;
}

std::string visible(char32_t character) {
  if (character == U' ') return "␣";
  if (character == U'\n') return "⏎";
  return printable(encode_utf8(character));
}

std::vector<std::string> spelled(const std::vector<int>& numbers, const std::vector<std::string>& words) {
  std::vector<std::string> text;
  text.reserve(numbers.size());
  for (const int number : numbers) text.push_back(words.at(static_cast<std::size_t>(number)));
  return text;
}

}  // namespace attnlab
