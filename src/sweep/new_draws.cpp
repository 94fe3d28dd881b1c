#include "sweep/new_draws.hpp"

#include "core/named.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// From one element to the next along each axis, in row-major order.
std::vector<std::size_t> strides_of(const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

/// Over the block of lengths that both arrays have.
bool agree_where_both_reach(const Array& one, const Array& other) {
  if (one.shape.size() != other.shape.size()) return true;
  std::vector<std::size_t> common;
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < one.shape.size(); ++axis) {
    common.push_back(std::min(one.shape[axis], other.shape[axis]));
    count *= common.back();
  }
  const std::vector<std::size_t> in_one = strides_of(one.shape);
  const std::vector<std::size_t> in_other = strides_of(other.shape);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    std::size_t place = 0;
    std::size_t other_place = 0;
    for (std::size_t axis = common.size(); axis-- > 0;) {
      const std::size_t index = rest % common[axis];
      rest /= common[axis];
      place += index * in_one[axis];
      other_place += index * in_other[axis];
    }
    if (one.data[place] != other.data[other_place]) return false;
  }
  return true;
}

}  // namespace

DrawnArrays drawn_arrays(const Report& report) {
  DrawnArrays arrays;
  for (const Origin& origin : report.origins) {
    if (origin.kind != Origin::Kind::drawn) continue;
    for (const std::string& name : split(origin.name, ",")) {
      const Stage* stage = find_named(report.stages, std::string(trimmed(name)));
      if (stage != nullptr) arrays[stage->name] = stage->array;
    }
  }
  return arrays;
}

bool are_nested(const DrawnArrays& one, const DrawnArrays& other) {
  return std::all_of(one.begin(), one.end(), [&](const auto& named) {
    const auto found = other.find(named.first);
    return found == other.end() || agree_where_both_reach(named.second, found->second);
  });
}

void tell_of_new_draws(const std::vector<DrawnArrays>& runs, std::vector<Figure>& figures) {
  const auto moved = std::adjacent_find(
      runs.begin(), runs.end(),
      [](const DrawnArrays& one, const DrawnArrays& other) { return !are_nested(one, other); });
  if (moved == runs.end()) return;
  for (Figure& figure : figures) {
    figure.caption = figure.caption.en().empty()
                         ? Text{"値ごとに乱数を引き直す。", "Each value is a new draw."}
                         : text("{}値ごとに乱数を引き直す。", "{} Each value is a new draw.", figure.caption);
  }
}

}  // namespace attnlab
