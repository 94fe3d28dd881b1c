// Words in sentences, with vectors made by hand: what one reads by attention, which moves it; and Word2Vec's
// h = W x, where a one-hot word picks its column of W whatever the sentence.
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
  for (std::size_t i = 0; i < words.size(); ++i) xt::view(tokens, i) = word_vector(group, words[i]);
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
      tape.step(named("_tokens"), Formula{}, tokens, {"words", "width"}, derived::input(tokens_code));
  tape.input(named("_projection"), projection, {"width", "head_width"});
  const Tensor<double> keys =
      tape.product(named("_keys"), "X W", named("_tokens"), named("_projection"), {"words", "head_width"});
  reading.query = tape.step(named("_query"), Formula{},
                            xt::view(keys, xt::range(place, place + 1), xt::all()), {"queries", "head_width"},
                            derived::input(fmt::format("{}[{}:{}]", named("_keys"), place, place + 1)));
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
  word.map.row_labels = short_texts(embedding.words);
  const auto both = [](double gap) { return between(gap > 0.0 ? "≠" : "="); };
  const auto output = [](const Reading& reading) { return attnlab::transpose(reading.output); };
  return Figure{"word2vec",
                text("Word2Vec の bank はどの文でも同じ、アテンションでは文によって {:.1f} 離れる",
                     "Word2Vec has one vector for bank, attention two, {:.1f} apart", moved)}
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
