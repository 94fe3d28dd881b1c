// Finds the axis of heads, and says which layout would fit where it does not.
#include "attend/run.hpp"

#include "attention/weight_layout.hpp"

namespace attnlab {
namespace {

/// One of query, key and value, for messages.
struct Operand {
  Text name;
  std::size_t heads = 0;
};

Text would_fit(const std::string& flags) { return text("{} なら合います", "with {} it would fit", flags); }

void require_rank(const Shape& shape, std::size_t rank, const Text& name) {
  if (shape.size() >= rank) return;
  const std::string needed = rank == 2 ? "(..., L, D)" : "(..., H, L, D)";
  refuse_attend("rank", {{"name", name}, {"shape", printed(shape)}, {"needed", needed}});
}

/// The number of heads that an axis holds; refuses another than what was asked for.
void require_head_axis(const Shape& shape, std::size_t axis_from_end, const Operand& role, HeadPlace place) {
  require_rank(shape, 3, role.name);
  const std::size_t found = shape[shape.size() - axis_from_end];
  if (role.heads == 0 || found == role.heads) return;
  const std::size_t other_axis = axis_from_end == 3 ? 2 : 3;
  Text hint = attend_sentence("fit_heads");
  if (shape[shape.size() - other_axis] == role.heads) {
    hint = would_fit(place == HeadPlace::first ? "--head-layout last" : "--head-layout first");
  } else if (shape.back() % role.heads == 0) {
    hint = would_fit("--head-layout width");
  }
  refuse_attend("head_axis", {{"name", role.name},
                              {"shape", printed(shape)},
                              {"found", found},
                              {"heads", role.heads},
                              {"hint", hint}});
}

template <class T>
Tensor<T> with_heads_first(Tensor<T> tensor, HeadPlace place, const Operand& role) {
  const Shape shape = shape_of(tensor);
  if (place == HeadPlace::first) {
    require_head_axis(shape, 3, role, place);
    return tensor;
  }
  if (place == HeadPlace::last) {
    require_head_axis(shape, 2, role, place);
    return heads_before_length(tensor);
  }
  require_rank(shape, 2, role.name);
  if (role.heads == 0 || shape.back() % role.heads != 0) {
    const bool is_first = shape.size() >= 3 && shape[shape.size() - 3] == role.heads;
    const bool is_last = shape.size() >= 3 && shape[shape.size() - 2] == role.heads;
    const Text hint = is_first  ? would_fit("--head-layout first")
                      : is_last ? would_fit("--head-layout last")
                                : attend_sentence("divisor");
    refuse_attend("head_width",
                  {{"name", role.name}, {"width", shape.back()}, {"heads", role.heads}, {"hint", hint}});
  }
  return heads_from_width(tensor, role.heads);
}

/// Where the heads lie when nobody says so: before the length if that axis has as many, else in the width.
HeadPlace found_place(const Shape& query, const AttendSettings& settings) {
  if (settings.head_place != HeadPlace::automatic) return settings.head_place;
  if (settings.heads == 0) return HeadPlace::first;
  const bool is_first = query.size() >= 3 && query[query.size() - 3] == settings.heads;
  return is_first ? HeadPlace::first : HeadPlace::width;
}

/// Warns where the number of heads fits another place, too, than the one that was found. Of four axes one
/// holds heads: their width is no other place then.
void warn_of_places(const Shape& query, HeadPlace found, const AttendSettings& settings,
                    std::vector<Text>& warnings) {
  if (settings.head_place != HeadPlace::automatic || settings.heads == 0 || query.size() < 3) return;
  const auto is_at = [&](std::size_t from_end) { return query[query.size() - from_end] == settings.heads; };
  std::string others;
  const auto add = [&](HeadPlace place, bool fits, const char* word) {
    if (fits && place != found)
      others += (others.empty() ? "--head-layout " : ", --head-layout ") + std::string(word);
  };
  add(HeadPlace::first, is_at(3), "first");
  add(HeadPlace::last, is_at(2), "last");
  add(HeadPlace::width, query.size() == 3 && query.back() % settings.heads == 0, "width");
  if (others.empty()) return;
  warnings.push_back(attend_sentence("open_places", {{"shape", printed(query)},
                                                     {"heads", settings.heads},
                                                     {"found", found == HeadPlace::first ? "first" : "width"},
                                                     {"others", others}}));
}

/// A tensor of four axes or more holds heads; one of three is a batch, unless a flag speaks of heads.
bool speaks_of_heads(const Shape& query, const AttendSettings& settings) {
  return settings.heads != 0 || settings.kv_heads != 0 || settings.head_place != HeadPlace::automatic ||
         query.size() >= 4;
}

template <class T>
void require_shared_heads(const HeadTensors<T>& heads) {
  const bool same = heads.value.shape()[heads.value.dimension() - 3] == heads.kv_heads;
  const bool any = heads.heads > 0 && heads.kv_heads > 0;
  if (any && same && heads.heads % heads.kv_heads == 0) return;
  const std::size_t of_values = heads.value.shape()[heads.value.dimension() - 3];
  refuse_attend("shared_heads", {{"query", heads.heads}, {"key", heads.kv_heads}, {"value", of_values}});
}

/// Lengths and widths, with the layout that would make them fit.
template <class T>
void require_operands(const HeadTensors<T>& heads, const AttendSettings& settings) {
  const Shape query = shape_of(heads.query);
  const Shape key = shape_of(heads.key);
  if (query.back() == key.back()) return;
  Text hint = attend_sentence("one_width");
  const std::size_t joined = key.back() * heads.kv_heads;
  if (heads.has_heads && settings.kv_heads == 0 && query.back() != 0 && joined % query.back() == 0 &&
      heads.heads % (joined / query.back()) == 0) {
    hint = would_fit(fmt::format("--kv-heads {}", joined / query.back()));
  } else if (key.size() >= 2 && query.back() == key[key.size() - 2]) {
    hint = attend_sentence("transposed");
  }
  refuse_attend("operands", {{"query", query.back()}, {"key", key.back()}, {"hint", hint}});
}

/// Without heads keys are broadcast, never shared in groups: a flag must say that an axis holds heads.
void require_one_batch(const Shape& query, const Shape& key) {
  const Shape of_query = batch_of(query);
  const Shape of_key = batch_of(key);
  if (broadcast(of_query, of_key)) return;
  const bool would_share = joined_heads(of_query, of_key).has_value();
  const Text hint = would_share ? would_fit(fmt::format("--heads {}", of_query.back()))
                                : attend_sentence("as_many_entries");
  refuse_attend("batches", {{"query", printed(query)}, {"key", printed(key)}, {"hint", hint}});
}

template <class T>
void require_gain(const std::optional<Tensor<T>>& gain, std::size_t width, std::size_t heads,
                  const Text& name) {
  if (!gain || gain->size() == width || gain->size() * heads == width) return;
  refuse_attend("gain", {{"name", name}, {"gains", gain->size()}, {"each", width / heads}, {"width", width}});
}

}  // namespace

template <class T>
void take_norms(AttendInputs<T>& inputs, const AttendSettings& settings) {
  bool has_norms = false;
  if (inputs.weights) {
    LayerWeights<T>& weights = *inputs.weights;
    require_gain(weights.query_norm, weights.query.shape()[1], weights.heads, {"クエリ", "queries"});
    require_gain(weights.key_norm, weights.key.shape()[1], weights.kv_heads, {"キー", "keys"});
    for (auto* gain : {&weights.query_norm, &weights.key_norm}) {
      if (!*gain) continue;
      has_norms = true;
      if (settings.norm_gain == NormGain::plus_one) *gain = Tensor<T>(**gain + T(1));
    }
  }
  if (has_norms) return;
  const bool has_eps = settings.norm_eps.has_value();
  if (!has_eps && settings.norm_gain == NormGain::as_stored) return;
  refuse_attend("no_norm", {{"flag", has_eps ? "--norm-eps" : "--norm-gain"}});
}

RotaryAngles rotary_angles(const Rotary& rotary, CausalAlignment alignment, const Shape& query,
                           const Shape& key) {
  const std::size_t width = rotary.width == 0 ? query.back() : rotary.width;
  if (width > query.back()) refuse_attend("rope_width", {{"width", width}, {"head", query.back()}});
  const std::size_t queries = query[query.size() - 2];
  const std::size_t keys = key[key.size() - 2];
  const std::int64_t first = place_among_keys(0, queries, keys, alignment);
  const std::size_t length =
      std::max(queries + static_cast<std::size_t>(std::max<std::int64_t>(first, 0)), keys);
  RotaryTurns turns = rotary_turns(rotary.base, width, length, rotary.scaling);
  const Tensor<double> of_query = rotary_angles(first, queries, turns.frequencies);
  const Tensor<double> of_key = rotary_angles(0, keys, turns.frequencies);
  return {std::move(turns), first, of_query, of_key};
}

template <class T>
HeadTensors<T> cut_into_heads(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                              const LayerWeights<T>& weights) {
  HeadTensors<T> heads;
  heads.query = heads_from_width(query, weights.heads);
  heads.key = heads_from_width(key, weights.kv_heads);
  heads.value = heads_from_width(value, weights.kv_heads);
  heads.has_heads = heads.in_width = true;
  heads.heads = weights.heads;
  heads.kv_heads = weights.kv_heads;
  return heads;
}

template <class T>
HeadTensors<T> input_heads(AttendInputs<T>& inputs, const AttendSettings& settings) {
  Tensor<T> key = inputs.key ? std::move(*inputs.key) : inputs.query;
  Tensor<T> value = inputs.value ? std::move(*inputs.value) : inputs.query;
  Tensor<T> query = std::move(inputs.query);
  HeadTensors<T> heads;
  const Shape shape = shape_of(query);
  if (!speaks_of_heads(shape, settings)) {
    require_rank(shape, 2, {"クエリ", "query"});
    require_rank(shape_of(key), 2, {"キー", "key"});
    require_rank(shape_of(value), 2, {"バリュー", "value"});
    require_one_batch(shape, shape_of(key));
    heads.query = std::move(query);
    heads.key = std::move(key);
    heads.value = std::move(value);
  } else {
    const HeadPlace place = found_place(shape, settings);
    const std::size_t shared = settings.kv_heads != 0      ? settings.kv_heads
                               : place == HeadPlace::width ? settings.heads
                                                           : 0;  // the keys' own axis says it
    if (place == HeadPlace::width && settings.heads == 0) refuse_attend("layout_needs_heads");
    warn_of_places(shape, place, settings, inputs.warnings);
    heads.query = with_heads_first(std::move(query), place, {{"クエリ", "query"}, settings.heads});
    heads.key = with_heads_first(std::move(key), place, {{"キー", "key"}, shared});
    heads.value = with_heads_first(std::move(value), place, {{"バリュー", "value"}, shared});
    heads.has_heads = true;
    heads.in_width = place == HeadPlace::width;
    heads.heads = heads.query.shape()[heads.query.dimension() - 3];
    heads.kv_heads = heads.key.shape()[heads.key.dimension() - 3];
    require_shared_heads(heads);
  }
  require_operands(heads, settings);
  return heads;
}

template void take_norms(AttendInputs<float>&, const AttendSettings&);
template void take_norms(AttendInputs<double>&, const AttendSettings&);
template HeadTensors<float> cut_into_heads(const Tensor<float>&, const Tensor<float>&, const Tensor<float>&,
                                           const LayerWeights<float>&);
template HeadTensors<double> cut_into_heads(const Tensor<double>&, const Tensor<double>&,
                                            const Tensor<double>&, const LayerWeights<double>&);
template HeadTensors<float> input_heads(AttendInputs<float>&, const AttendSettings&);
template HeadTensors<double> input_heads(AttendInputs<double>&, const AttendSettings&);

}  // namespace attnlab
