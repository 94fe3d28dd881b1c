#include "experiments/framework/further_rows.hpp"

namespace attnlab {

Tensor<double> further_rows(Inputs& inputs, const std::string& name, std::size_t rows, std::size_t width) {
  constexpr std::size_t at_once = 16;
  if (rows == 0) return {};
  const std::size_t drawn = (rows + at_once - 1) / at_once * at_once;
  inputs.record(name, fmt::format("randn({}, {})", drawn, width));
  return inputs.stream().randn({drawn, width});
}

}  // namespace attnlab
