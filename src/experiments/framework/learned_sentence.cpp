#include "experiments/framework/learned_sentence.hpp"

#include <toml++/toml.h>

#include "core/embedded_file.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

template <class T>
std::vector<T> list_of(const toml::table& table, const char* key) {
  const toml::array& items = *table[key].as_array();
  std::vector<T> values;
  values.reserve(items.size());
  for (const toml::node& item : items) values.push_back(item.value<T>().value());
  return values;
}

LearnedSentence recorded_in(const char* language) {
  const EmbeddedFile& file = sentence_files().front();
  const toml::table root = toml::parse(file.text, file.path);
  const toml::table& table = *root[language].as_table();
  const auto word = [&table](const char* key) { return table[key].value<std::string>().value(); };
  const auto place = [&table](const char* key) { return table[key].value<std::size_t>().value(); };
  LearnedSentence sentence{word("model"),
                           word("text"),
                           list_of<std::string>(table, "labels"),
                           word("next"),
                           table["probability"].value<double>().value(),
                           place("layer"),
                           place("head"),
                           list_of<double>(table, "without"),
                           {}};
  const std::size_t n = sentence.labels.size();
  sentence.weights = to_tensor(list_of<double>(table, "weights"), {sentence.without.size(), n, n});
  return sentence;
}

/// To which the last token gives most in that head.
std::size_t favourite_key(const LearnedSentence& sentence, std::size_t head) {
  return largest_in_row(sentence.weights, (head + 1) * sentence.labels.size() - 1);
}

}  // namespace

const LearnedSentence& learned_sentence(Language language) {
  static const LearnedSentence japanese = recorded_in("ja");
  static const LearnedSentence english = recorded_in("en");
  return language == Language::ja ? japanese : english;
}

Text title_of(const LearnedSentence& sentence) {
  const std::size_t key = favourite_key(sentence, sentence.head);
  return text("「{}」は「{}」に注目する：{:.2f}", "“{}” attends to “{}”, {:.2f}", sentence.labels.back(),
              sentence.labels[key], sentence.weights(sentence.head, sentence.labels.size() - 1, key));
}

Text caption_of(const LearnedSentence& sentence) {
  return text(
      "付属の学習済みモデル {0} の第 {1} 層。次の語「{2}」の確率 {3:.3f} は、ヘッド {4} を除くと {5:.3f} に下がる。ほかのどのヘッドを除くより大きく下がる。",
      "Layer {1} of {0}, a trained model that comes along. Without head {4} the probability of the next word, “{2}”, falls from {3:.3f} to {5:.3f}: no other head adds as much.",
      sentence.model, sentence.layer, sentence.next, sentence.probability, sentence.head,
      sentence.without[sentence.head]);
}

HeatMap map_of(const LearnedSentence& sentence, std::size_t head) {
  const std::size_t n = sentence.labels.size();
  const double* const weights = sentence.weights.data() + head * n * n;
  std::vector<bool> later(n * n);
  for (std::size_t i = 0; i < later.size(); ++i) later[i] = i % n > i / n;
  std::vector<bool> named(n * n);
  named[(n - 1) * n + favourite_key(sentence, head)] = true;
  return HeatMap{fmt::format("{}[{}]", sentence.model, head), {n, n, {weights, weights + n * n}}}
      .rows({"クエリ", "Query"}, short_texts(sentence.labels))
      .columns({"キー", "Key"}, short_texts(sentence.labels))
      .coloured(weight_colours())
      .with_numbers(2)
      .hiding(std::move(later))
      .marking(std::move(named));
}

Figure sentence_figure(Figure (*figure_of)(const LearnedSentence&)) {
  Figure figure =
      in_both_languages(figure_of(learned_sentence(Language::ja)), figure_of(learned_sentence(Language::en)));
  add_to_caption(figure, {"枠：最後のトークンの最大の注意度。斜線：後のトークン（注意度 0）。",
                          "Framed: the last token's largest weight. Hatched: later tokens, weight 0."});
  figure.is_recorded = true;
  return figure;
}

bool are_defaults(const Arguments& arguments) {
  const std::vector<UsedParameter> used = used_parameters(arguments);
  return arguments.sources.arrays.empty() &&
         std::all_of(used.begin(), used.end(), [](const UsedParameter& one) { return one.is_default; });
}

}  // namespace attnlab
