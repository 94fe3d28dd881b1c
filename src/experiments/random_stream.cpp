#include "experiments/random_stream.hpp"

#include <algorithm>

namespace attnlab {

Parameter rng_parameter() {
  return {"rng",
          ChoiceKind{{"numpy", "torch"}},
          "numpy",
          {"乱数列：np.random.RandomState か torch.manual_seed",
           "random numbers of np.random.RandomState or torch.manual_seed"}};
}

Tensor<double> RandomStream::randn(const std::vector<std::size_t>& shape) {
  if (auto* numpy = std::get_if<NumpyRandom>(&random_)) return numpy->randn(shape);
  return xt::cast<double>(std::get<TorchRandom>(random_).randn(shape));
}

void RandomStream::randn_by_rows(std::size_t rows, std::size_t width,
                                 const std::function<void(std::size_t row, const double* values)>& use) {
  constexpr std::size_t values_at_once = 8192;
  const bool in_pieces = std::holds_alternative<NumpyRandom>(random_);
  const std::size_t rows_at_once = in_pieces ? std::max<std::size_t>(1, values_at_once / width) : rows;
  for (std::size_t begin = 0; begin < rows; begin += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, rows - begin);
    const Tensor<double> piece = randn({count, width});
    for (std::size_t row = 0; row < count; ++row) use(begin + row, piece.data() + row * width);
  }
}

RandomStream random_stream(const std::string& rng, std::uint32_t seed) {
  if (rng == "torch") return RandomStream(TorchRandom(seed));
  return RandomStream(NumpyRandom(seed));
}

RandomStream random_stream(const Arguments& arguments, std::uint32_t seed) {
  return random_stream(arguments.text("rng"), seed);
}

RandomStream random_stream(const Arguments& arguments) {
  return random_stream(arguments, static_cast<std::uint32_t>(arguments.integer("seed")));
}

}  // namespace attnlab
