#include "experiments/framework/trace.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "experiments/framework/tensor_array.hpp"

namespace attnlab {

Stage input(std::string name, const Tensor<double>& values, std::vector<std::string> axes) {
  return input(std::move(name), to_array(values, std::move(axes)));
}

Stage step(std::string name, Formula formula, const Tensor<double>& values, std::vector<std::string> axes,
           Derivation derivation) {
  return {std::move(name), std::move(formula), to_array(values, std::move(axes)), std::move(derivation)};
}

Stage step(std::string name, std::string_view formula, const Tensor<double>& values,
           std::vector<std::string> axes, Derivation derivation) {
  return step(std::move(name), formula::read(formula), values, std::move(axes), std::move(derivation));
}

void append(std::vector<Stage>& stages, std::vector<Stage> more) {
  std::move(more.begin(), more.end(), std::back_inserter(stages));
}

Formula scaled_scores(const std::string& scale, Formula product, std::string_view width) {
  if (scale == "none") return product;
  if (scale == "default") return formula::fraction(std::move(product), formula::root(formula::read(width)));
  return formula::row({formula::sym(scale + " "), std::move(product)});
}

}  // namespace attnlab
