#include "sweep/new_draws.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xstrided_view.hpp>

#include "core/agreement.hpp"
#include "core/named.hpp"
#include "core/tensor.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// Over the block of lengths that both arrays have, up to a factor: draws over √d are smaller where d is
/// larger.
bool agree_where_both_reach(const Array& one, const Array& other) {
  if (one.shape.size() != other.shape.size()) return true;
  xt::xstrided_slice_vector common;
  for (std::size_t axis = 0; axis < one.shape.size(); ++axis) {
    common.emplace_back(xt::range(std::size_t{0}, std::min(one.shape[axis], other.shape[axis])));
  }
  const auto reached = [&common](const Array& array) {
    return Tensor<double>(xt::strided_view(xt::adapt(array.data, array.shape), common));
  };
  const Tensor<double> here = reached(one);
  const Tensor<double> there = reached(other);
  const double size_here = largest_magnitude(here);
  const double size_there = largest_magnitude(there);
  const Tensor<double> difference = here * size_there - there * size_here;
  return largest_magnitude(difference) <= tolerance32() * size_here * size_there;
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
