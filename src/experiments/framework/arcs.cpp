#include "experiments/framework/arcs.hpp"

#include <xtensor/xview.hpp>

#include "core/constants.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_heads = 7;  // as many as there are colours

/// Queries and keys are the same words.
bool is_self_attention(const WordWeights& words) {
  return words.queries.size() == words.keys.size() &&
         std::equal(words.queries.begin(), words.queries.end(), words.keys.begin(),
                    [](const ShortText& query, const ShortText& key) {
                      return query.in(Language::en) == key.in(Language::en);
                    });
}

/// The largest of the weights that have a line and for whose link `counts` holds.
template <class Counts>
std::optional<WordLink> largest_link(const WordWeights& words, const Counts& counts) {
  std::optional<WordLink> largest;
  const std::size_t keys = words.keys.size();
  const std::size_t row_count = words.queries.size();
  for (std::size_t i = 0; i < words.weights.size(); ++i) {
    const WordLink link{i / keys / row_count, i / keys % row_count, i % keys, words.weights.flat(i)};
    if (!std::isfinite(link.weight) || link.weight < (largest ? largest->weight : least_arc)) continue;
    if ((!largest || link.weight > largest->weight) && counts(link)) largest = link;
  }
  return largest;
}

/// So many keys of a query have a weight in a head.
std::size_t keys_of(const WordWeights& words, const WordLink& link) {
  const Tensor<double> row = xt::view(words.weights, link.head, link.query, xt::all());
  return static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](double weight) { return weight > 0.0; }));
}

/// No query has a weight of half as much again as an equal share, itself included.
bool is_almost_uniform(const WordWeights& words) {
  constexpr double uniform = 1.5;  // times an equal share
  const auto stands_out = [&](const WordLink& link) {
    const std::size_t keys = keys_of(words, link);
    return words.row.value_or(link.query) == link.query && keys > 1 &&
           link.weight * static_cast<double>(keys) >= uniform;
  };
  return !largest_link(words, stands_out);
}

using Places = std::vector<std::size_t>;

/// Those of the largest so many, in their order.
Places largest_few(const Tensor<double>& values, std::size_t most) {
  Places order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values.flat(a) > values.flat(b); });
  order.resize(std::min(most, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

/// What a page has room for: these heads and keys, and queries from `first` to `end` - 1.
struct ArcsPart {
  std::size_t first = 0;
  std::size_t end = 0;
  Places heads = {};
  Places keys = {};
};

/// The link is among them whatever else there is.
ArcsPart part_of(const WordWeights& words, const WordLink& link) {
  const bool all = words.queries.size() <= most_arc_words && words.keys.size() <= most_arc_words;
  ArcsPart part = all ? ArcsPart{0, words.queries.size()} : ArcsPart{link.query, link.query + 1};
  const Tensor<double> finite = xt::where(xt::isfinite(words.weights), words.weights, 0.0);
  const Tensor<double> rows = xt::view(finite, xt::all(), xt::range(part.first, part.end));
  Tensor<double> of_heads = xt::amax(rows, {1, 2});
  Tensor<double> of_keys = xt::amax(rows, {0, 1});
  of_heads(link.head) = of_keys(link.key) = infinity;
  part.heads = largest_few(of_heads, most_heads);
  part.keys = largest_few(of_keys, most_arc_words);
  return part;
}

ArcsOfHead arcs_of(const WordWeights& words, const ArcsPart& part, std::size_t head) {
  const Tensor<double> weights =
      xt::view(words.weights, head, xt::range(part.first, part.end), xt::keep(part.keys));
  return {words.heads.empty() ? Text::none() : words.heads[head],
          to_matrix(weights),
          {words.shows.stage, words.shows.row + head * words.queries.size() + part.first}};
}

/// What the caption says of lines, and of what has none.
Text about_lines(const WordWeights& words, const ArcsPart& part, bool singles_out) {
  const std::size_t heads = words.weights.shape()[0];
  const std::size_t keys = words.keys.size();
  const bool one_row = part.end - part.first < words.queries.size();
  const auto where = [](bool holds, const Text& sentence) { return holds ? sentence : Text::none(); };
  return text(
      "{}{}{}線の太さは注意度（{} 未満は描かない）{}。", "{}{}{} Width: the weight, from {} up{}.",
      where(one_row, text("クエリは {} 個のうち 1 個だけ。", " One of {} queries.", words.queries.size())),
      where(part.keys.size() < keys,
            text("キーは {1} 個のうち注意度の大きい {0} 個。", " The {} keys of {} with the largest weights.",
                 part.keys.size(), keys)),
      where(part.heads.size() < heads,
            text("ヘッドは {1} 個のうち注意度の大きい {0} 個。",
                 " The {} heads of {} with the largest weights.", part.heads.size(), heads)),
      least_arc, where(singles_out, {"、薄い線は他のクエリ", "; pale: other queries"}));
}

}  // namespace

std::vector<ShortText> words_or_numbers(std::vector<ShortText> words, std::size_t begin, std::size_t end) {
  if (!words.empty()) return words;
  words.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) words.emplace_back(std::to_string(i));
  return words;
}

std::optional<WordLink> strongest_arc(const WordWeights& words) {
  const auto is_in_row = [&](const WordLink& link) { return words.row.value_or(link.query) == link.query; };
  if (is_self_attention(words)) {
    const bool looks_ahead =
        largest_link(words, [](const WordLink& link) { return link.key > link.query; }).has_value();
    const std::optional<WordLink> link = largest_link(words, [&](const WordLink& one) {
      return is_in_row(one) && one.key != one.query && (looks_ahead || one.key > 0);
    });
    if (link) return link;
  }
  return largest_link(words, is_in_row);
}

Text arc_title(const WordWeights& words) {
  const std::optional<WordLink> link = strongest_arc(words);
  if (!link) return {"線になるほど大きい注意度はない", "No weight is large enough for a line"};
  const ShortText& query = words.queries[link->query];
  const ShortText& key = words.keys[link->key];
  if (keys_of(words, *link) > 1 && is_almost_uniform(words))
    return text("注意度はほぼ均等：「{}」から「{}」へは {:.2f}",
                "Almost uniform: “{}” attends to “{}”, {:.2f}", query, key, link->weight);
  const Text head = words.heads.empty() ? Text::none() : text("{}：", "{}: ", words.heads[link->head]);
  if (is_self_attention(words) && link->key == link->query)
    return text("{}「{}」は自分自身に注目する、{:.2f}", "{}“{}” attends to itself, {:.2f}", head, query,
                link->weight);
  return text("{}「{}」は「{}」に注目する、{:.2f}", "{}“{}” attends to “{}”, {:.2f}", head, query, key,
              link->weight);
}

Figure arcs_figure(const WordWeights& words, const Text& title, const Text& caption) {
  const auto& shape = words.weights.shape();
  if (words.weights.size() == 0 || shape.size() != 3 || shape[1] != words.queries.size() ||
      shape[2] != words.keys.size() || words.row.value_or(0) >= shape[1])
    throw std::logic_error("arcs need weights (heads, queries, keys) and as many words");
  const WordLink link = strongest_arc(words).value_or(WordLink{0, words.row.value_or(0)});
  const ArcsPart part = part_of(words, link);
  const auto first_query = words.queries.begin();
  Arcs arcs{"arcs",
            {first_query + static_cast<std::ptrdiff_t>(part.first),
             first_query + static_cast<std::ptrdiff_t>(part.end)},
            {},
            {}};
  arcs.keys.reserve(part.keys.size());
  arcs.heads.reserve(part.heads.size());
  for (const std::size_t key : part.keys) arcs.keys.push_back(words.keys[key]);
  for (const std::size_t head : part.heads) arcs.heads.push_back(arcs_of(words, part, head));
  const bool singles_out = arcs.queries.size() > 1 && (words.row || arcs.heads.size() > 1);
  if (singles_out) arcs.query = link.query;
  const auto longest = static_cast<double>(std::max(arcs.queries.size(), arcs.keys.size()));
  const Text description = text(
      "クエリの語 {} 個とキーの語 {} 個を並べ、注意度が大きいほど太い線で結んだ図。{}。",
      "Words in two columns, {} queries and {} keys, and lines between them: the larger the weight, the wider. {}.",
      arcs.queries.size(), arcs.keys.size(), title);
  return Figure{"arcs", title}
      .described(description)
      .captioned(text("{}{}", "{}{}", caption, about_lines(words, part, singles_out)))
      .panel(std::move(arcs))
      .on_page(9.0, std::clamp(2.6 + 0.36 * longest, 5.0, 10.0));
}

}  // namespace attnlab
