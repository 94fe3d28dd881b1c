// Which query may read which key: three patterns, their combination, and what becomes of a row that reads
// nothing.
#include "attention/masks.hpp"

#include <xtensor/xbroadcast.hpp>

#include "attention/shape.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

/// A mask of one matrix; may_read(query, key) decides each entry.
template <class Rule>
BooleanMask mask_by_rule(std::size_t queries, std::size_t keys, Rule may_read) {
  BooleanMask mask = BooleanMask::from_shape({queries, keys});
  for (std::size_t query = 0; query < queries; ++query) {
    for (std::size_t key = 0; key < keys; ++key) mask(query, key) = may_read(query, key);
  }
  return mask;
}

}  // namespace

std::int64_t place_among_keys(std::size_t query, std::size_t queries, std::size_t keys,
                              CausalAlignment alignment) {
  const auto place = static_cast<std::int64_t>(query);
  if (alignment == CausalAlignment::top_left) return place;
  return place + static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
}

BooleanMask no_mask(std::size_t queries, std::size_t keys) {
  return mask_by_rule(queries, keys, [](std::size_t, std::size_t) { return true; });
}

BooleanMask causal_mask(std::size_t queries, std::size_t keys, CausalAlignment alignment) {
  return mask_by_rule(queries, keys, [=](std::size_t query, std::size_t key) {
    return static_cast<std::int64_t>(key) <= place_among_keys(query, queries, keys, alignment);
  });
}

BooleanMask padding_mask(std::size_t queries, std::size_t keys, std::size_t padded) {
  if (padded > keys) {
    refuse_usage(
        text("キーは {1} 個なので、{0} 個は隠せません", "cannot hide {} of {}", padded, counted(keys, "key")),
        text("{} 個以下にしてください", "hide {} at most", counted(keys, "key")));
  }
  const std::size_t real = keys - padded;
  return mask_by_rule(queries, keys, [real](std::size_t, std::size_t key) { return key < real; });
}

BooleanMask window_mask(std::size_t queries, std::size_t keys, std::size_t reach, CausalAlignment alignment) {
  const auto far_enough =
      static_cast<std::int64_t>(std::min(reach, queries + keys));  // no distance is larger
  return mask_by_rule(queries, keys, [=](std::size_t query, std::size_t key) {
    const std::int64_t place = place_among_keys(query, queries, keys, alignment);
    return std::abs(place - static_cast<std::int64_t>(key)) <= far_enough;
  });
}

BooleanMask both(const BooleanMask& a, const BooleanMask& b) {
  if (!broadcast(shape_of(a), shape_of(b))) {
    refuse_usage(
        text("形状 {} と {} のマスクは組み合わせられません", "masks of shapes {} and {} do not broadcast",
             printed(shape_of(a)), printed(shape_of(b))),
        {"どの軸も同じ大きさか 1 にしてください", "make each axis equal, or 1"});
  }
  return a && b;
}

KeyRange readable_by(const ReadableKeys& rule, std::size_t query, std::size_t queries, std::size_t keys) {
  const auto last_key = static_cast<std::int64_t>(keys) - 1;
  const std::int64_t place = place_among_keys(query, queries, keys, rule.alignment);
  std::int64_t first = 0;
  std::int64_t last = last_key - static_cast<std::int64_t>(std::min(rule.padded, keys));
  if (rule.causal) last = std::min(last, place);
  if (rule.reach) {
    const auto reach = static_cast<std::int64_t>(std::min(*rule.reach, keys + queries));
    first = std::max(first, place - reach);
    last = std::min(last, place + reach);
  }
  if (last < first) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last) + 1};
}

BooleanMask readable_mask(const ReadableKeys& rule, std::size_t queries, std::size_t keys) {
  BooleanMask mask = padding_mask(queries, keys, rule.padded);
  if (rule.causal) mask = both(mask, causal_mask(queries, keys, rule.alignment));
  if (rule.reach) mask = both(mask, window_mask(queries, keys, *rule.reach, rule.alignment));
  return mask;
}

template <class T>
Tensor<T> additive_mask(const BooleanMask& mask, T hidden) {
  Tensor<T> numbers = Tensor<T>::from_shape(mask.shape());
  std::transform(mask.begin(), mask.end(), numbers.begin(),
                 [hidden](bool may_read) { return may_read ? T(0) : hidden; });
  return numbers;
}

template <class T>
Tensor<T> with_masked_rows(const Tensor<T>& weights, const Tensor<T>& masked_scores, MaskedRow rule) {
  if (shape_of(weights) != shape_of(masked_scores)) {
    refuse_usage(text("注意度の形状 {} とスコアの形状 {} が異なります",
                      "weights of shape {} belong to no scores of shape {}", printed(shape_of(weights)),
                      printed(shape_of(masked_scores))),
                 {"同じ計算の注意度とスコアを渡してください", "give the scores the weights came from"});
  }
  Tensor<T> result = weights;
  if (result.size() == 0) return result;
  const std::size_t keys = result.shape().back();
  T replacement = std::numeric_limits<T>::quiet_NaN();
  if (rule == MaskedRow::zero) replacement = T(0);
  if (rule == MaskedRow::uniform) replacement = T(1) / static_cast<T>(keys);
  for (std::size_t start = 0; start < result.size(); start += keys) {
    const T* scores = masked_scores.data() + start;
    const bool all_hidden =
        std::all_of(scores, scores + keys, [](T score) { return std::isinf(score) && score < 0; });
    if (all_hidden) std::fill_n(result.data() + start, keys, replacement);
  }
  return result;
}

template <class T>
Tensor<T> leaked_mass(const Tensor<T>& weights, const BooleanMask& mask) {
  const Shape shape = shape_of(weights);
  if (shape.size() < 2 || broadcast(shape, shape_of(mask)) != shape) {
    refuse_usage(
        text("形状 {} のマスクは形状 {} の注意度に合いません",
             "a mask of shape {} does not fit weights of shape {}", printed(shape_of(mask)), printed(shape)),
        {"最後の 2 軸を (クエリ数, キー数) か 1 にしてください",
         "make its last two axes (queries, keys), or 1"});
  }
  const BooleanMask may_read = xt::broadcast(mask, shape);
  Tensor<T> leak = Tensor<T>::from_shape(Shape(shape.begin(), shape.end() - 1));  // (..., queries)
  const std::size_t keys = shape.back();
  for (std::size_t row = 0; row < leak.size(); ++row) {
    T sum = 0;
    for (std::size_t i = row * keys; i < (row + 1) * keys; ++i) {
      if (!may_read.flat(i)) sum += weights.flat(i);
    }
    leak.flat(row) = sum;
  }
  return leak;
}

template Tensor<float> additive_mask(const BooleanMask&, float);
template Tensor<double> additive_mask(const BooleanMask&, double);
template Tensor<float> with_masked_rows(const Tensor<float>&, const Tensor<float>&, MaskedRow);
template Tensor<double> with_masked_rows(const Tensor<double>&, const Tensor<double>&, MaskedRow);
template Tensor<float> leaked_mass(const Tensor<float>&, const BooleanMask&);
template Tensor<double> leaked_mass(const Tensor<double>&, const BooleanMask&);

}  // namespace attnlab
