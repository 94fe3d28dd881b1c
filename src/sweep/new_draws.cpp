#include "sweep/new_draws.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xstrided_view.hpp>

#include "core/agreement.hpp"
#include "core/named.hpp"
#include "core/tensor.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/nested_draws.hpp"
#include "sweep/attempt.hpp"

namespace attnlab {
namespace {

/// The block of these lengths.
Tensor<double> block_of(const Array& array, const std::vector<std::size_t>& lengths) {
  xt::xstrided_slice_vector block;
  for (const std::size_t length : lengths) block.emplace_back(xt::range(std::size_t{0}, length));
  return xt::strided_view(xt::adapt(array.data, array.shape), block);
}

/// Where a stream of random numbers is divided in another way, they differ from the second row on: hundreds
/// of frames need not keep more.
Array corner_of(const Array& array) {
  constexpr std::size_t longest = 32;
  Array corner{array.shape, array.axes, {}, array.dtype};
  for (std::size_t& length : corner.shape) length = std::min(length, longest);
  const Tensor<double> values = block_of(array, corner.shape);
  corner.data = {values.begin(), values.end()};
  return corner;
}

/// Over the block of lengths that both arrays have, up to a factor: draws over √d are smaller where d is
/// larger.
bool agree_where_both_reach(const Array& one, const Array& other) {
  if (one.shape.size() != other.shape.size()) return true;
  std::vector<std::size_t> common = one.shape;
  for (std::size_t axis = 0; axis < common.size(); ++axis)
    common[axis] = std::min(common[axis], other.shape[axis]);
  const Tensor<double> here = block_of(one, common);
  const Tensor<double> there = block_of(other, common);
  const double size_here = largest_magnitude(here);
  const double size_there = largest_magnitude(there);
  const Tensor<double> difference = here * size_there - there * size_here;
  return largest_magnitude(difference) <= tolerance32() * size_here * size_there;
}

/// An array that only one has, or that has another number of axes, says nothing.
bool are_continued(const Draws& one, const Draws& other) {
  return std::all_of(one.arrays.begin(), one.arrays.end(), [&](const auto& named) {
    const auto found = other.arrays.find(named.first);
    return found == other.arrays.end() || agree_where_both_reach(named.second, found->second);
  });
}

}  // namespace

Arguments with_nested_draws(const Experiment& experiment, const Arguments& arguments,
                            const std::vector<std::string>& swept) {
  std::vector<std::string> sizes;
  for (const std::string& name : swept) {
    if (is_size(*find_named(experiment.parameters, name))) sizes.push_back(name);
  }
  if (sizes.empty() || !may_nest_draws(experiment)) return arguments;
  Arguments nested = arguments;
  nested.sources.nested_sizes = std::move(sizes);
  return attempt(experiment, nested, quiet_context()).refusal ? arguments : nested;
}

Draws draws_of(const Report& report) {
  Draws draws;
  draws.are_nested = report.has_nested_draws;
  for (const Origin& origin : report.origins) {
    if (origin.kind != Origin::Kind::drawn) continue;
    for (const std::string& name : split(origin.name, ",")) {
      const Stage* stage = find_named(report.stages, std::string(trimmed(name)));
      if (stage != nullptr) draws.arrays[stage->name] = corner_of(stage->array);
    }
  }
  return draws;
}

void report_draws(const std::vector<Draws>& runs, std::vector<Figure>& figures) {
  const auto moved = std::adjacent_find(runs.begin(), runs.end(), [](const Draws& one, const Draws& other) {
    return !are_continued(one, other);
  });
  const bool any_nested =
      std::any_of(runs.begin(), runs.end(), [](const Draws& run) { return run.are_nested; });
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (any_nested && !runs[i].are_nested) add_to_caption(figures[i], about_nested_draws());
    if (moved != runs.end()) {
      add_to_caption(figures[i], {"値ごとに乱数を引き直す。", "Each value is a new draw."});
    }
  }
}

}  // namespace attnlab
