// Weights as lines between words: which link the title names, and what a page has room for.
#include "experiments/framework/arcs.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

const std::vector<ShortText> to_say{"les", "livres"};
const std::vector<ShortText> source{"the", "books", "fell"};
const std::vector<ShortText> sentence{"the", "books", "are"};

std::vector<ShortText> numbered(std::size_t count) { return words_or_numbers({}, 0, count); }

/// (1, count, count): all weight of each query on itself, but a half of query 3's on key 7.
Tensor<double> long_weights(std::size_t count) {
  Tensor<double> weights({1, count, count}, 0.0);
  for (std::size_t i = 0; i < count; ++i) weights(0, i, i) = 1.0;
  weights(0, 3, 7) = 0.5;
  return weights;
}

const Arcs& arcs_in(const Figure& figure) { return std::get<Arcs>(figure.panels.at(0).content); }

Figure figure_of(const WordWeights& words) {
  return arcs_figure(words, arc_title(words), {"種 0。", "Seed 0."});
}

}  // namespace

TEST_CASE(
    "the title names query, key and weight of the largest weight, and its head where there are several") {
  WordWeights words{to_say, source, to_tensor(std::vector<double>{0.6, 0.3, 0.1, 0.2, 0.7, 0.1}, {1, 2, 3})};
  CHECK(arc_title(words).en() == "“livres” attends to “books”, 0.70");
  CHECK(arc_title(words).ja() == "「livres」は「books」に注目する、0.70");
  words.weights =
      to_tensor(std::vector<double>{0.6, 0.3, 0.1, 0.2, 0.7, 0.1, 0.1, 0.1, 0.8, 0.4, 0.4, 0.2}, {2, 2, 3});
  words.heads = {{"ヘッド 0", "Head 0"}, {"ヘッド 1", "Head 1"}};
  CHECK(arc_title(words).en() == "Head 1: “les” attends to “fell”, 0.80");
  words.row = 1;
  CHECK(arc_title(words).en() == "Head 0: “livres” attends to “books”, 0.70");
}

TEST_CASE("among the same words a link leads to another one, and backwards alone not to the first") {
  WordWeights words{sentence, sentence,
                    to_tensor(std::vector<double>{0.9, 0.1, 0, 0.8, 0.1, 0.1, 0.2, 0.5, 0.3}, {1, 3, 3})};
  CHECK(arc_title(words).en() == "“books” attends to “the”, 0.80");
  words.weights = to_tensor(std::vector<double>{1, 0, 0, 0.8, 0.2, 0, 0.1, 0.6, 0.3}, {1, 3, 3});
  CHECK(arc_title(words).en() == "“are” attends to “books”, 0.60");
  words.weights = to_tensor(std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 3, 3});
  CHECK(arc_title(words).en() == "“the” attends to itself, 1.00");
  words.weights = to_tensor(std::vector<double>{0.7, 0.2, 0.1, 0.1, 0.8, 0.1, 0.3, 0.3, 0.4}, {1, 3, 3});
  CHECK(arc_title(words).en() == "“are” attends to “the”, 0.30");  // not uniform: books attends to itself
}

TEST_CASE("almost equal weights are called so, and no weight is none") {
  WordWeights words{to_say, source,
                    to_tensor(std::vector<double>{0.3, 0.36, 0.34, 0.33, 0.34, 0.33}, {1, 2, 3})};
  CHECK(arc_title(words).en() == "Almost uniform: “les” attends to “books”, 0.36");
  words.weights = Tensor<double>({1, 2, 3}, not_a_number);
  CHECK(arc_title(words).en() == "No weight is large enough for a line");
  CHECK(arcs_in(figure_of(words)).queries.size() == 2);
}

TEST_CASE("NaN, infinity and negative numbers are no link") {
  const WordWeights words{
      to_say, source,
      to_tensor(std::vector<double>{not_a_number, infinity, -0.9, 0.1, 0.25, 0.2}, {1, 2, 3})};
  const std::optional<WordLink> link = strongest_arc(words);
  REQUIRE(link);
  CHECK(link->weight == 0.25);
  CHECK(link->query == 1);
  CHECK(link->key == 1);
}

TEST_CASE("up to 24 words all queries are drawn; of 25 the row of one, and the caption says so") {
  const Figure whole = figure_of({numbered(24), numbered(24), long_weights(24)});
  CHECK(arcs_in(whole).queries.size() == 24);
  CHECK(whole.caption.en() == "Seed 0. Width: the weight, from 0.02 up.");
  const Figure row = figure_of({numbered(25), numbered(25), long_weights(25)});
  REQUIRE(arcs_in(row).queries.size() == 1);
  CHECK(arcs_in(row).queries[0].in(Language::en) == "3");
  REQUIRE(arcs_in(row).keys.size() == 24);
  CHECK(arcs_in(row).heads[0].weights.values[3] == 1.0);
  CHECK(arcs_in(row).heads[0].weights.values[7] == 0.5);
  CHECK(
      row.caption.en() ==
      "Seed 0. One of 25 queries. The 24 keys of 25 with the largest weights. Width: the weight, from 0.02 up.");
  CHECK(
      row.caption.ja() ==
      "種 0。クエリは 25 個のうち 1 個だけ。キーは 25 個のうち注意度の大きい 24 個。線の太さは注意度（0.02 未満は描かない）。");
  WordWeights chosen{numbered(25), numbered(25), long_weights(25)};
  chosen.row = 20;
  CHECK(arcs_in(figure_of(chosen)).queries[0].in(Language::en) == "20");
}

TEST_CASE("of several heads one query stands out, and of many those with the largest weights are drawn") {
  WordWeights words{to_say, source, Tensor<double>({9, 2, 3}, 0.1)};
  for (std::size_t head = 0; head < 9; ++head) {
    words.heads.push_back(Text::same(std::to_string(head)));
    words.weights(head, 1, 2) = 0.1 * static_cast<double>(9 - head);
  }
  words.shows = {"weights", 0};
  const Figure figure = figure_of(words);
  const Arcs& arcs = arcs_in(figure);
  CHECK(arcs.query == 1);
  REQUIRE(arcs.heads.size() == 7);
  CHECK(arcs.heads[6].name.en() == "6");
  CHECK(arcs.heads[6].shows.row == 12);  // two queries a head
  CHECK(
      figure.caption.en() ==
      "Seed 0. The 7 heads of 9 with the largest weights. Width: the weight, from 0.02 up; pale: other queries.");
}

TEST_CASE("weights of other shapes than the words are refused") {
  CHECK_THROWS_AS(figure_of({to_say, source, Tensor<double>({1, 3, 2}, 0.5)}), std::logic_error);
  CHECK_THROWS_AS(figure_of({to_say, source, Tensor<double>({2, 3}, 0.5)}), std::logic_error);
  CHECK_THROWS_AS(figure_of({{}, {}, Tensor<double>({1, 0, 0}, 0.0)}), std::logic_error);
}

}  // namespace attnlab
