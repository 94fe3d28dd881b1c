// Word2Vec's h = W x: a one-hot word picks its column of W, whatever the sentence; attention does not.
#include "experiments/pooling/pooling.hpp"

namespace attnlab {
namespace {

bool stands_in(const Reading& reading, const std::string& word) {
  return std::find(reading.words.begin(), reading.words.end(), word) != reading.words.end();
}

/// The reader, and the words with a vector that stand in one sentence alone: more columns show no more.
std::vector<std::string> vocabulary_of(const Reading& one, const Reading& other) {
  std::vector<std::string> vocabulary;
  const auto add = [&vocabulary](const std::string& word) {
    if (largest_magnitude(word_vector("bank", word)) > 0.0) vocabulary.push_back(word);
  };
  for (const std::string& word : one.words) {
    if (word == one.reader || !stands_in(other, word)) add(word);
  }
  for (const std::string& word : other.words) {
    if (!stands_in(one, word)) add(word);
  }
  return vocabulary;
}

/// How far apart the reader of the two sentences ends up: the Euclidean distance of two vectors.
double distance(const Tensor<double>& a, const Tensor<double>& b) {
  return std::sqrt(sum_of(xt::square(a - b)));
}

Tensor<double> column(const Tensor<double>& matrix, std::size_t index) {
  return xt::view(matrix, xt::all(), xt::range(index, index + 1));
}

MatrixTerm word_term(std::string id, std::string_view name, const Tensor<double>& values, int decimals) {
  const ColourScale colours{Palette::blues, 0.0, 3.0, {"成分", "Component"}};
  return matrix_term(std::move(id), formula::read(name), values, colours, decimals);
}

}  // namespace

StaticEmbedding static_embedding(Tape& tape, const SentenceReadings& read) {
  StaticEmbedding embedding;
  embedding.words = vocabulary_of(read.river, read.money);
  const std::size_t count = embedding.words.size();
  embedding.matrix = Tensor<double>::from_shape({std::size_t{2}, count});
  embedding.one_hot = Tensor<double>::from_shape({count, std::size_t{2}});
  for (std::size_t word = 0; word < count; ++word) {
    const Tensor<double> vector = word_vector("bank", embedding.words[word]);
    for (std::size_t axis = 0; axis < 2; ++axis) embedding.matrix(axis, word) = vector(axis);
    embedding.one_hot(word, 0) = embedding.words[word] == read.river.words[read.river.place] ? 1.0 : 0.0;
    embedding.one_hot(word, 1) = embedding.words[word] == read.money.words[read.money.place] ? 1.0 : 0.0;
  }
  tape.input("w_embedding", embedding.matrix, {"width", "vocabulary"});
  tape.input("one_hot", embedding.one_hot, {"vocabulary", "sentences"});
  embedding.vectors = tape.product("embedded", "h = W x", "w_embedding", "one_hot", {"width", "sentences"});
  return embedding;
}

double distance_in_word2vec(const PoolingRun& run) {
  return distance(column(run.embedding.vectors, 0), column(run.embedding.vectors, 1));
}

double distance_in_attention(const PoolingRun& run) {
  return distance(run.sentences.river.output, run.sentences.money.output);
}

Figure word2vec_figure(const PoolingRun& run) {
  const StaticEmbedding& embedding = run.embedding;
  const double fixed = distance_in_word2vec(run);
  const double moved = distance_in_attention(run);
  MatrixTerm word = word_term("one_hot", "x", column(embedding.one_hot, 0), 0);
  word.row_labels = short_texts(embedding.words);
  const auto both = [](double apart) { return between(apart > 0.0 ? "≠" : "="); };
  const auto output = [](const Reading& reading) { return attnlab::transpose(reading.output); };
  return Figure{"word2vec",
                text("Word2Vec の bank はどの文でも同じ、アテンションでは文によって {:.1f} 離れる",
                     "Word2Vec has one bank for all sentences, attention two that lie {:.1f} apart", moved)}
      .described(text(
          "上：{0} 語の列をもつ行列 W に、bank の成分だけが 1 の x を掛けると、W の bank の列 h = ({1:.1f}, {2:.1f}) になる。下：h は川の文でもお金の文でも同じ。アテンションの出力 y は ({3:.1f}, {4:.1f}) と ({5:.1f}, {6:.1f}) で違う。",
          "Above: W, a column for each of {0} words, times x, which is 1 for bank alone, is the column of bank: h = ({1:.1f}, {2:.1f}). Below: h is the same in both sentences; attention's output y is ({3:.1f}, {4:.1f}) by the river and ({5:.1f}, {6:.1f}) with the cash.",
          embedding.words.size(), embedding.vectors(0, 0), embedding.vectors(1, 0),
          run.sentences.river.output(0, 0), run.sentences.river.output(0, 1),
          run.sentences.money.output(0, 0), run.sentences.money.output(0, 1)))
      .captioned(
          {"W の列は x の行と同じ順。river、money：2 つの文の bank。ベクトルは手で作ったもの。",
           "Columns of W: in the order of the rows of x. river, money: the two sentences. Vectors made by hand."})
      .panel(
          {"x は W の列を選ぶ", "x picks a column of W"},
          MatrixEquation{{word_term("w_embedding", "W", embedding.matrix, 1), between("×"), std::move(word),
                          between("="), word_term("embedded", "h", column(embedding.vectors, 0), 1)}})
      .panel({"2 つの文の bank", "bank in two sentences"},
             MatrixEquation{
                 {word_term("embedded.river", "h_{river}", column(embedding.vectors, 0), 1), both(fixed),
                  word_term("embedded.money", "h_{money}", column(embedding.vectors, 1), 1), between(","),
                  word_term("output.river", "y_{river}", output(run.sentences.river), 1), both(moved),
                  word_term("output.money", "y_{money}", output(run.sentences.money), 1)}})
      .on_page(14.0, 6.5);
}

}  // namespace attnlab
