// What goes wrong with an array as a whole: its axes, the order of its heads, dropout, a mean.
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Shape = std::vector<std::size_t>;
using Wholes = std::vector<WrongWhole>;

/// (queries, keys, heads) for (heads, queries, keys), or a transposed result.
void add_other_axes(const Array& right, Wholes& wholes) {
  const std::size_t rank = right.shape.size();
  if (rank < 2 || rank > 4) return;
  Shape order(rank);
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end())) {
    Array turned = right;
    std::vector<std::string> names;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      turned.shape[axis] = right.shape[order[axis]];
      names.push_back(axis_name(right, rank - order[axis]));
    }
    for (std::size_t i = 0; i < right.data.size(); ++i) {
      const Shape to = index_at(i, turned.shape);
      Shape from(rank);
      for (std::size_t axis = 0; axis < rank; ++axis) from[order[axis]] = to[axis];
      std::size_t flat = 0;
      for (std::size_t axis = 0; axis < rank; ++axis) flat = flat * right.shape[axis] + from[axis];
      turned.data[i] = right.data[flat];
    }
    const bool last_two = order[rank - 1] == rank - 2 && order[rank - 2] == rank - 1;
    wholes.push_back({last_two ? "transposed" : "axes-in-another-order",
                      std::move(turned),
                      {"", "", 0.0, joined(names, ", ")}});
  }
}

/// Each entry of an axis from the place of the one that it is nearest to: heads, tokens, the batch.
void add_other_order(const Array& right, const Array& submitted, std::size_t axis, Wholes& wholes) {
  constexpr std::size_t most = 256;  // entries, each of which is compared with each
  const std::size_t length = right.shape[axis];
  constexpr std::size_t most_compared = std::size_t{1} << 26U;
  if (length < 2 || length > most || length * right.data.size() > most_compared) return;
  std::size_t inner = 1;
  for (std::size_t after = axis + 1; after < right.shape.size(); ++after) inner *= right.shape[after];
  const auto flat = [&](std::size_t i, std::size_t entry) {  // the i-th value of an entry
    return (i / inner * length + entry) * inner + i % inner;
  };
  const std::size_t cells = right.data.size() / length;
  std::set<std::size_t> taken;
  std::vector<std::size_t> order;
  Array moved = right;
  for (std::size_t entry = 0; entry < length; ++entry) {
    std::vector<double> distances;
    for (std::size_t other = 0; other < length; ++other) {
      double sum = 0.0;
      for (std::size_t i = 0; i < cells; ++i)
        sum += difference(submitted.data[flat(i, entry)], right.data[flat(i, other)]);
      distances.push_back(taken.count(other) == 1 ? infinity : sum);
    }
    order.push_back(
        static_cast<std::size_t>(std::min_element(distances.begin(), distances.end()) - distances.begin()));
    taken.insert(order.back());
    for (std::size_t i = 0; i < cells; ++i) moved.data[flat(i, entry)] = right.data[flat(i, order.back())];
  }
  const std::string name = axis_name(right, right.shape.size() - axis);
  std::vector<std::size_t> reverse(length);
  std::iota(reverse.rbegin(), reverse.rend(), 0);
  constexpr std::size_t listed = 12;
  const std::string more = order.size() > listed ? ", …" : "";
  if (order == reverse) {
    wholes.push_back({"axis-reversed", std::move(moved), {"", "", 0.0, name}});
    return;
  }
  order.resize(std::min(order.size(), listed));
  const char* const id = name == "heads" ? "heads-in-another-order" : "axis-in-another-order";
  const std::string places = joined(order, ", ") + more;
  wholes.push_back({id,
                    std::move(moved),
                    {"", "", 0.0, name == "heads" ? places : name, places},
                    6.0 + 0.5 * static_cast<double>(length)});
}

/// The right values times one number.
void add_factor(const Array& right, const std::vector<double>& submitted, Wholes& wholes) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < submitted.size(); ++i) {
    if (std::isfinite(right.data[i]) && !(std::abs(right.data[i]) <= std::abs(right.data[at]))) at = i;
  }
  const double factor = submitted[at] / right.data[at];
  if (!std::isfinite(factor) || factor == 0.0) return;
  Array scaled = right;
  for (double& value : scaled.data) value *= factor;
  const bool is_larger = std::abs(factor) > 1.0;
  const char* const id = factor < 0.0 ? "sign-turned" : is_larger ? "times-too-large" : "times-too-small";
  const double times = is_larger ? std::abs(factor) : 1.0 / std::abs(factor);
  constexpr double least = 1.05;  // less is no factor that was forgotten
  if (factor < 0.0 ? times > 1.0 + 1e-6 : times < least) return;
  wholes.push_back({id, std::move(scaled), {"", "", times}, 20.0});
}

/// Another stage is added to the right values.
void add_needless_summand(const std::vector<Stage>& trace, std::size_t target, Wholes& wholes) {
  const Array& right = trace[target].array;
  for (std::size_t i = 0; i < target; ++i) {
    if (trace[i].array.shape != right.shape) continue;
    Array sum = right;
    for (std::size_t j = 0; j < sum.data.size(); ++j) sum.data[j] += trace[i].array.data[j];
    wholes.push_back({"added-needlessly", std::move(sum), {"", "", 0.0, trace[i].name}});
  }
}

/// Dropout is random, so that nothing can be replayed: some values are 0, the others 1/(1 - p) times right.
void add_dropout(const Array& right, const std::vector<double>& submitted, Wholes& wholes) {
  std::vector<std::size_t> kept;
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < submitted.size(); ++i) {
    if (submitted[i] != 0.0) {
      kept.push_back(i);
    } else if (right.data[i] != 0.0) {
      ++dropped;
    }
  }
  if (dropped == 0 || kept.size() < 2) return;
  const std::size_t largest = *std::max_element(  // where the factor is most exact
      kept.begin(), kept.end(),
      [&](std::size_t a, std::size_t b) { return std::abs(right.data[a]) < std::abs(right.data[b]); });
  const double factor = submitted[largest] / right.data[largest];
  if (!(factor > 1.0 + tolerance32()) || std::isinf(factor)) return;
  Array thinned = right;
  for (std::size_t i = 0; i < submitted.size(); ++i) thinned.data[i] *= submitted[i] == 0.0 ? 0.0 : factor;
  wholes.push_back({"dropout",
                    std::move(thinned),
                    {"", "", 1.0 - 1.0 / factor, std::to_string(dropped), std::to_string(submitted.size())}});
}

/// nn.MultiheadAttention's weights, unless it is asked for those of each head.
void add_mean_of_heads(const Array& right, Wholes& wholes) {
  const std::size_t rank = right.shape.size();
  if (rank < 3 || right.shape[rank - 3] < 2) return;
  const std::size_t heads = right.shape[rank - 3];
  const std::size_t matrix = right.shape[rank - 2] * right.shape[rank - 1];
  Array mean{right.shape, {}, std::vector<double>(right.data.size() / heads)};
  mean.shape.erase(mean.shape.end() - 3);
  mean.dtype = right.dtype;
  for (std::size_t i = 0; i < right.data.size(); ++i) {
    mean.data[i / (matrix * heads) * matrix + i % matrix] += right.data[i] / static_cast<double>(heads);
  }
  wholes.push_back({"averaged-over-heads", std::move(mean), {}});
}

}  // namespace

std::optional<std::string> wrong_everywhere(const Stage& stage, const NamedArray& submitted) {
  const std::vector<double>& values = submitted.array.data;
  if (values.size() < 2 || in_shape(submitted, stage.array.shape) == std::nullopt) return std::nullopt;
  const auto all = [&](auto is) { return std::all_of(values.begin(), values.end(), is); };
  if (all([](double value) { return value == 0.0; })) return "all-zero";
  if (all([](double value) { return std::isnan(value); })) return "all-nan";
  return std::nullopt;
}

std::vector<WrongWhole> wrong_wholes(const std::vector<Stage>& trace, std::size_t target,
                                     const NamedArray& submitted) {
  const Stage& stage = trace[target];
  Wholes wholes;
  if (stage.array.data.empty()) return wholes;
  add_other_axes(stage.array, wholes);
  if (const std::optional<Array> fitted = in_shape(submitted, stage.array.shape)) {
    for (std::size_t axis = 0; axis < stage.array.shape.size(); ++axis)
      add_other_order(stage.array, *fitted, axis, wholes);
    add_dropout(stage.array, fitted->data, wholes);
    add_factor(stage.array, fitted->data, wholes);
    add_needless_summand(trace, target, wholes);
  }
  add_mean_of_heads(stage.array, wholes);
  return wholes;
}

}  // namespace attnlab
