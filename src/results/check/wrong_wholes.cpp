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

/// Each head from the place of the one that it is nearest to.
void add_other_heads(const Array& right, const Array& given, Wholes& wholes) {
  if (right.axes.size() != 3 || right.axes[0] != "heads") return;
  const std::size_t cells = right.shape[1] * right.shape[2];
  std::set<std::size_t> taken;
  std::vector<std::size_t> order;
  Array moved = right;
  for (std::size_t head = 0; head < right.shape[0]; ++head) {
    const auto distance = [&](std::size_t other) {
      double sum = 0.0;
      for (std::size_t i = 0; i < cells; ++i)
        sum += difference(given.data[head * cells + i], right.data[other * cells + i]);
      return sum;
    };
    std::vector<double> distances;
    for (std::size_t other = 0; other < right.shape[0]; ++other) distances.push_back(distance(other));
    const auto nearest = std::min_element(distances.begin(), distances.end()) - distances.begin();
    order.push_back(static_cast<std::size_t>(nearest));
    if (!taken.insert(order.back()).second) return;
    std::copy_n(right.data.begin() + nearest * static_cast<std::ptrdiff_t>(cells), cells,
                moved.data.begin() + static_cast<std::ptrdiff_t>(head * cells));
  }
  wholes.push_back({"heads-in-another-order", std::move(moved), {"", "", 0.0, joined(order, ", ")}});
}

/// Dropout is random, so that nothing can be replayed: some values are 0, the others 1/(1 - p) times right.
void add_dropout(const Array& right, const std::vector<double>& given, Wholes& wholes) {
  std::vector<std::size_t> kept;
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] != 0.0) {
      kept.push_back(i);
    } else if (right.data[i] != 0.0) {
      ++dropped;
    }
  }
  if (dropped == 0 || kept.size() < 2) return;
  const std::size_t largest = *std::max_element(  // where the factor is most exact
      kept.begin(), kept.end(),
      [&](std::size_t a, std::size_t b) { return std::abs(right.data[a]) < std::abs(right.data[b]); });
  const double factor = given[largest] / right.data[largest];
  if (!(factor > 1.0 + tolerance32()) || std::isinf(factor)) return;
  Array thinned = right;
  for (std::size_t i = 0; i < given.size(); ++i) thinned.data[i] *= given[i] == 0.0 ? 0.0 : factor;
  wholes.push_back({"dropout",
                    std::move(thinned),
                    {"", "", 1.0 - 1.0 / factor, std::to_string(dropped), std::to_string(given.size())}});
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

std::vector<WrongWhole> wrong_wholes(const Stage& stage, const NamedArray& given) {
  Wholes wholes;
  if (stage.array.data.empty()) return wholes;
  add_other_axes(stage.array, wholes);
  if (const std::optional<Array> fitted = in_shape(given, stage.array.shape)) {
    add_other_heads(stage.array, *fitted, wholes);
    add_dropout(stage.array, fitted->data, wholes);
  }
  add_mean_of_heads(stage.array, wholes);
  return wholes;
}

}  // namespace attnlab
