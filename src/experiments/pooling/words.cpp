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

/// Its stages have the reading's name before theirs.
Reading reading_of(Tape& tape, const std::string& name, std::vector<std::string> words, std::string reader,
                   const Tensor<double>& tokens, const Tensor<double>& projection,
                   const std::string& tokens_code = "") {
  const auto named = [&name](const char* stage) { return name + stage; };
  Reading reading;
  reading.words = std::move(words);
  reading.reader = std::move(reader);
  const auto found = std::find(reading.words.begin(), reading.words.end(), reading.reader);
  const auto place = static_cast<std::size_t>(std::distance(reading.words.begin(), found));
  reading.place = place;
  reading.tokens =
      tape.step(named("_tokens"), Formula{}, tokens, {"words", "width"}, derived::given(tokens_code));
  tape.input(named("_projection"), projection, {"width", "head_width"});
  const Tensor<double> keys =
      tape.product(named("_keys"), "X W", named("_tokens"), named("_projection"), {"words", "head_width"});
  reading.query = tape.step(named("_query"), Formula{},
                            xt::view(keys, xt::range(place, place + 1), xt::all()), {"queries", "head_width"},
                            derived::given(fmt::format("{}[{}:{}]", named("_keys"), place, place + 1)));
  tape.product_with_transpose(named("_scores"), "q K^T", named("_query"), named("_keys"),
                              {"queries", "words"});
  reading.weights = tape.softmax(named("_weights"), "softmax(q K^T)", named("_scores"));
  reading.output =
      tape.product(named("_output"), "a X", named("_weights"), named("_tokens"), {"queries", "width"});
  return reading;
}

Tensor<double> identity() { return {{1.0, 0.0}, {0.0, 1.0}}; }

Reading first_layer(Tape& tape, const std::string& name, const std::string& group,
                    const std::string& sentence, const std::string& reader) {
  const std::vector<std::string> words = words_of(sentence);
  return reading_of(tape, name, words, reader, vectors_of(group, words), identity());
}

/// Every token has been replaced by what it read: Y = softmax(X Xᵀ) X.
Reading second_layer(Tape& tape, const std::string& name, const Reading& first, const std::string& of_first) {
  const Tensor<double> weights = softmax(matmul(first.tokens, transpose(first.tokens)));
  return reading_of(tape, name, first.words, first.reader, matmul(weights, first.tokens), identity(),
                    fmt::format("softmax({0}_tokens @ {0}_tokens.T) @ {0}_tokens", of_first));
}

/// A head reads a single axis: it projects by one column of the identity.
Reading head(Tape& tape, const std::string& name, std::size_t axis, const std::string& group,
             const std::string& sentence, const std::string& reader) {
  const std::vector<std::string> words = words_of(sentence);
  const Tensor<double> column = xt::view(identity(), xt::all(), xt::range(axis, axis + 1));
  return reading_of(tape, name, words, reader, vectors_of(group, words), column);
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

Text neko_word(const std::string& word) {
  static const std::map<std::string, std::string> english{
      {"吾輩", "I"}, {"は", "wa"},     {"猫", "cat"},   {"で", "de"},    {"ある", "am"},
      {"。", "."},   {"名前", "name"}, {"まだ", "yet"}, {"ない", "none"}};
  return {word, english.at(word)};
}

SentenceReadings read_sentences(Tape& tape) {
  const std::string because = "The animal did not cross the street because it was too ";
  SentenceReadings read;
  read.river = first_layer(tape, "river", "bank", "I swam across the river to get to the other bank", "bank");
  read.money =
      first_layer(tape, "money", "bank", "I walked across the road to get cash from the bank", "bank");
  read.tired_0 = first_layer(tape, "tired_0", "animal", because + "tired", "it");
  read.wide_0 = first_layer(tape, "wide_0", "animal", because + "wide", "it");
  read.tired_1 = second_layer(tape, "tired_1", read.tired_0, "tired_0");
  read.wide_1 = second_layer(tape, "wide_1", read.wide_0, "wide_0");
  const std::string brush = "The artist painted the portrait of a woman with a brush";
  read.head_0 = head(tape, "head_0", 0, "brush", brush, "brush");
  read.head_1 = head(tape, "head_1", 1, "brush", brush, "brush");
  const std::string neko = "吾輩 は 猫 で ある 。 名前 は まだ ない";
  read.neko_0 = head(tape, "neko_0", 0, "neko", neko, "名前");
  read.neko_1 = head(tape, "neko_1", 1, "neko", neko, "名前");
  return read;
}

}  // namespace attnlab
