// Finds the axis of heads, and says which layout would fit where it does not.
#include "attend/heads.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "attention/batches.hpp"
#include "attention/head_axis.hpp"
#include "attention/matmul.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

/// One of query, key and value, for messages.
struct Role {
  Text name;
  std::size_t heads = 0;
};

[[noreturn]] void refuse(const Text& problem, const Text& hint) {
  throw Error(ErrorKind::usage, problem, hint);
}

Text would_fit(const std::string& flags) {
  return {fmt::format("{} なら合います", flags), fmt::format("with {} it would fit", flags)};
}

void require_rank(const Shape& shape, std::size_t rank, const Text& name) {
  if (shape.size() >= rank) return;
  const std::string needed = rank == 2 ? "(..., L, D)" : "(..., H, L, D)";
  refuse({fmt::format("{} の形状 {} は {} ではありません", name.ja(), printed(shape), needed),
          fmt::format("{} has the shape {}, which is no {}", name.en(), printed(shape), needed)},
         {"軸を足して保存し直すか、--head-layout を確かめてください",
          "save it with that many axes, or check --head-layout"});
}

/// The number of heads that an axis holds; refuses another than what was asked for.
void require_head_axis(const Shape& shape, std::size_t axis_from_end, const Role& role, HeadPlace place) {
  require_rank(shape, 3, role.name);
  const std::size_t found = shape[shape.size() - axis_from_end];
  if (role.heads == 0 || found == role.heads) return;
  const std::size_t other_axis = axis_from_end == 3 ? 2 : 3;
  Text hint{"--heads と --kv-heads を形状に合わせてください", "make --heads and --kv-heads fit the shape"};
  if (shape[shape.size() - other_axis] == role.heads) {
    hint = would_fit(place == HeadPlace::first ? "--head-layout last" : "--head-layout first");
  } else if (shape.back() % role.heads == 0) {
    hint = would_fit("--head-layout width");
  }
  refuse(
      {fmt::format("{} の形状 {} のヘッドは {} 個で、{} 個ではありません", role.name.ja(), printed(shape),
                   found, role.heads),
       fmt::format("{} of shape {} has {} heads, not {}", role.name.en(), printed(shape), found, role.heads)},
      hint);
}

template <class T>
Tensor<T> with_heads_first(Tensor<T> tensor, HeadPlace place, const Role& role) {
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
                                : Text{"ヘッド数は幅の約数にしてください", "choose a divisor of the width"};
    refuse(
        {fmt::format("{} の幅 {} は {} 個のヘッドに分けられません", role.name.ja(), shape.back(), role.heads),
         fmt::format("{} has width {}, which cannot be split over {} heads", role.name.en(), shape.back(),
                     role.heads)},
        hint);
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
  refuse({fmt::format("ヘッド数が合いません（クエリ {}、キー {}、バリュー {}）", heads.heads, heads.kv_heads,
                      of_values),
          fmt::format("the numbers of heads do not fit: queries {}, keys {}, values {}", heads.heads,
                      heads.kv_heads, of_values)},
         {"キーとバリューのヘッド数は同じで、クエリのヘッド数の約数にしてください",
          "keys and values need the same number, a divisor of the queries'"});
}

/// Lengths and widths, with the layout that would make them fit.
template <class T>
void require_operands(const HeadTensors<T>& heads, const AttendSettings& settings) {
  const Shape query = shape_of(heads.query);
  const Shape key = shape_of(heads.key);
  if (query.back() == key.back()) return;
  Text hint{"クエリとキーの最後の軸を同じ長さにしてください", "give queries and keys one width"};
  const std::size_t joined = key.back() * heads.kv_heads;
  if (heads.has_heads && settings.kv_heads == 0 && query.back() != 0 && joined % query.back() == 0 &&
      heads.heads % (joined / query.back()) == 0) {
    hint = would_fit(fmt::format("--kv-heads {}", joined / query.back()));
  } else if (key.size() >= 2 && query.back() == key[key.size() - 2]) {
    hint = {"キーが転置されているようです。(キー数, 次元) で保存してください",
            "the keys seem to be transposed: save them as (keys, width)"};
  }
  refuse({fmt::format("1 ヘッドの幅がクエリでは {}、キーでは {} です", query.back(), key.back()),
          fmt::format("a head is {} wide in the queries and {} in the keys", query.back(), key.back())},
         hint);
}

/// Without heads keys are broadcast, never shared in groups: a flag must say that an axis holds heads.
void require_one_batch(const Shape& query, const Shape& key) {
  const Shape of_query = batch_of(query);
  const Shape of_key = batch_of(key);
  if (broadcast(of_query, of_key)) return;
  const bool would_share = joined_heads(of_query, of_key).has_value();
  refuse(
      {fmt::format("クエリ {} とキー {} のバッチの軸が合いません", printed(query), printed(key)),
       fmt::format("the batch axes of query {} and key {} do not broadcast", printed(query), printed(key))},
      would_share ? would_fit(fmt::format("--heads {}", of_query.back()))
                  : Text{"同じ数の要素にしてください", "give both as many entries"});
}

}  // namespace

template <class T>
Projected<T> project(const Tensor<T>& tokens, const Tensor<T>& matrix, const std::optional<Tensor<T>>& bias) {
  Projected<T> result;
  result.projected = matmul(tokens, matrix);
  if (bias) {
    result.linear = result.projected;
    result.projected += *bias;
  }
  return result;
}

template <class T>
HeadTensors<T> cut_into_heads(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                              const LayerWeights<T>& weights) {
  return {heads_from_width(query, weights.heads),
          heads_from_width(key, weights.kv_heads),
          heads_from_width(value, weights.kv_heads),
          true,
          weights.heads,
          weights.kv_heads,
          true};
}

template <class T>
HeadTensors<T> given_heads(AttendInputs<T>& inputs, const AttendSettings& settings) {
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
    if (place == HeadPlace::width && settings.heads == 0) {
      refuse({"--head-layout width には --heads が必要です", "--head-layout width needs --heads"},
             {"例：--heads 8", "for example --heads 8"});
    }
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

template Projected<float> project(const Tensor<float>&, const Tensor<float>&,
                                  const std::optional<Tensor<float>>&);
template Projected<double> project(const Tensor<double>&, const Tensor<double>&,
                                   const std::optional<Tensor<double>>&);
template HeadTensors<float> cut_into_heads(const Tensor<float>&, const Tensor<float>&, const Tensor<float>&,
                                           const LayerWeights<float>&);
template HeadTensors<double> cut_into_heads(const Tensor<double>&, const Tensor<double>&,
                                            const Tensor<double>&, const LayerWeights<double>&);
template HeadTensors<float> given_heads(AttendInputs<float>&, const AttendSettings&);
template HeadTensors<double> given_heads(AttendInputs<double>&, const AttendSettings&);

}  // namespace attnlab
