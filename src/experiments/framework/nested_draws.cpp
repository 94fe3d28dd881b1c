#include "experiments/framework/nested_draws.hpp"

#include "core/named.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {
bool is_size(const Parameter& parameter) {
  return std::holds_alternative<IntegerKind>(parameter.kind) && parameter.name != "seed";
}

bool may_nest_draws(const Experiment& experiment) {
  if (find_named(experiment.parameters, "seed") == nullptr) return false;
  const auto names_one = [&](const std::string& axis) {
    return std::any_of(
        experiment.parameters.begin(), experiment.parameters.end(),
        [&](const Parameter& size) { return is_size(size) && axis.find(size.name) != std::string::npos; });
  };
  return std::any_of(experiment.inputs.begin(), experiment.inputs.end(), [&](const DeclaredInput& input) {
    return std::any_of(input.axes.begin(), input.axes.end(), names_one);
  });
}

std::optional<Arguments> run_before(Arguments& arguments) {
  const std::vector<std::string>& sizes = arguments.sources.nested_sizes;
  if (sizes.empty()) return std::nullopt;
  const std::vector<Parameter>& parameters = arguments.parameters();
  const std::set<std::string> others{"input", "labels"};
  Arguments before(parameters);
  before.sources.folder = arguments.sources.folder;
  for (const Parameter& parameter : parameters) {
    const std::string& name = parameter.name;
    const bool is_kept =
        others.count(name) == 0 && std::find(sizes.begin(), sizes.end(), name) == sizes.end();
    if (is_kept && arguments.is_set(name)) before.set(name, arguments.text(name));
  }
  const auto shared = std::make_shared<FirstDraws>();
  arguments.sources.first_draws = shared;
  before.sources.first_draws = shared;
  return before;
}

Tensor<double> continued(const Tensor<double>& first, const std::vector<std::size_t>& shape,
                         const std::string& name, std::uint32_t seed) {
  std::vector<std::uint32_t> key{seed};
  for (const char letter : name) key.push_back(static_cast<unsigned char>(letter));
  const std::size_t before_place = key.size();
  const std::size_t width = shape.back();
  Tensor<double> all = Tensor<double>::from_shape(shape);
  std::vector<std::size_t> place(shape.size(), 0);  // of the row's first number
  for (std::size_t row = 0; row * width < all.size(); ++row) {
    std::size_t rest = row;
    for (std::size_t axis = shape.size() - 1; axis-- > 0; rest /= shape[axis])
      place[axis] = rest % shape[axis];
    bool is_in_first = first.dimension() == shape.size();
    for (std::size_t axis = 0; is_in_first && axis < shape.size(); ++axis)
      is_in_first = place[axis] < first.shape()[axis];
    const std::size_t kept = is_in_first ? std::min(width, first.shape().back()) : 0;
    double* numbers = all.data() + row * width;
    if (kept < width) {
      key.resize(before_place);
      for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        key.push_back(static_cast<std::uint32_t>(place[axis]));
      const Tensor<double> own = NumpyRandom(key).randn({width});
      std::copy(own.begin(), own.end(), numbers);
    }
    if (kept > 0) std::copy_n(&first.element(place.begin(), place.end()), kept, numbers);
  }
  return all;
}

Text about_nested_draws() {
  return {"乱数は入れ子（既定の大きさの数の先頭を取り、足りない分を続ける）。",
          "Nested draws: the first of the numbers of the default size, continued where more are needed."};
}

}  // namespace attnlab
