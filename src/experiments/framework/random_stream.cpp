#include "experiments/framework/random_stream.hpp"

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

TorchLinear RandomStream::linear(std::size_t in, std::size_t out) {
  if (auto* torch = std::get_if<TorchRandom>(&random_)) return torch->linear(in, out);
  throw std::logic_error("NumPy's stream has no nn.Linear");
}

void RandomStream::randn_pairs(
    std::size_t rows, std::size_t width,
    const std::function<void(std::size_t row, const double* a, const double* b)>& use) {
  constexpr std::size_t values_at_once = 4096;
  const bool is_numpy = std::holds_alternative<NumpyRandom>(random_);
  const std::size_t rows_at_once = is_numpy ? std::max<std::size_t>(1, values_at_once / width) : rows;
  const auto part_from = [&](std::size_t begin) { return std::min(rows_at_once, rows - begin); };
  RandomStream second = *this;
  for (std::size_t begin = 0; begin < rows; begin += rows_at_once) second.randn({part_from(begin), width});
  for (std::size_t begin = 0; begin < rows; begin += rows_at_once) {
    const Tensor<double> a = randn({part_from(begin), width});
    const Tensor<double> b = second.randn({part_from(begin), width});
    for (std::size_t row = 0; row < part_from(begin); ++row) use(begin + row, &a(row, 0), &b(row, 0));
  }
  *this = second;
}

RandomStream random_stream(const std::string& rng, std::uint32_t seed) {
  if (rng == "torch") return RandomStream(TorchRandom(seed));
  return RandomStream(NumpyRandom(seed));
}

Text seed_text(std::uint32_t seed, const std::string& rng) {
  const Text stream = rng == "torch" ? Text{"（PyTorch）", " (PyTorch)"} : Text::none();
  return text("乱数の種 {}{}", "Seed {}{}", seed, stream);
}

}  // namespace attnlab
