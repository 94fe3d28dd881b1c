#include "attention/streaming/readable_keys.hpp"

#include <algorithm>
#include <cstdint>

namespace attnlab {

KeyRange readable_by(const ReadableKeys& rule, std::size_t query, std::size_t queries, std::size_t keys) {
  const auto last_key = static_cast<std::int64_t>(keys) - 1;
  const auto index = static_cast<std::int64_t>(query);
  const std::int64_t from_the_end =
      index + static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  std::int64_t first = 0;
  std::int64_t last = last_key - static_cast<std::int64_t>(std::min(rule.padded, keys));
  if (rule.causal) last = std::min(last, *rule.causal == CausalAlignment::top_left ? index : from_the_end);
  if (rule.reach) {
    const auto reach = static_cast<std::int64_t>(std::min(*rule.reach, keys + queries));
    first = std::max(first, from_the_end - reach);
    last = std::min(last, from_the_end + reach);
  }
  if (last < first) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last) + 1};
}

BooleanMask readable_mask(const ReadableKeys& rule, std::size_t queries, std::size_t keys) {
  BooleanMask mask = padding_mask(queries, keys, rule.padded);
  if (rule.causal) mask = both(mask, causal_mask(queries, keys, *rule.causal));
  if (rule.reach) mask = both(mask, window_mask(queries, keys, *rule.reach));
  return mask;
}

}  // namespace attnlab
