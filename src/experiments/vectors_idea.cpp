// The idea in words: how much a query attends to other words, and how their values add up to the output.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "experiments/vectors/vectors.hpp"

namespace attnlab {
namespace {

/// 吾輩は猫である。名前はまだない。 - a word with its place in a plane, chosen by hand so that 名前 (the
/// query) lies nearer to what it is about.
struct Word {
  const char* ja;
  const char* en;
  double x;
  double y;
};
constexpr Word query_word{"名前", "name", 1.2, 0.6};
constexpr std::array<Word, 4> words{
    {{"吾輩", "I", 1.0, 0.4}, {"猫", "cat", 1.2, 0.5}, {"まだ", "yet", -0.4, 0.8}, {"ない", "no", 0.2, 1.2}}};

AttentionStages<double> attend() {
  const Tensor<double> query{{query_word.x, query_word.y}};
  Tensor<double> keys = Tensor<double>::from_shape({words.size(), 2});
  for (std::size_t i = 0; i < words.size(); ++i) {
    keys(i, 0) = words.at(i).x;
    keys(i, 1) = words.at(i).y;
  }
  return scaled_dot_product_attention(query, keys, keys, {1.0, {}});
}

// Both panels read from left to right, the words in the same rows.
constexpr double left = 0.22;
constexpr double right = 0.82;
constexpr double middle = 0.5;

double row_of(std::size_t i) {
  return (0.5 + static_cast<double>(i)) / static_cast<double>(words.size());
}

/// Fig. 2.2.1: arrows from the query to the keys, as wide as the weights written at them.
Diagram weights_diagram(const Tensor<double>& weights, double highest) {
  Diagram diagram{{{"query",
                    {fmt::format("クエリ：{}", query_word.ja), fmt::format("query: {}", query_word.en)},
                    left,
                    middle,
                    std::nullopt,
                    true}},
                  {},
                  std::nullopt};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words.at(i);
    const double weight = weights(0, i);
    diagram.edges.push_back(
        {0, diagram.nodes.size(), weight / highest, Text::same(fmt::format("{:.2f}", weight))});
    diagram.nodes.push_back(
        {fmt::format("keys[{}]", i), {word.ja, word.en}, right, row_of(i), std::nullopt, true});
  }
  return diagram;
}

/// Fig. 2.2.2: each value times its weight, all added up.
Diagram output_diagram(const Tensor<double>& weights, double highest) {
  Diagram diagram{{}, {}, std::nullopt};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words.at(i);
    const std::string weight = fmt::format("{:.2f} × ", weights(0, i));
    diagram.nodes.push_back({fmt::format("values[{}]", i),
                             {weight + word.ja, weight + word.en},
                             left,
                             row_of(i),
                             std::nullopt,
                             true});
    diagram.edges.push_back({i, words.size(), weights(0, i) / highest, Text::same("")});
  }
  diagram.nodes.push_back({"output", {"出力", "output"}, right, middle, std::nullopt, true});
  return diagram;
}

}  // namespace

Figure word_figure() {
  const Tensor<double> weights = attend().weights;
  const std::size_t best = largest_key(weights, 0);
  const double highest = weights(0, best);
  const Word& first = words.at(best);
  return {
      "idea",
      {fmt::format("クエリ「{}」の注意度は「{}」が最大（{:.2f}）", query_word.ja, first.ja, highest),
       fmt::format("The query \"{}\" attends most to \"{}\" ({:.2f})", query_word.en, first.en, highest)},
      {fmt::format("左はクエリ「{}"
                   "」から各キーへの矢印で、太さが注意度。右は注意度を掛けたバリューの合計が出力になる図。",
                   query_word.ja),
       fmt::format(
           "Left, arrows from the query \"{}\" to each key, as wide as the weights. Right, the values times "
           "their weights add up to the output.",
           query_word.en)},
      {"「吾輩は猫である。名前はまだない。」埋め込み（2 次元）は説明用に手で作ったもの。",
       "\"I am a cat. As yet I have no name.\" The embedding (2-D) is made by hand."},
      {{{"注意度", "Weights"}, weights_diagram(weights, highest)},
       {{"注意度 × バリューの合計", "Sum of weight × value"}, output_diagram(weights, highest)}},
      2,
      std::nullopt,
      {12.0, 5.0}};
}

}  // namespace attnlab
