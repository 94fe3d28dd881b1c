// Attention in sentences: what one word reads, with word vectors made by hand.
#include <sstream>

#include "core/embedded_file.hpp"
#include "experiments/pooling/pooling.hpp"

namespace attnlab {
namespace {

std::vector<std::string> words_of(const std::string& sentence) {
  std::istringstream stream(sentence);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

Tensor<double> vectors_of(const std::string& group, const std::vector<std::string>& words) {
  Tensor<double> tokens = Tensor<double>::from_shape({words.size(), 2});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Tensor<double> vector = word_vector(group, words[i]);
    tokens(i, 0) = vector(0);
    tokens(i, 1) = vector(1);
  }
  return tokens;
}

Reading reading_of(std::string name, std::vector<std::string> words, std::string reader,
                   Tensor<double> tokens, Tensor<double> projection) {
  Reading reading;
  reading.name = std::move(name);
  reading.words = std::move(words);
  reading.reader = std::move(reader);
  reading.tokens = std::move(tokens);
  reading.projection = std::move(projection);
  const auto place = std::find(reading.words.begin(), reading.words.end(), reading.reader);
  reading.place = static_cast<std::size_t>(std::distance(reading.words.begin(), place));
  reading.keys = matmul(reading.tokens, reading.projection);
  reading.query = xt::view(reading.keys, xt::range(reading.place, reading.place + 1), xt::all());
  reading.scores = matmul(reading.query, transpose(reading.keys));
  reading.weights = softmax(reading.scores);
  reading.output = matmul(reading.weights, reading.tokens);
  return reading;
}

Tensor<double> identity() {
  return {{1.0, 0.0}, {0.0, 1.0}};
}

Reading first_layer(const std::string& name, const std::string& group, const std::string& sentence,
                    const std::string& reader) {
  const std::vector<std::string> words = words_of(sentence);
  return reading_of(name, words, reader, vectors_of(group, words), identity());
}

/// Every token has been replaced by what it read: Y = softmax(X Xᵀ) X.
Reading second_layer(const std::string& name, const Reading& first) {
  const Tensor<double> weights = softmax(matmul(first.tokens, transpose(first.tokens)));
  Reading second = reading_of(name, first.words, first.reader, matmul(weights, first.tokens), identity());
  second.first = first.name;
  return second;
}

/// A head reads a single axis: it projects by one column of the identity.
Reading head(const std::string& name, std::size_t axis) {
  const std::vector<std::string> words = words_of("The artist painted the portrait of a woman with a brush");
  const Tensor<double> column = xt::view(identity(), xt::all(), xt::range(axis, axis + 1));
  return reading_of(name, words, "brush", vectors_of("brush", words), column);
}

}  // namespace

Tensor<double> word_vector(const std::string& group, const std::string& word) {
  std::istringstream file{std::string(input_files().front().text)};
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string line_group;
    std::string line_word;
    double x = 0.0;
    double y = 0.0;
    fields >> line_group >> line_word >> x >> y;
    if (line_group == group && line_word == word) return {x, y};
  }
  return {0.0, 0.0};
}

double weight_on(const Reading& reading, const std::string& word) {
  double sum = 0.0;
  for (std::size_t i = 0; i < reading.words.size(); ++i) {
    if (reading.words[i] == word) sum += reading.weights(0, i);
  }
  return sum;
}

SentenceReadings read_sentences() {
  const std::string because = "The animal did not cross the street because it was too ";
  const Reading tired = first_layer("tired_0", "animal", because + "tired", "it");
  const Reading wide = first_layer("wide_0", "animal", because + "wide", "it");
  return {first_layer("river", "bank", "I swam across the river to get to the other bank", "bank"),
          first_layer("money", "bank", "I walked across the road to get cash from the bank", "bank"),
          tired,
          wide,
          second_layer("tired_1", tired),
          second_layer("wide_1", wide),
          head("head_0", 0),
          head("head_1", 1)};
}

}  // namespace attnlab
